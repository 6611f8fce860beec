"""What the table looks like and what may be entered now."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from domain.durak.clauses import (
    DEFENDER,
    MUST_LEAD,
    NEXT_LEAD,
    TURN,
    UNBEATEN,
    WHO_ADDS,
    WORD,
)
from domain.durak.ranks import PACK, RANKS, beats
from domain.durak.result import endings
from domain.durak.roles import holder, may_still_add
from domain.durak.seats import Seats, clockwise
from domain.durak.state import AWAY, UNDER, Bout, Deal, Phase
from domain.inference import Asked
from domain.table.cards import SUITS, places
from domain.table.refusal import Refusal
from domain.table.rules import HANDS, Choice, Game, Situation, Values, offered
from schemas import durak as entries
from schemas.entries import Entry

Refuse = Callable[[Game, Entry, int], Refusal | None]
NEXT = 2**31 - 1  # any version later than all: choices are asked about, never stored
Make = Callable[[tuple[str, ...]], Entry]
_FOURS = tuple(tuple(rank + suit for suit in SUITS) for rank in RANKS)


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
                *_lowest(game, cards, refuse),
                *_redeals(game, refuse),
                *_attacks(deal, cards),
                *_aways(game, cards),
            )
        case Phase.BOUT | Phase.TAKING:
            found = (
                *_attacks(deal, cards),
                *_beats(deal, cards),
                *_passes_on(deal, cards),
                *_takes(cards.seen, refuse),
                *_dones(cards.seen, refuse),
            )
    return (*found, *_results(game, deal))


def _dealers(game: Game) -> Values:
    return tuple(range(game.seats)) if game.dealer is None else (game.dealer,)


def _deal(game: Game) -> Choice:
    return Choice("deal", fields={"dealer": _dealers(game), "trump": PACK.codes, "hands": HANDS})


# What refuses one card by these refuses every other: they ask whose turn it is, and what awaits.
_WHATEVER_CARD = frozenset(
    {"table.phase", NEXT_LEAD, TURN, WHO_ADDS, WORD, UNBEATEN, DEFENDER, MUST_LEAD}
)


class _Cards:
    """Which cards may be laid: judged by what everybody sees, then by what can be in the hand.

    What everybody sees is alike for cards of one `_sort`, and judged once for all of them; what can
    be in the hand is told for many cards at once. Before the first lead a lead may also tell of
    other hands (`durak.first-lead`): what can be in the hand is then judged whole.
    """

    def __init__(self, game: Game, refuse: Refuse) -> None:
        deal: Deal = game.deal
        self._game = game
        self._refuse = refuse
        self.seen = game  # what everybody sees of it
        self._asked = None
        self._stands: dict[Hashable, bool] = {}
        self._sorts: dict[Hashable, list[str]] = {}
        if deal.knowledge is not None:
            self._asked = Asked(deal.knowledge)
            self.seen = replace(game, deal=replace(deal, knowledge=None))

    def held(self, seat: int, card: str) -> bool:
        """Tell whether a card can be in a hand."""
        return self._asked is None or self._asked.can_leave(seat, PACK.copies[card])

    def offered(self, kind: str, seat: int, fields: Mapping[str, Values]) -> Choice:
        """Offer cards out of a hand: sets of them, or one each."""
        return offered(kind, seat, fields, partial(self._unproved, seat))

    def _unproved(self, seat: int, cards: str | tuple[str, ...]) -> bool:
        """Tell whether it was not found out in time if a hand can hold cards."""
        some = (cards,) if isinstance(cards, str) else cards
        return self._asked is not None and self._asked.doubted(
            seat, *(PACK.copies[card] for card in some)
        )

    def seen_to_fit(self, make: Make) -> list[str]:
        """Return the cards that may be laid alone as far as everybody sees."""
        if not self._sorts:
            for card in PACK.codes:
                self._sorts.setdefault(_sort(self._game.deal, (card,)), []).append(card)
        found: list[str] = []
        for alike in self._sorts.values():
            refusal = self._refuse(self.seen, make((alike[0],)), NEXT)
            if refusal is None:
                found += alike
            elif refusal.rule in _WHATEVER_CARD:
                return []
        return found

    def stand(self, seat: int, cards: tuple[str, ...], make: Make) -> bool:
        """Tell whether an entry that lays cards would be accepted; each can be in the hand."""
        deal: Deal = self._game.deal
        stands = self._seen_to_stand(_sort(deal, cards), cards, make)
        if not stands or self._asked is None:
            return stands
        if len(cards) > 1:
            stands = self._asked.can_all_leave(seat, [PACK.copies[card] for card in cards])
        return stands and self.led(cards, make)

    def led(self, cards: tuple[str, ...], make: Make) -> bool:
        """Tell whether cards that can be in a hand may be laid for what a lead tells of others."""
        if self._asked is None or self._game.deal.phase is not Phase.LOWEST:
            return True
        return self._refuse(self._game, make(cards), NEXT) is None

    def _seen_to_stand(self, sort: Hashable, cards: tuple[str, ...], make: Make) -> bool:
        stands = self._stands.get((make, sort))
        if stands is None:
            stands = self._refuse(self.seen, make(cards), NEXT) is None
            self._stands[make, sort] = stands
        return stands


def _sort(deal: Deal, cards: tuple[str, ...]) -> Hashable:
    """Describe cards of one rank as far as the clauses that need no proof tell them apart.

    They ask how many there are, whether their rank lies on the table and whether a trump is among
    them; `_beats` asks about cards that beat only.
    """
    bout, trump = deal.bout, deal.trump
    of_bout = bout is not None and cards[0][0] in bout.ranks
    for card in cards:
        if card[1] == trump:
            return len(cards), of_bout, True
    return len(cards), of_bout, False


def _lowest(game: Game, cards: _Cards, refuse: Refuse) -> Iterator[Choice]:
    trumps = tuple(PACK.codes[at] for at in places(PACK.of_suit[game.deal.trump]))
    for seat in range(game.seats):
        if refuse(game, entries.Lowest(seat=seat), NEXT) is None:
            yield Choice("lowest", seat)
        able = tuple(
            card
            for card in trumps
            if cards.held(seat, card)
            and refuse(game, entries.Lowest(seat=seat, card=card), NEXT) is None  # type: ignore[arg-type]
        )
        if able:
            yield Choice("lowest", seat, {"card": able})


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


def _laid(cards: _Cards, seat: int, make: Make) -> tuple[tuple[str, ...], ...]:
    """Return the sets of cards that may be laid; a set stands only where each part of it does."""
    able = {card for card in cards.seen_to_fit(make) if cards.held(seat, card)}
    if not able:
        return ()
    ranks = [[(card,) for card in four if card in able] for four in _FOURS]
    ones: list[list[tuple[str, ...]]] = [
        [one for one in rank if cards.led(one, make)] for rank in ranks
    ]
    found = [one for rank in ones for one in rank]
    for rank in ones:
        stand = set(rank)
        for count in range(2, len(rank) + 1):
            some = combinations([one[0] for one in rank], count)
            larger = [
                one
                for one in some
                if stand.issuperset(combinations(one, count - 1)) and cards.stand(seat, one, make)
            ]
            if not larger:
                break
            stand.update(larger)
            found += larger
    return tuple(found)


def _attacks(deal: Deal, cards: _Cards) -> Iterator[Choice]:
    for seat, count in enumerate(deal.counts):
        if not count:
            continue

        def attack(some: tuple[str, ...], seat: int = seat) -> Entry:
            return entries.Attack(seat=seat, cards=some)  # type: ignore[arg-type]

        if able := _laid(cards, seat, attack):
            yield cards.offered("attack", seat, {"cards": able})


def _beats(deal: Deal, cards: _Cards) -> Iterator[Choice]:
    bout: Bout = deal.bout  # type: ignore[assignment]
    seat, trump = bout.defender, deal.trump
    for card in dict.fromkeys(bout.unbeaten):

        def beat(some: tuple[str, ...], card: str = card) -> Entry:
            return entries.Beat(seat=seat, card=card, with_=some[0])  # type: ignore[arg-type]

        able = tuple(
            code
            for code in PACK.codes
            if beats(code, card, trump)
            and cards.held(seat, code)
            and cards.stand(seat, (code,), beat)
        )
        if able:
            yield cards.offered("beat", seat, {"card": (card,), "with": able})


def _passes_on(deal: Deal, cards: _Cards) -> Iterator[Choice]:
    seat = deal.bout.defender  # type: ignore[union-attr]

    def pass_on(some: tuple[str, ...]) -> Entry:
        return entries.PassOn(seat=seat, cards=some)  # type: ignore[arg-type]

    if able := _laid(cards, seat, pass_on):
        yield cards.offered("pass_on", seat, {"cards": able})


def _takes(game: Game, refuse: Refuse) -> Iterator[Choice]:
    for seat in range(game.seats):
        if refuse(game, entries.Take(seat=seat), NEXT) is None:
            yield Choice("take", seat)


def _dones(game: Game, refuse: Refuse) -> Iterator[Choice]:
    for seat in (None, *range(game.seats)):
        if refuse(game, entries.Done(seat=seat), NEXT) is None:
            yield Choice("done", seat, {"seat": (None,)} if seat is None else {})


def _aways(game: Game, cards: _Cards) -> Iterator[Choice]:
    if not game.options.four_away:
        return
    for seat in range(game.seats):

        def lay_away(some: tuple[str, ...], seat: int = seat) -> Entry:
            return entries.Away(seat=seat, cards=some)  # type: ignore[arg-type]

        able = tuple(
            some
            for some in _FOURS
            if all(cards.held(seat, card) for card in some) and cards.stand(seat, some, lay_away)
        )
        if able:
            yield cards.offered("away", seat, {"cards": able})


def _results(game: Game, deal: Deal | None) -> Iterator[Choice]:
    """List the results that agree with the deal so far (`table.result`)."""
    dealers = _dealers(game) if deal is None else (deal.dealer,)
    for durak, placed in endings(game):
        yield Choice("result", fields={"places": placed, "durak": (durak,), "dealer": dealers})
