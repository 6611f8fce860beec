"""The deal in progress, and its phases."""

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from domain.inference import Knowledge, Place
from domain.rami.combinations import Combination
from domain.table.cards import Pack, pack_of

CARDS_EACH = 13

# Places for knowledge: a seat's hand has the seat's number. A card melded or discarded unsure has
# its own place as long as it can return into play.
STOCK, PILE, TABLE, TOP, COUNTED = 10, 11, 12, 13, 14
_FIRST_SLOT, _SLOTS_AN_ENTRY = 100, 256


def unsure_place(version: int, number: int = 0) -> Place:
    """Return the place of a card that the entry `version` melded or discarded unsure."""
    return _FIRST_SLOT + _SLOTS_AN_ENTRY * version + number


@lru_cache
def pack() -> Pack:
    """Return the two packs of 54: equal cards adjacent, the four jokers last."""
    return pack_of("AKQJT98765432", jokers=4, packs=2)


class Phase(Enum):
    PLAY = "laying"
    COUNTING = "counting"


class DiscardedCard(NamedTuple):
    """A card of the discard pile: the entry that discarded it, and its place in the knowledge."""

    code: str
    place: Place
    version: int


Pile = tuple[DiscardedCard, "Pile"] | None  # the top card first


def pile_cards(pile: Pile) -> Iterator[DiscardedCard]:
    while pile is not None:
        card, pile = pile
        yield card


class Debt(NamedTuple):
    """A card that must be melded before the turn ends, and the clause that demands it."""

    code: str
    clause: str


class LoserHand(NamedTuple):
    """A loser's hand: its points, its cards if named, and the entry that gave it.

    `sure`: not marked unsure.
    """

    points: int
    cards: tuple[str, ...] | None
    version: int
    sure: bool


class Deal(Struct, frozen=True, gc=False):
    """One deal.

    `drawn`: the turn of `to_act` has begun with a card. `owed`: the debts of that seat. `melds` are
    numbered from 1 in entries. `counts`, `opened`, `counted` are per seat; `openings`: the entry by
    which each seat opened. `winner` is None until a player goes out by the entry `out_at`;
    `knowledge` does not change after that.
    """

    version: int
    dealer: int
    to_act: int
    counts: tuple[int, ...]
    stock: int
    pile: Pile
    opened: tuple[bool, ...]
    openings: tuple[tuple[int, int], ...]
    knowledge: Knowledge | None
    drawn: bool = False
    debts: tuple[Debt, ...] = ()
    melds: tuple[Combination, ...] = ()
    winner: int | None = None
    out_at: int = 0
    counted: tuple[LoserHand | None, ...] = ()

    @property
    def phase(self) -> Phase:
        return Phase.PLAY if self.winner is None else Phase.COUNTING

    @property
    def to_count(self) -> tuple[int, ...]:
        """The losers who had opened and are not counted yet."""
        return tuple(
            seat
            for seat, had_opened in enumerate(self.opened)
            if had_opened and seat != self.winner and self.counted[seat] is None
        )
