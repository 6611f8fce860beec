"""Describe the table and the entries that may be made now."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.durak.laying import Named, PlayableCards
from domain.durak.proof import find_lowest_trumps
from domain.durak.ranks import PACK, cards_that_beat
from domain.durak.result import endings
from domain.durak.roles import may_still_add, seat_to_add
from domain.durak.state import AWAY, UNDER, Bout, Deal, Phase, Seats, clockwise
from domain.table.cards import SUITS, Cards
from domain.table.refusal import Fact
from domain.table.rules import HANDS, LATER, Choice, Game, Refuse, Situation, Values
from schemas import durak as entries
from schemas.entries import Entry


def situation(game: Game) -> Situation:
    deal: Deal = game.deal
    table = _table(game, deal)
    return Situation(deal.phase.value, _to_act(game, deal), deal.counts, deal.stock, table)


def _to_act(game: Game, deal: Deal) -> tuple[int, ...]:
    bout = deal.bout
    if bout is None:
        return tuple(range(game.seats)) if deal.leader is None else (deal.leader,)
    adding = _seats_that_may_add(game, deal, bout)
    if bout.taking or not bout.open:
        return clockwise(adding, 0)
    defending = 1 << bout.defender
    return clockwise(defending | adding if game.options.while_unbeaten else defending, 0)


def _seats_that_may_add(game: Game, deal: Deal, bout: Bout) -> Seats:
    if not may_still_add(bout, deal.holding):
        return 0
    if game.options.word == "loose":
        return bout.adders & deal.holding & ~bout.done
    word = seat_to_add(bout, deal.holding)
    return 0 if word is None else 1 << word


def _table(game: Game, deal: Deal) -> dict[str, Any]:
    known = deal.knowledge
    bout = deal.bout
    return {
        "dealer": deal.dealer,
        "trump": deal.trump,
        "shown": deal.shown,
        "under": bool(deal.stock and known and known.known_at(UNDER)),
        "leader": deal.leader,
        "attacker": bout.main_attacker if bout else None,
        "defender": bout.defender if bout else None,
        "adders": list(clockwise(bout.adders, bout.main_attacker)) if bout else [],
        "word": seat_to_add(bout, deal.holding) if bout else None,
        "done": list(clockwise(bout.done, 0)) if bout else [],
        "limit": bout.limit if bout else None,
        "bout": [{"card": card, "with": over} for card, over in bout.pairs] if bout else [],
        "taking": bout is not None and bout.taking,
        "out": list(deal.out),
        "known": [
            list(PACK.named(known.known_at(seat))) if known else [] for seat in range(game.seats)
        ],
        "gone": list(PACK.named(_left_play(deal))),
    }


def _left_play(deal: Deal) -> Cards:
    """Return the cards that were beaten and put away; those on the table are still in play."""
    if deal.knowledge is None:
        return 0
    table = None if deal.bout is None else deal.table
    left: Cards = 0
    for place, cards in deal.knowledge.world.known.items():
        if place >= AWAY and place != table:
            left |= cards
    return left


def choices(game: Game, refuse: Refuse) -> tuple[Choice, ...]:
    deal: Deal | None = game.deal
    if deal is None:
        return (_deal(game), *_results(game, None))
    match deal.phase:
        case Phase.LOWEST:
            legal = _before_first_lead(game, deal, refuse)
        case Phase.LEAD:
            laying = PlayableCards(game, refuse, deal.knowledge)
            legal = (
                *_redeals(game, laying, refuse),
                *_attacks(deal, laying),
                *_lay_away_choices(game, laying),
            )
        case Phase.BOUT | Phase.TAKING:
            laying = PlayableCards(game, refuse, deal.knowledge)
            bout = deal.bout
            assert bout is not None  # noqa: S101 -- these phases have a bout
            legal = (
                *_attacks(deal, laying),
                *_beats(deal, bout, laying),
                *_passes_on(bout, laying),
                *_takes(bout, laying.seen, refuse),
                *_done_choices(bout, laying.seen, refuse),
            )
    return (*legal, *_results(game, deal))


def _before_first_lead(game: Game, deal: Deal, refuse: Refuse) -> tuple[Choice, ...]:
    trumps: tuple[Cards, ...] = (PACK.of_suit[deal.trump],) * game.seats
    known = deal.knowledge
    if known is not None:
        trumps, known = find_lowest_trumps(deal, known)
    laying = PlayableCards(game, refuse, known)
    may_lead = known is not None or deal.knowledge is None
    return (
        *_lowest(trumps),
        *_redeals(game, laying, refuse),
        *(_attacks(deal, laying) if may_lead else ()),
    )


def _dealers(game: Game) -> Values:
    return tuple(range(game.seats)) if game.dealer is None else (game.dealer,)


def _deal(game: Game) -> Choice:
    return Choice("deal", fields={"dealer": _dealers(game), "trump": PACK.codes, "hands": HANDS})


def _lowest(trumps: Sequence[Cards]) -> Iterator[Choice]:
    for seat, able in enumerate(trumps):
        if able:
            yield Choice("lowest", seat)
            yield Choice("lowest", seat, {"card": PACK.named(able)})


def _redeals(game: Game, laying: PlayableCards, refuse: Refuse) -> Iterator[Choice]:
    if game.deal.bouts:
        return
    if refuse(game, entries.Redeal(reason="no_trump"), LATER) is None:
        yield Choice("redeal", fields={"reason": ("no_trump",)})
    # Public information about it is the same for each seat.
    possible_suits = [suit for suit in SUITS if refuse(laying.seen, _short(0, suit), LATER) is None]
    for seat in range(game.seats) if possible_suits else ():
        suits = tuple(
            suit for suit in possible_suits if refuse(game, _short(seat, suit), LATER) is None
        )
        if suits:
            yield Choice("redeal", seat, {"reason": ("suit",), "suit": suits})


def _short(seat: int, suit: str) -> Entry:
    return entries.Redeal(reason="suit", seat=seat, suit=suit)  # type: ignore[arg-type] # one of the four


def _attackers(deal: Deal) -> tuple[int, ...]:
    if deal.bout is not None:
        return clockwise(deal.bout.adders & deal.holding, 0)
    return clockwise(deal.holding, 0) if deal.leader is None else (deal.leader,)


def _attacks(deal: Deal, laying: PlayableCards) -> Iterator[Choice]:
    for seat in _attackers(deal):

        def attack(some: Named, seat: int = seat) -> Entry:
            return entries.Attack(seat=seat, cards=some)  # type: ignore[arg-type] # codes of the pack

        if able := laying.sets(seat, attack):
            yield laying.offered("attack", seat, {"cards": able})


def _beats(deal: Deal, bout: Bout, laying: PlayableCards) -> Iterator[Choice]:
    seat = bout.defender
    for card in dict.fromkeys(bout.unbeaten):

        def beat(some: Named, card: str = card) -> Entry:
            return entries.Beat(seat=seat, card=card, with_=some[0])  # type: ignore[arg-type] # codes of the pack

        if able := laying.single_cards(seat, beat, cards_that_beat(card, deal.trump)):
            yield laying.offered("beat", seat, {"card": (card,), "with": able})


def _passes_on(bout: Bout, laying: PlayableCards) -> Iterator[Choice]:
    seat = bout.defender

    def pass_on(some: Named) -> Entry:
        return entries.PassOn(seat=seat, cards=some)  # type: ignore[arg-type] # codes of the pack

    if sets := laying.sets(seat, pass_on):
        yield laying.offered("pass_on", seat, {"cards": sets})


def _takes(bout: Bout, seen: Game, refuse: Refuse) -> Iterator[Choice]:
    if refuse(seen, entries.Take(seat=bout.defender), LATER) is None:
        yield Choice("take", bout.defender)


def _done_choices(bout: Bout, seen: Game, refuse: Refuse) -> Iterator[Choice]:
    for seat in (None, *clockwise(bout.adders, 0)):
        if refuse(seen, entries.Done(seat=seat), LATER) is None:
            yield Choice("done", seat, {"seat": (None,)} if seat is None else {})


def _lay_away_choices(game: Game, laying: PlayableCards) -> Iterator[Choice]:
    if not game.options.four_away:
        return
    for seat in range(game.seats):

        def lay_away(some: Named, seat: int = seat) -> Entry:
            return entries.Away(seat=seat, cards=some)  # type: ignore[arg-type] # codes of the pack

        if able := laying.ranks_to_lay_away(seat, lay_away):
            yield laying.offered("away", seat, {"cards": able})


def _results(game: Game, deal: Deal | None) -> Iterator[Choice]:
    dealers = _dealers(game) if deal is None else (deal.dealer,)
    for durak, placed in endings(game):
        yield Choice("result", fields={"places": placed, "durak": (durak,), "dealer": dealers})


def moment(game: Game) -> dict[str, Fact]:
    """Return the number of the current bout, from 1, if there is one."""
    deal: Deal = game.deal
    return {} if deal.leader is None and deal.bout is None else {"bout": deal.bouts + 1}
