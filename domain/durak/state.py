"""The deal and the bout in progress, and their phases."""

from enum import Enum
from functools import cache

from msgspec import Struct

from domain.inference import Knowledge

Seats = int

# Partners sit opposite: even seats and odd seats.
SIDES: tuple[Seats, Seats] = (0b010101, 0b101010)


@cache
def clockwise(seats: Seats, first: int) -> tuple[int, ...]:
    """Return the seats of a set clockwise, beginning with `first` or the next one in the set."""
    members = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
    return tuple(sorted(members, key=lambda seat: (seat < first, seat)))


@cache
def next_seat(seats: Seats, seat: int) -> int | None:
    """Return the next seat of a set to the left of `seat`; None if there is no other."""
    others = clockwise(seats & ~(1 << seat), seat)
    return others[0] if others else None


# Places for knowledge: a seat's hand has the seat's number; every bout has its own table place,
# where its cards stay after they are beaten off.
STOCK, UNDER, AWAY, LIMBO, TABLES = 10, 11, 12, 13, 20

CARDS_EACH = 6
PACK_SIZE = 36
SEATS_WITHOUT_STOCK = 6


class Phase(Enum):
    LOWEST = "lowest"
    LEAD = "lead"
    BOUT = "bout"
    TAKING = "taking"


class Bout(Struct, frozen=True, gc=False):
    """One attack until it is beaten off or taken.

    `opener` played its first card. `playing`: the seats that had cards when the bout began;
    `adders`: the seats that may add. `limit` bounds the attack cards.
    `pairs`: each attack card and the card that beat it, as named; `open`: number unbeaten;
    `ranks`: those on the table. `word` is the adder in turn, possibly with an empty hand
    (`roles.holder`); `done` are those done since the last attack or beat; `last` is the adder
    of the latest attack.
    """

    opener: int
    main_attacker: int
    defender: int
    playing: Seats
    adders: Seats
    limit: int
    word: int
    last: int
    pairs: tuple[tuple[str, str | None], ...] = ()
    open: int = 0
    ranks: str = ""
    done: Seats = 0
    taking: bool = False

    @property
    def unbeaten(self) -> tuple[str, ...]:
        return tuple(card for card, beaten_with in self.pairs if beaten_with is None)

    @property
    def size(self) -> int:
        return 2 * len(self.pairs) - self.open


class Deal(Struct, frozen=True, gc=False):
    """One deal.

    `shown` is the trump card; `shown_sure`: it was not marked unsure. `counts` are the hand
    sizes, `holding` the seats with cards. `stock` is its number of cards, including the trump
    card. `leader` makes the next attack, None while `lowest` is awaited; `lowest` is that entry.
    `out` are the seats out, first to last; `emptied` the empty hands not out yet, in order.
    `beaten_off`: a bout of this deal was beaten off. `bouts` counts finished bouts. `roles`: main
    attacker and defender of the last bout.
    """

    version: int
    dealer: int
    shown: str
    shown_sure: bool
    knowledge: Knowledge | None
    counts: tuple[int, ...]
    holding: Seats
    stock: int
    leader: int | None
    lowest: int | None = None
    out: tuple[int, ...] = ()
    emptied: tuple[int, ...] = ()
    beaten_off: bool = False
    bouts: int = 0
    bout: Bout | None = None
    roles: tuple[int, int] | None = None

    @property
    def trump(self) -> str:
        return self.shown[1]

    @property
    def phase(self) -> Phase:
        if self.bout is not None:
            return Phase.TAKING if self.bout.taking else Phase.BOUT
        return Phase.LEAD if self.leader is not None else Phase.LOWEST

    @property
    def table(self) -> int:
        """The place of the cards of this bout, or of the next one."""
        return TABLES + self.bouts
