"""What a game answers, and the state every game shares.

A game judges each of its own entries with one function (`judges`), and says what can be entered now
(`choices`), what the table looks like (`situation`) and who is ahead (`ranking`). What every game
shares (the common entries, the end of deals and games) is `domain.table.judgement`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

from msgspec import UNSET, Struct, UnsetType, field

from domain.table.refusal import Fact, Refusal
from schemas.catalogue import FREE_SHAPES
from schemas.entries import Entry

Ranking = tuple[tuple[int, ...], ...]
Values = tuple[Any, ...]


class Status(Enum):
    """Whether entries are awaited; `DECIDED` lasts only until `game_ended` is written."""

    OPEN = "open"
    DECIDED = "decided"
    OVER = "over"


class Outcome(Struct, frozen=True):
    """How a deal ended: points per seat, its game's detail, who deals next (None: free)."""

    points: tuple[int, ...]
    detail: Struct
    dealer_next: int | None


# What a free field of a choice can be: words; a number; a number a seat; cards; the cards of each
# seat, null where they are not told; or what games declare (`FREE_SHAPES` in `schemas/<game>.py`).
if TYPE_CHECKING:
    Shape = str
else:  # the API's document lists them
    Shape = Literal["text", "integer", "integers", "cards", "hands", *FREE_SHAPES]


class Free(TypedDict):
    """A field whose values are not listed: its shape, how many of it, if it may be left out.

    `ranges`, where there are any: it lies in one of these, each from its first number to its last.
    """

    shape: Shape
    count: NotRequired[int]
    optional: NotRequired[bool]
    ranges: NotRequired[tuple[tuple[int, int], ...]]


TEXT: Free = {"shape": "text"}
INTEGER: Free = {"shape": "integer"}
CARDS: Free = {"shape": "cards"}
HANDS: Free = {"shape": "hands", "optional": True}


FACES = ("cards", "with", "card")  # the fields that name cards out of a hand, the first there is


class Choice(Struct, frozen=True, gc=False):
    """One kind of entry that may be entered now.

    `fields` gives, per field of the entry, the admissible values, or what a free one can be. Any
    combination of the values of one choice is accepted. `unproved`, there only where there are any:
    values of the cards' field that are offered because it was not found out in time whether any
    deal of the unseen cards allows them; an entry of one may still be refused.
    """

    type: str
    seat: int | None = None
    fields: Mapping[str, Values | Free] = field(default_factory=dict[str, Values | Free])
    unproved: Values | UnsetType = UNSET


def offered(
    kind: str, seat: int, fields: Mapping[str, Values], unproved: Callable[[Any], bool] | None
) -> Choice:
    """Offer cards, and tell of which it is `unproved` that they can be there; None: of none."""
    if unproved is None:
        return Choice(kind, seat, fields)
    name = next(one for one in FACES if one in fields)
    doubts = tuple(filter(unproved, fields[name]))
    return Choice(kind, seat, fields, doubts or UNSET)


class Situation(Struct, frozen=True):
    """What anybody at the table can see; `table` is the game's own picture of it."""

    phase: str
    to_act: tuple[int, ...]
    hand_counts: tuple[int, ...]
    stock: int
    table: Mapping[str, Any] = field(default_factory=dict[str, Any])


def is_exact(game: "Game") -> bool:
    """Tell whether it is known exactly what the unseen cards allow.

    Else cards moved in too many ways to follow them all: what might be is then accepted.
    """
    known = getattr(game.deal, "knowledge", None)
    return known is None or not known.relaxed


class Rules(Struct, frozen=True, eq=False, kw_only=True):
    """What a game must answer, as functions; all of them pure.

    `judges`: what judges each of its own entries. `pack_size` counts the cards of the pack;
    `choices` lists the game's own entries that may be entered now, asking why others are refused;
    `situation` describes the deal in progress; `decided` tells whether the deal that has just ended
    decides the game; `ranking` ranks the seats by their totals, best first, ties together. `moment`
    says when in a deal it is, in the words of a refusal: which trick, which bout.
    """

    name: str
    rules_version: int
    judges: Mapping[type[Entry], "Judge"]
    pack_size: Callable[["Game"], int]
    choices: Callable[["Game", "Refuse"], tuple[Choice, ...]]
    situation: Callable[["Game"], Situation]
    decided: Callable[["Game"], bool]
    ranking: Callable[["Game"], Ranking]
    moment: Callable[["Game"], Mapping[str, Fact]] = lambda _game: {}


class Game(Struct, frozen=True, gc=False):
    """A game at one moment. `deal` is the game's own state of the deal in progress.

    `deals` holds the points per seat of every ended deal, `details` what its game stored of each;
    `totals` counts adjustments too. `dealer` is who deals next, None while that is free. `exact`:
    knowledge of unseen cards is kept; without it the visible rules alone are judged. `set_aside`:
    the game counts nowhere, and only notes are awaited; all else is as it was. A history keeps a
    game for every entry; as values they refer to nothing that refers to them, so that the collector
    of cycles need not look at them (`gc`).
    """

    rules: Rules
    options: Any
    seats: int
    exact: bool
    totals: tuple[int, ...]
    deals: tuple[tuple[int, ...], ...] = ()
    details: tuple[Any, ...] = ()
    dealer: int | None = None
    deal: Any = None
    outcome: Outcome | None = None
    status: Status = Status.OPEN
    set_aside: bool = False


# Takes the game, an entry of one type and its version; returns the game after it, with `outcome`
# set when the deal is complete, or why the entry cannot stand.
Judge = Callable[[Game, Any, int], Game | Refusal]
# Says why an entry cannot stand, or None: what `choices` asks.
Refuse = Callable[[Game, Entry, int], Refusal | None]
NEXT = 2**31 - 1  # any version later than all: choices are asked about, never stored


def ranked(totals: tuple[int, ...], *, highest_first: bool) -> Ranking:
    """Group the seats by equal totals, best first."""
    order = sorted(set(totals), reverse=highest_first)
    return tuple(
        tuple(seat for seat, total in enumerate(totals) if total == best) for best in order
    )
