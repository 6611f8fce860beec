"""Shapes of Dutch: options, entries, the detail of an ended deal."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from schemas.cards import UNSEEN, RankAlone, SuitedCard, Unseen
from schemas.entries import (
    COMMON_CLAUSES,
    Entry,
    Moves,
    Points,
    Seat,
    StoredOf,
    SubmittedOf,
)

NAME = "dutch"
RULES_VERSION = 2
RULES_VERSIONS = (1, 2)
SEATS = range(2, 9)
# Example values for the API document, by field or entry type.
EXAMPLES: dict[str, Any] = {
    "up": "QC",
    "reveal": {"points": 17},
    "result": {"caller": 0, "counter": None, "totals": [4, 17]},
}
BOTH_RED_KINGS_FROM = 5

Slot = int
Place = tuple[Seat, Slot]
Named = SuitedCard | RankAlone
Row = tuple[Named | Unseen, ...]
KING: RankAlone = "K?"  # its value depends on its suit

_COMPLETED: Any = UNSET  # `complete_options` writes it out; left out in a record of version 1


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's choices; each default is the source's, or ours where the source is silent.

    With `target` and `deals` both null only `finish` ends the game. `call` is completed by
    `complete_options`: version 1 of the rules had no such option, and its records have none.
    """

    target: Annotated[int, Meta(ge=1, le=1_000_000)] | None = 100
    deals: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    red_kings: Literal["hearts", "both"] = "hearts"
    penalty: Annotated[int, Meta(ge=1, le=4)] = 1
    call: Literal["turn", "any"] = _COMPLETED
    tie: Literal["caller", "others"] = "caller"


def complete_options(options: Options, seats: int, rules_version: int = RULES_VERSION) -> Options:
    """Return the options completed for a number of seats.

    Raises:
        ValueError: both red kings are worth 0 with four players or fewer.
    """
    if rules_version == RULES_VERSION:
        options = current_options(options)
    if options.red_kings == "both" and seats < BOTH_RED_KINGS_FROM:
        raise ValueError("`red_kings` hearts: both are worth 0 with more than four players only")
    return options


def current_options(options: Options) -> Options:
    """Return options of any version as the current version would write them."""
    return replace(options, call="turn") if _is_omitted(options.call) else options


def _is_omitted(value: object) -> bool:
    return value is UNSET


class Deal(Entry, frozen=True, tag="deal"):
    """Four cards each, face down in a row, and one turned up. `hands` are in slot order."""

    dealer: Seat
    up: Named
    hands: tuple[Row | None, ...] | UnsetType = UNSET


class Look(Entry, frozen=True, tag="look"):
    """A player looks at two own cards before the first turn."""

    seat: Seat
    slots: tuple[Slot, ...]
    cards: Row | UnsetType = UNSET


class Draw(Entry, frozen=True, tag="draw"):
    """A card is drawn from the stock; only the player sees it."""

    seat: Seat
    card: Named | UnsetType = UNSET


class Take(Entry, frozen=True, tag="take"):
    """The top of the discard pile is taken."""

    seat: Seat


class Swap(Entry, frozen=True, tag="swap"):
    """The card in hand goes to `slot`; `card` lay there and is now on the discard pile."""

    seat: Seat
    slot: Slot
    card: Named


class Drop(Entry, frozen=True, tag="drop"):
    """The card drawn from the stock is discarded unused."""

    seat: Seat
    card: Named


class Snap(Entry, frozen=True, tag="snap"):
    """A player throws an own card on the discard pile; `card` is the card that it was."""

    seat: Seat
    slot: Slot
    card: Named


class Peek(Entry, frozen=True, tag="peek"):
    """The queen's power: a look at one card of anyone's."""

    seat: Seat
    place: Place
    card: Named | UnsetType = UNSET


class Trade(Entry, frozen=True, tag="trade"):
    """The jack's power: two cards change places."""

    seat: Seat
    a: Place
    b: Place


class Penalty(Entry, frozen=True, tag="penalty"):
    """A forbidden look, noticed by the table."""

    seat: Seat


class Dutch(Entry, frozen=True, tag="dutch"):
    """A player says "Dutch"."""

    seat: Seat


class Counter(Entry, frozen=True, tag="counter"):
    """A player says "Contre Dutch"."""

    seat: Seat


class Reveal(Entry, frozen=True, tag="reveal"):
    """A row is turned up: its `cards` in slot order, or the `points` of the whole row.

    Both are given only if some card of `cards` does not determine its points: an unseen one or a
    king.
    """

    seat: Seat
    cards: Row | UnsetType = UNSET
    points: Points | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.cards is UNSET:
            if self.points is UNSET:
                raise ValueError("`cards` in slot order, or `points` of the whole row")
            return
        if UNSEEN in self.cards or KING in self.cards:
            if self.points is UNSET:
                open_ = "an unseen one (??)" if UNSEEN in self.cards else "some king (K?)"
                raise ValueError(f"`points` of the whole row, because `cards` holds {open_}")
        elif self.points is not UNSET:
            raise ValueError("no `points`: the cards tell them")


class Result(Entry, frozen=True, tag="result"):
    """The deal in short, `totals` before doubling. `caller` null: a player had no cards left."""

    caller: Seat | None
    counter: Seat | None
    totals: tuple[Points, ...]
    dealer: Seat | UnsetType = UNSET


class Detail(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`deal_ended.detail`: `totals` are the rows' values before doubling."""

    caller: Seat | None
    counter: Seat | None
    totals: tuple[int, ...]


Turned = Draw | Take | Swap | Drop | Snap | Peek | Trade | Penalty | Dutch | Counter
Played = Deal | Look | Turned | Reveal | Result
Move = Played | Moves
Submitted = SubmittedOf[Move]
Stored = StoredOf[Move, Options, Detail]


CLAUSES = (
    *COMMON_CLAUSES,
    "dutch.deal",
    "dutch.place",
    "dutch.first-look",
    "dutch.turn",
    "dutch.take-swap",
    "dutch.snap-window",
    "dutch.snap-match",
    "dutch.look-penalty",
    "dutch.powers",
    "dutch.queen",
    "dutch.jack",
    "dutch.call",
    "dutch.last-round",
    "dutch.counter",
    "dutch.empty",
    "dutch.stock-empty",
    "dutch.values",
    "dutch.score-caller",
    "dutch.score-counter",
    "dutch.score-empty",
    "dutch.win",
)
