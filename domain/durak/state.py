"""The deal and the bout in progress, and their phases.

They are values that refer to nothing newer, so that the collector of cycles may leave them out.
"""

from enum import Enum

from msgspec import Struct

from domain.durak.seats import Seats
from domain.inference import Knowledge

# Places for knowledge: a seat's hand is the seat's number; every bout has a table of its own, where
# its cards stay when they are beaten off.
STOCK, UNDER, AWAY, LIMBO, TABLES = 10, 11, 12, 13, 20

CARDS_EACH = 6
PACK_SIZE = 36
SEATS_WITHOUT_STOCK = 6


class Phase(Enum):
    """The points of a deal; each has its own entries."""

    LOWEST = "lowest"
    LEAD = "lead"
    BOUT = "bout"
    TAKING = "taking"


class Bout(Struct, frozen=True, gc=False):
    """One attack until it is beaten off or taken.

    `opener` laid its first card. `main` is the main attacker, `playing` the seats that held
    cards when the bout began, `adders` those who may add. `limit` is how many attack cards
    there may be. `pairs`: each attack card and what beat it, as named; `open`: how many are
    unbeaten; `ranks`: those on the table. `word` is the adder it stands with, who may hold no
    card any more (`roles.holder`); `done` are those done since the last attack or beat; `last`
    is the adder who attacked last.
    """

    opener: int
    main: int
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
        """The attack cards nothing lies on."""
        return tuple(card for card, beaten_with in self.pairs if beaten_with is None)

    @property
    def size(self) -> int:
        """How many cards lie on the table."""
        return 2 * len(self.pairs) - self.open


class Deal(Struct, frozen=True, gc=False):
    """One deal.

    `shown` is the trump card, `shown_sure`: it was not marked unsure. `counts` are the
    hand sizes, `holding` the seats that hold cards. `stock` counts the cards nobody has drawn, the
    shown one included. `leader` makes the next attack, None while `lowest` is awaited; `lowest` is
    the entry that showed the lowest trump. `out` are the seats out, first to last; `emptied` those
    whose hand is empty, in that order, who are not out. `beaten_off`: a bout of this deal was.
    `bouts` counts those that are over. `roles`: main attacker and defender of the last one.
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
        """The trump suit."""
        return self.shown[1]

    @property
    def phase(self) -> Phase:
        """What kind of entry is awaited."""
        if self.bout is not None:
            return Phase.TAKING if self.bout.taking else Phase.BOUT
        return Phase.LEAD if self.leader is not None else Phase.LOWEST

    @property
    def table(self) -> int:
        """The place where the cards of this bout lie, or of the next one."""
        return TABLES + self.bouts
