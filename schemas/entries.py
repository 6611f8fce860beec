"""The entries that every game shares, and the three that the service writes itself."""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, Generic, TypeAlias, TypeGuard, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.inspect import Metadata, TupleType, Type, UnionType, type_info
from msgspec.structs import fields

SPLICED_MAX = 100  # moves of one splice

# Reasons that the service writes when one game continues another. They are no free text and
# cannot be erased. CARRIED, of an `adjust`: the player's total in the game before. ARRIVED: the
# points a new player starts with. UNDONE, of a `set_aside`: the game before is continued instead.
CARRIED = "carnet:carried"
ARRIVED = "carnet:arrived"
UNDONE = "carnet:undone"
RESERVED_REASONS = frozenset({CARRIED, ARRIVED, UNDONE})

# A field of this type names a seat of the game (`seats_named`).
Seat = Annotated[int, Meta(extra={"names": "seat"})]
Version = int
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Part = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(max_length=2_000)]
ClauseId = Annotated[str, Meta(max_length=64)]
Instant = Annotated[datetime, Meta(tz=True)]


class Entry(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """Fields that every entry may carry.

    `waive`: clauses that the table let pass; `unsure`: the card may be wrong; `at`: when it
    happened at the table, for entries sent later (RFC 3339).
    """

    waive: tuple[ClauseId, ...] = ()
    unsure: bool = False
    at: Instant | UnsetType = UNSET


class Void(Entry, frozen=True, tag="void"):
    """The deal in progress is annulled without points; the same dealer deals again."""

    reason: Text


class Adjust(Entry, frozen=True, tag="adjust"):
    """The table awards or takes points by agreement."""

    seat: Seat
    points: Points
    reason: Text


class Note(Entry, frozen=True, tag="note"):
    """A remark; changes nothing."""

    text: Text


class Finish(Entry, frozen=True, tag="finish"):
    """The game ends here; a deal in progress is annulled."""

    reason: Text


class SetAside(Entry, frozen=True, tag="set_aside"):
    """The game counts nowhere from now on; only notes and corrections follow."""

    reason: Text


class TakeBack(Entry, frozen=True, tag="take_back"):
    """Every entry after version `to` is taken back; the log keeps them."""

    to: Version


MoveT = TypeVar("MoveT")


class Amend(Entry, Generic[MoveT], frozen=True, tag="amend"):
    """The entry at `version` was recorded wrongly; `move` replaces it.

    `part`: which move of the `splice` at `version`.
    """

    version: Version
    move: MoveT
    part: Part = 0


class Splice(Entry, Generic[MoveT], frozen=True, tag="splice"):
    """Entries were forgotten, doubled or never happened.

    Starting with the entry at `version` (and `part`), `drop` entries are dropped and `moves`
    replace them, judged as one. With `drop` 0 the moves are inserted before that entry.
    """

    version: Version
    drop: Annotated[int, Meta(ge=0)]
    moves: Annotated[tuple[MoveT, ...], Meta(max_length=SPLICED_MAX)]
    part: Part = 0

    def __post_init__(self) -> None:
        if not self.drop and not self.moves:
            raise ValueError("`drop` of 1 or more, or `moves`, or both")


def is_amend(entry: Entry) -> TypeGuard["Amend[Entry]"]:
    """Return whether an entry is an `amend`; narrows the type for any game's moves."""
    return isinstance(entry, Amend)


def is_splice(entry: Entry) -> TypeGuard["Splice[Entry]"]:
    """Return whether an entry is a `splice`; narrows the type for any game's moves."""
    return isinstance(entry, Splice)


def is_start(entry: Entry) -> bool:
    """Return whether an entry gives a player the points with which a game goes on from another.

    >>> is_start(Adjust(seat=0, points=12, reason=CARRIED))
    True
    """
    return isinstance(entry, Adjust) and entry.reason in {CARRIED, ARRIVED}


def moves_in(entry: Entry) -> "tuple[Entry, ...]":
    """Return the moves that a correction inserts, () for any other entry.

    >>> moves_in(Amend(version=2, move=Note(text="tea")))
    (Note(text='tea', waive=(), unsure=False, at=UNSET),)
    >>> moves_in(Note(text="tea"))
    ()
    """
    if is_amend(entry):
        return (entry.move,)
    return entry.moves if is_splice(entry) else ()


@cache
def seats_named(kind: type[Entry]) -> tuple[str, ...]:
    """Return the fields of an entry type that name a seat, or a place at a seat.

    >>> seats_named(Adjust)
    ('seat',)
    """
    return tuple(field.name for field in fields(kind) if _is_seat(type_info(field.type)))


def _is_seat(kind: Type) -> bool:
    if isinstance(kind, UnionType):
        return any(map(_is_seat, kind.types))
    if isinstance(kind, TupleType):
        return _is_seat(kind.item_types[0])
    extra: Any = getattr(kind, "extra", None)
    return isinstance(kind, Metadata) and bool(extra) and extra.get("names") == "seat"


OptionsT = TypeVar("OptionsT")
DetailT = TypeVar("DetailT")


class Started(Entry, Generic[OptionsT], frozen=True, tag="started"):
    """Version 1 of every log.

    Every option is written out, so that a later default changes no record.
    """

    ruleset: str
    rules_version: int
    options: OptionsT
    seats: int


class DealEnded(Entry, Generic[DetailT], frozen=True, tag="deal_ended"):
    """Written right after the entry that completes a deal. `points`: one number per seat."""

    deal: int
    points: tuple[int, ...]
    detail: DetailT


class GameEnded(Entry, frozen=True, tag="game_ended"):
    """Written when a deal or `finish` decides the game. `ranking`: best first, ties together."""

    totals: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]


def is_deal_ended(entry: Entry) -> TypeGuard["DealEnded[Any]"]:
    """Return whether an entry is a `deal_ended`; narrows the type for any game's detail."""
    return isinstance(entry, DealEnded)


DERIVED = frozenset({DealEnded, GameEnded})
CORRECTIONS: frozenset[type[Entry]] = frozenset({TakeBack, Amend, Splice})
# The common entries that a game adds to its own, as in `Move = Played | Moves`.
Moves = Void | Adjust | Note | Finish | SetAside
# What may be submitted to a game, and what its log may contain: `SubmittedOf[Move]`,
# `StoredOf[Move, Options, Detail]`.
SubmittedOf: TypeAlias = MoveT | TakeBack | Amend[MoveT] | Splice[MoveT]
StoredOf: TypeAlias = SubmittedOf[MoveT] | Started[OptionsT] | DealEnded[DetailT] | GameEnded

COMMON_CLAUSES = (
    "table.seat",
    "table.turn",
    "table.phase",
    "table.dealer",
    "table.result",
    "table.version",
    "cards.deck",
    "cards.seen",
    "cards.count",
    "cards.held",
    "cards.impossible",
)


class Record(
    Struct,
    Generic[OptionsT, MoveT],
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    tag_field="ruleset",
):
    """One game as `carnet check` reads it: the hand-written entries after `started`.

    `id` is repeated in the answer. `expect` is the answer that a recorded test expects; it is
    ignored here. The ruleset is the tag; `schemas.catalogue` derives a shape per game with its
    number of seats.
    """

    options: OptionsT
    log: tuple[MoveT, ...]
    id: object = UNSET
    expect: object = UNSET
