"""Describe the table and the entries that may be made now."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from domain.dutch import calls, pile
from domain.dutch.proof import bare_ranks
from domain.dutch.result import may_yet_counter
from domain.dutch.showdown import to_reveal
from domain.dutch.state import (
    CARDS_EACH,
    HAND,
    PACK,
    STOCK,
    UNKNOWN_SUIT,
    CardSource,
    Deal,
    cards_matching,
    pile_place,
    slot_place,
    with_ranks,
)
from domain.inference import Knowledge, Place, PossibleCards
from domain.table.cards import Cards, bit_numbers
from domain.table.rules import (
    HANDS,
    INTEGER,
    LATER,
    Choice,
    FreeField,
    Game,
    Refuse,
    Situation,
    Values,
    card_choice,
)
from schemas import dutch as entries

_CODES_CACHED = 512  # sets of cards


def situation(game: Game) -> Situation:
    """Describe the deal in progress. A card in hand is in no row and not in the stock."""
    deal: Deal = game.deal
    to_act = to_reveal(deal) if deal.over else (deal.turn,)
    counts = tuple(row.bit_count() for row in deal.rows)
    return Situation(deal.phase.value, to_act, counts, deal.stock, _table(deal))


def _table(deal: Deal) -> dict[str, Any]:
    card = _known_cards(deal)
    return {
        "dealer": deal.dealer,
        "top": _top(deal, card),
        "pile": deal.top.height if deal.top else 0,
        "held": deal.held.value if deal.held else None,
        "held_card": card(HAND),
        "rows": [
            [{"slot": slot, "card": card(slot_place(seat, slot))} for slot in slots]
            for seat, slots in enumerate(_slots(deal))
        ],
        "snaps": deal.snap_allowed,
        "powers": [{"seat": power.seat, "rank": power.rank} for power in deal.powers],
        "caller": deal.caller,
        "counter": deal.counter,
        "to_come": list(deal.to_come or ()),
        "revealed": list(deal.totals),
    }


def _slots(deal: Deal) -> list[list[int]]:
    return [
        [slot for slot in range(used) if row >> slot & 1]
        for row, used in zip(deal.rows, deal.used, strict=True)
    ]


def _known_cards(deal: Deal) -> Callable[[Place], str | None]:
    if deal.knowledge is None:
        return lambda _: None
    known_at, ranks = deal.knowledge.known_at, bare_ranks(deal.knowledge)

    def card(place: Place) -> str | None:
        known = known_at(place)
        return PACK.named(known)[0] if known else ranks.get(place)

    return card


def _top(deal: Deal, card: Callable[[Place], str | None]) -> str | None:
    if deal.top is None or deal.top.card[1] != UNKNOWN_SUIT:
        return deal.top.card if deal.top else None
    return card(pile_place(deal.top.number)) or deal.top.card


def choices(game: Game, refuse: Refuse) -> tuple[Choice, ...]:
    deal: Deal | None = game.deal
    if deal is None:
        return (_deals(game), *_results(game, None))
    faces = _CardChoices(deal.knowledge)
    if deal.over:
        acts = (*_reveals(deal), *_reveals_by_points(deal))
    elif deal.held is None:
        acts = tuple(_beginnings(game, deal, faces, refuse))
    else:
        acts = tuple(_endings(deal, faces))
    return (
        *acts,
        *_looks(game, deal),
        *_snaps(deal, faces),
        *_powers(deal, faces),
        *_calls(game, deal),
        *_results(game, deal),
    )


class _CardChoices:
    def __init__(self, known: Knowledge | None) -> None:
        self._asked = None if known is None else PossibleCards(known)
        self._found: dict[Place, Values] = {}

    def at(self, place: Place) -> Values:
        if self._asked is None:
            return _codes_with_ranks(PACK.everything)
        if place not in self._found:
            self._found[place] = _codes_with_ranks(
                self._asked.cards_that_can_leave(place, PACK.everything)
            )
        return self._found[place]

    def offered(self, kind: str, seat: int, at: Place, /, **fields: Values) -> Choice:
        cards = {**fields, "card": self.at(at)}
        asked = self._asked
        unproved = (
            partial(_unproved, asked, at) if asked is not None and asked.has_unproved else None
        )
        return card_choice(kind, seat, cards, unproved)


@lru_cache(maxsize=_CODES_CACHED)
def _codes_with_ranks(cards: Cards) -> Values:
    return with_ranks(PACK.named(cards))


def _unproved(search: PossibleCards, place: Place, card: str) -> bool:
    possible_cards = [
        1 << bit for bit in bit_numbers(cards_matching(card)) if search.can_leave(place, 1 << bit)
    ]
    return all(search.is_unproved(place, copies) for copies in possible_cards)


def _deals(game: Game) -> Choice:
    up = with_ranks(PACK.codes)
    return Choice("deal", fields={"dealer": _dealers(game), "up": up, "hands": HANDS})


def _dealers(game: Game) -> Values:
    return tuple(range(game.seats)) if game.dealer is None else (game.dealer,)


def _results(game: Game, deal: Deal | None) -> Iterator[Choice]:
    everybody = range(game.seats)
    dealers = _dealers(game) if deal is None else (deal.dealer,)
    totals: FreeField = {"shape": "integers", "count": game.seats}
    callers: list[int | None] = [None, *everybody]
    if deal is not None and (deal.caller is not None or deal.over):
        callers = [deal.caller]
    for caller in callers:
        counters = _counters(game, deal, caller)
        fields = {"caller": (caller,), "counter": counters, "dealer": dealers}
        yield Choice("result", fields={**fields, "totals": totals})


def _counters(game: Game, deal: Deal | None, caller: int | None) -> tuple[int | None, ...]:
    """Return the seats that can have countered, None for nobody."""
    if deal is not None and deal.counter is not None:
        return (deal.counter,)
    if caller is None:
        return (None,)
    others = [seat for seat in range(game.seats) if seat != caller]
    if deal is not None and deal.caller is not None:
        others = [seat for seat in others if may_yet_counter(deal, seat)]
    return (None, *others)


def _beginnings(game: Game, deal: Deal, faces: _CardChoices, refuse: Refuse) -> Iterator[Choice]:
    seat = deal.turn
    # A card that is not named fits all knowledge.
    seen = replace(game, deal=replace(deal, knowledge=None))
    if refuse(seen, entries.Draw(seat=seat), LATER) is None:
        yield Choice("draw", seat)
        yield _drawable(deal, faces)
    yield Choice("take", seat)


def _drawable(deal: Deal, faces: _CardChoices) -> Choice:
    known = deal.knowledge
    if known is not None:
        renewed = known.learn_all(pile.take_from_stock(deal, LATER).evidence)
        if renewed is not known or known.forked:  # unproved because of its own limit of effort
            faces = _CardChoices(renewed)
    return faces.offered("draw", deal.turn, STOCK)


def _endings(deal: Deal, faces: _CardChoices) -> Iterator[Choice]:
    seat = deal.turn
    for slot in _slots(deal)[seat]:
        yield faces.offered("swap", seat, slot_place(seat, slot), slot=(slot,))
    if deal.held is CardSource.DRAWN:
        yield faces.offered("drop", seat, HAND)


def _looks(game: Game, deal: Deal) -> Iterator[Choice]:
    if deal.turns_begun:
        return
    for seat in range(game.seats):
        first = [slot for slot in _slots(deal)[seat] if slot < CARDS_EACH]
        pairs = tuple(permutations(first, 2))
        if pairs and not deal.looked >> seat & 1:
            cards: FreeField = {"shape": "cards", "count": 2, "optional": True}
            yield Choice("look", seat, {"slots": pairs, "cards": cards})


def _snaps(deal: Deal, faces: _CardChoices) -> Iterator[Choice]:
    if not deal.snap_allowed:
        return
    for seat, slots in enumerate(_slots(deal)):
        for slot in slots:
            yield faces.offered("snap", seat, slot_place(seat, slot), slot=(slot,))


def _powers(deal: Deal, faces: _CardChoices) -> Iterator[Choice]:
    places = tuple((seat, slot) for seat, slots in enumerate(_slots(deal)) for slot in slots)
    for power in dict.fromkeys(deal.powers):
        if power.rank == "Q" and places:
            yield Choice("peek", power.seat, {"place": places})
            for seat, slot in places:
                at = slot_place(seat, slot)
                yield faces.offered("peek", power.seat, at, place=((seat, slot),))
        if power.rank == "J":
            for known_place in places:
                others = tuple(place for place in places if place != known_place)
                if others:
                    yield Choice("trade", power.seat, {"a": (known_place,), "b": others})


def _calls(game: Game, deal: Deal) -> Iterator[Choice]:
    for seat in range(game.seats):
        if not deal.rows_final and deal.rows[seat]:
            yield Choice("penalty", seat)
        if deal.caller is None:
            if calls.may_call_now(game, deal, seat):
                yield Choice("dutch", seat)
        elif deal.counter is None and seat != deal.caller and calls.may_counter_now(deal, seat):
            yield Choice("counter", seat)


def _reveals(deal: Deal) -> Iterator[Choice]:
    for seat in to_reveal(deal):
        count = deal.rows[seat].bit_count()
        yield Choice("reveal", seat, {"cards": {"shape": "cards", "count": count}})


def _reveals_by_points(deal: Deal) -> Iterator[Choice]:
    for seat in to_reveal(deal):
        yield Choice("reveal", seat, {"points": INTEGER})
