"""What the table looks like and what may be entered now."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from domain.durak.ranks import PACK, RANKS
from domain.durak.result import endings
from domain.durak.roles import holder, may_still_add
from domain.durak.seats import Seats, clockwise
from domain.durak.state import AWAY, UNDER, Bout, Deal, Phase
from domain.inference.possible_cards import Asked
from domain.table.cards import SUITS
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Situation, Values
from schemas import durak as entries
from schemas.entries import Entry

Refuse = Callable[[Game, Entry, int], Refusal | None]
NEXT = 2**31 - 1  # any version later than all: choices are asked about, never stored
HANDS = {"shape": "hands", "optional": True}


def situation(game: Game) -> Situation:
    """Describe the deal in progress."""
    deal: Deal = game.deal
    table = _table(game, deal)
    return Situation(deal.phase.value, _to_act(game, deal), deal.counts, deal.stock, table)


def _to_act(game: Game, deal: Deal) -> tuple[int, ...]:
    """Return the seats play is waiting for, ascending."""
    bout = deal.bout
    if bout is None:
        return tuple(range(game.seats)) if deal.leader is None else (deal.leader,)
    adding = _adding(game, deal, bout)
    if bout.taking or not bout.open:
        return clockwise(adding, 0)
    defending = 1 << bout.defender
    return clockwise(defending | adding if game.options.while_unbeaten else defending, 0)


def _adding(game: Game, deal: Deal, bout: Bout) -> Seats:
    """Return who may add now: who has the word or, where it is loose, who is not done yet."""
    if not may_still_add(bout, deal.holding):
        return 0
    if game.options.word == "loose":
        return bout.adders & deal.holding & ~bout.done
    word = holder(bout, deal.holding)
    return 0 if word is None else 1 << word


def _table(game: Game, deal: Deal) -> dict[str, Any]:
    known = deal.knowledge
    bout = deal.bout
    gone: list[str] = []
    if known is not None:
        everywhere = 0
        for place, cards in known.world.known.items():
            lying = bout is not None and place == deal.table
            if place >= AWAY and not lying:
                everywhere |= cards
        gone = list(PACK.named(everywhere))
    return {
        "dealer": deal.dealer,
        "trump": deal.trump,
        "shown": deal.shown,
        "under": bool(deal.stock and known and known.known_at(UNDER)),
        "leader": deal.leader,
        "attacker": bout.main if bout else None,
        "defender": bout.defender if bout else None,
        "adders": list(clockwise(bout.adders, bout.main)) if bout else [],
        "word": holder(bout, deal.holding) if bout else None,
        "limit": bout.limit if bout else None,
        "bout": [{"card": card, "with": over} for card, over in bout.pairs] if bout else [],
        "taking": bout is not None and bout.taking,
        "out": list(deal.out),
        "known": [
            list(PACK.named(known.known_at(seat))) if known else [] for seat in range(game.seats)
        ],
        "gone": gone,
    }


def choices(game: Game, refuse: Refuse) -> tuple[Choice, ...]:
    """List the entries of Durak that may be entered now, card by card or by result."""
    deal: Deal | None = game.deal
    if deal is None:
        return (_deal(game), *_results(game, None))
    cards = _Cards(game, refuse)
    match deal.phase:
        case Phase.LOWEST | Phase.LEAD:
            found = (
                *_lowest(game, refuse),
                *_redeals(game, refuse),
                *_attacks(deal, cards),
                *_aways(game, cards),
            )
        case Phase.BOUT | Phase.TAKING:
            found = (
                *_attacks(deal, cards),
                *_beats(deal, cards),
                *_passes_on(deal, cards),
                *_takes(game, refuse),
                *_dones(game, refuse),
            )
    return (*found, *_results(game, deal))


def _dealers(game: Game) -> Values:
    return tuple(range(game.seats)) if game.dealer is None else (game.dealer,)


def _deal(game: Game) -> Choice:
    return Choice("deal", fields={"dealer": _dealers(game), "trump": PACK.codes, "hands": HANDS})


class _Cards:
    """Which cards may be laid: judged by what everybody sees, then by what can be in the hand.

    Of that much is told for many cards at once. A lead that also tells of other hands
    (`durak.first-lead`) is judged whole.
    """

    def __init__(self, game: Game, refuse: Refuse) -> None:
        deal: Deal = game.deal
        self._refuse = refuse
        self._asked = None
        self._game = game
        if deal.knowledge is not None and deal.phase is not Phase.LOWEST:
            self._asked = Asked(deal.knowledge)
            self._game = replace(game, deal=replace(deal, knowledge=None))

    def stand(self, seat: int, cards: tuple[str, ...], entry: Entry) -> bool:
        """Tell whether an entry that lays these cards from a hand would be accepted."""
        if self._refuse(self._game, entry, NEXT) is not None:
            return False
        if self._asked is None:
            return True
        copies = [PACK.copies[card] for card in cards]
        if len(copies) == 1:
            return self._asked.can_leave(seat, copies[0])
        return self._asked.can_all_leave(seat, copies)


def _lowest(game: Game, refuse: Refuse) -> Iterator[Choice]:
    for seat in range(game.seats):
        if refuse(game, entries.Lowest(seat=seat), NEXT) is None:
            yield Choice("lowest", seat)
        cards = tuple(
            card
            for card in PACK.codes
            if refuse(game, entries.Lowest(seat=seat, card=card), NEXT) is None  # type: ignore[arg-type]
        )
        if cards:
            yield Choice("lowest", seat, {"card": cards})


def _redeals(game: Game, refuse: Refuse) -> Iterator[Choice]:
    if refuse(game, entries.Redeal(reason="no_trump"), NEXT) is None:
        yield Choice("redeal", fields={"reason": ("no_trump",)})
    for seat in range(game.seats):
        suits = tuple(
            suit
            for suit in SUITS
            if refuse(game, entries.Redeal(reason="suit", seat=seat, suit=suit), NEXT) is None  # type: ignore[arg-type]
        )
        if suits:
            yield Choice("redeal", seat, {"reason": ("suit",), "suit": suits})


def _of_one_rank(count: int) -> tuple[tuple[str, ...], ...]:
    """Return every set of so many cards of one rank."""
    return tuple(
        cards for rank in RANKS for cards in combinations([rank + suit for suit in SUITS], count)
    )


_ONE = _of_one_rank(1)
_SEVERAL = tuple(
    sorted(
        (cards for count in range(2, len(SUITS) + 1) for cards in _of_one_rank(count)),
        key=lambda cards: (RANKS.index(cards[0][0]), len(cards)),
    )
)


def _laid(cards: _Cards, seat: int, make: Callable[[tuple[str, ...]], Entry]) -> Values:
    """Return the sets of cards that may be laid; a set stands only where each part of it does."""
    stand = {some: None for some in _ONE if cards.stand(seat, some, make(some))}
    for some in _SEVERAL if stand else ():
        parts = combinations(some, len(some) - 1)
        if all(part in stand for part in parts) and cards.stand(seat, some, make(some)):
            stand[some] = None
    return tuple(stand)


def _attacks(deal: Deal, cards: _Cards) -> Iterator[Choice]:
    for seat, count in enumerate(deal.counts):
        if not count:
            continue

        def attack(some: tuple[str, ...], seat: int = seat) -> Entry:
            return entries.Attack(seat=seat, cards=some)  # type: ignore[arg-type]

        if able := _laid(cards, seat, attack):
            yield Choice("attack", seat, {"cards": able})


def _beats(deal: Deal, cards: _Cards) -> Iterator[Choice]:
    bout: Bout = deal.bout  # type: ignore[assignment]
    for card in dict.fromkeys(bout.unbeaten):
        seat = bout.defender
        able = tuple(
            code
            for code in PACK.codes
            if cards.stand(seat, (code,), entries.Beat(seat=seat, card=card, with_=code))  # type: ignore[arg-type]
        )
        if able:
            yield Choice("beat", seat, {"card": (card,), "with": able})


def _passes_on(deal: Deal, cards: _Cards) -> Iterator[Choice]:
    seat = deal.bout.defender  # type: ignore[union-attr]

    def pass_on(some: tuple[str, ...]) -> Entry:
        return entries.PassOn(seat=seat, cards=some)  # type: ignore[arg-type]

    if able := _laid(cards, seat, pass_on):
        yield Choice("pass_on", seat, {"cards": able})


def _takes(game: Game, refuse: Refuse) -> Iterator[Choice]:
    for seat in range(game.seats):
        if refuse(game, entries.Take(seat=seat), NEXT) is None:
            yield Choice("take", seat)


def _dones(game: Game, refuse: Refuse) -> Iterator[Choice]:
    for seat in (None, *range(game.seats)):
        if refuse(game, entries.Done(seat=seat), NEXT) is None:
            yield Choice("done", seat, {"seat": (None,)} if seat is None else {})


def _aways(game: Game, cards: _Cards) -> Iterator[Choice]:
    fours = _of_one_rank(len(SUITS))
    for seat in range(game.seats):
        able = tuple(
            some
            for some in fours
            if cards.stand(seat, some, entries.Away(seat=seat, cards=some))  # type: ignore[arg-type]
        )
        if able:
            yield Choice("away", seat, {"cards": able})


def _results(game: Game, deal: Deal | None) -> Iterator[Choice]:
    """List the results that agree with the deal so far (`table.result`)."""
    dealers = _dealers(game) if deal is None else (deal.dealer,)
    for durak, places in endings(game):
        yield Choice("result", fields={"places": places, "durak": (durak,), "dealer": dealers})
