"""The deal in progress, its phases, and the places of cards.

Every slot and every position of the discard pile is a place; a card stays there until an entry
moves it.
"""

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from msgspec import Struct

from domain.inference import Knowledge
from domain.table.cards import Cards, Pack, pack_of
from domain.table.refusal import Fact

CARDS_EACH = 4
FIRST_ROW = (1 << CARDS_EACH) - 1
POWERS = "QJ"

PACK: Pack = pack_of("AKQJT98765432")

STOCK, HAND = 0, 1
UNKNOWN_SUIT = "?"  # `7?`: some seven; `??`: any card
OF_RANK: dict[str, Cards] = {
    rank + UNKNOWN_SUIT: PACK.all_copies(code for code in PACK.codes if code[0] == rank)
    for rank in {code[0] for code in PACK.codes}
}


def cards_matching(code: str) -> Cards:
    """Return the cards that a code can mean: itself, or all cards of a bare rank."""
    return OF_RANK[code] if code[1] == UNKNOWN_SUIT else PACK.copies[code]


def with_ranks(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the codes followed by their bare ranks."""
    cards = tuple(codes)
    return (*cards, *dict.fromkeys(code[0] + UNKNOWN_SUIT for code in cards))


_SLOTS, _SEATS_MAX = 2, 8


def slot_place(seat: int, slot: int) -> int:
    """Return the place of a slot, for any slot number."""
    return _SLOTS + slot * _SEATS_MAX + seat


def slot_at(place: int) -> tuple[int, int]:
    slot, seat = divmod(place - _SLOTS, _SEATS_MAX)
    return seat, slot


def pile_place(number: int) -> int:
    return -1 - number


class Phase(Enum):
    TURN = "turn"
    HAND = "hand"
    REVEAL = "reveal"


class CardSource(Enum):
    DRAWN = "drawn"
    TAKEN = "taken"


class Discard(Struct, frozen=True):
    """A card of the discard pile, as named, and the pile below it.

    `number` counts the discards of the deal, `height` the cards of the pile up to this one.
    """

    number: int
    card: str
    under: "Discard | None"
    height: int


class Power(Struct, frozen=True):
    """A discarded queen or jack of `seat` that may still be used."""

    seat: int
    rank: str


class Deal(Struct, frozen=True, gc=False):
    """One deal.

    `turn`: the seat in turn, which may have a card in hand. `rows`: the slots with a card, one bit
    set per seat; `used`: the slots ever used, per seat. `discards` numbers the next discard. `top`
    is None only while the only card of the pile is in hand. `snap_allowed`: a snap is possible.
    `powers` are in the order of discarding. `ended`: the seat whose turn has just ended, since the
    call if there was one. `looked`: the seats that took their first look, a bit set. `turns_begun`:
    a card was drawn or taken, or a call made. `to_come`: the remaining seats of the last round in
    order, None before the call; `last`: the final one of them. `in_last_round`: the turn in
    progress belongs to it. `over`: the turns are over; `rows_final`: no row changes any more.
    `totals`: the values of the revealed rows.
    """

    version: int
    dealer: int
    turn: int
    rows: tuple[Cards, ...]
    used: tuple[int, ...]
    stock: int
    top: Discard | None
    knowledge: Knowledge | None
    totals: tuple[int | None, ...]
    discards: int = 1
    held: CardSource | None = None
    snap_allowed: bool = False
    powers: tuple[Power, ...] = ()
    ended: int | None = None
    looked: int = 0
    turns_begun: bool = False
    caller: int | None = None
    counter: int | None = None
    to_come: tuple[int, ...] | None = None
    last: int = 0
    over: bool = False
    in_last_round: bool = False
    rows_final: bool = False

    @property
    def phase(self) -> Phase:
        if self.over:
            return Phase.REVEAL
        return Phase.TURN if self.held is None else Phase.HAND

    @property
    def moment(self) -> dict[str, Fact]:
        return {"phase": self.phase.value, "turn": self.turn}

    def has_card(self, seat: int, slot: int) -> bool:
        return 0 <= slot < self.used[seat] and bool(self.rows[seat] >> slot & 1)


T = TypeVar("T")


def with_seat(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
