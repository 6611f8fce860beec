"""The deal in progress, its phases, and the places cards can lie.

Every slot is a place of its own, and so is every position of the discard pile: a card keeps its
place until an entry moves it, whether anybody knows it or not.
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
    rank + UNKNOWN_SUIT: PACK.having(code for code in PACK.codes if code[0] == rank)
    for rank in {code[0] for code in PACK.codes}
}


def faces(code: str) -> Cards:
    """Return the cards that a named card can be: itself, or all of a rank named alone."""
    return OF_RANK[code] if code[1] == UNKNOWN_SUIT else PACK.copies[code]


def with_ranks(codes: Iterable[str]) -> tuple[str, ...]:
    """Return codes of cards and after them the ranks they have, named alone."""
    cards = tuple(codes)
    return (*cards, *dict.fromkeys(code[0] + UNKNOWN_SUIT for code in cards))


_SLOTS, _SEATS_MAX = 2, 8


def slot_place(seat: int, slot: int) -> int:
    """Return the place of a slot, for any slot number."""
    return _SLOTS + slot * _SEATS_MAX + seat


def slot_at(place: int) -> tuple[int, int]:
    """Return the seat and the slot of a place that is a slot."""
    slot, seat = divmod(place - _SLOTS, _SEATS_MAX)
    return seat, slot


def pile_place(number: int) -> int:
    """Return the place of the discard with that number; the turned card is number 0."""
    return -1 - number


class Phase(Enum):
    """The points of a deal; each has its own entries."""

    TURN = "turn"
    HAND = "hand"
    REVEAL = "reveal"


class CardSource(Enum):
    """Where the card in hand came from."""

    DRAWN = "drawn"
    TAKEN = "taken"


class Discard(Struct, frozen=True):
    """A card of the discard pile, as it was named, and the pile under it.

    `number` counts the discards of the deal; `height` the cards of the pile down to this one.
    """

    number: int
    card: str
    under: "Discard | None"
    height: int


class Power(Struct, frozen=True):
    """A queen or jack discarded by `seat` that may still be used."""

    seat: int
    rank: str


class Deal(Struct, frozen=True, gc=False):
    """One deal.

    `turn`: the seat whose turn it is, or who holds a card. `rows`: the slots that hold a card, a
    bit set a seat; `used`: the slots ever used, per seat. `discards` numbers the next discard.
    `top` is None only while the one card of the pile is in hand. `window`: a snap has something to
    answer. `powers` are in the order of discarding. `ended`: the seat whose turn has just ended,
    since the call if there was one. `looked`: the seats that took their first look, a bit set.
    `begun`: somebody drew, took or called. `to_come`: who still has a turn of the last round, in
    order; None before the call. `last`: the seat that comes last in it. `counted`: the turn of who
    holds a card is one of them. `over`: the turns are over; `fixed`: no row changes any more.
    `totals`: the value of each row revealed.
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
    window: bool = False
    powers: tuple[Power, ...] = ()
    ended: int | None = None
    looked: int = 0
    begun: bool = False
    caller: int | None = None
    counter: int | None = None
    to_come: tuple[int, ...] | None = None
    last: int = 0
    over: bool = False
    counted: bool = False
    fixed: bool = False

    @property
    def phase(self) -> Phase:
        """The point the deal is at."""
        if self.over:
            return Phase.REVEAL
        return Phase.TURN if self.held is None else Phase.HAND

    @property
    def moment(self) -> dict[str, Fact]:
        """What a refusal tells of the point the deal is at, and who is at turn there."""
        return {"phase": self.phase.value, "turn": self.turn}

    def lies(self, seat: int, slot: int) -> bool:
        """Tell whether a card lies in a slot of an existing seat (`dutch.place`)."""
        return 0 <= slot < self.used[seat] and bool(self.rows[seat] >> slot & 1)


T = TypeVar("T")


def with_seat(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return one value a seat, that of `seat` changed."""
    return (*values[:seat], value, *values[seat + 1 :])
