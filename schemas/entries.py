"""The entries every game shares, and the three the service writes itself.

An entry is command and event at once: what happened at the table is submitted, judged and stored
as it was submitted. Each carries `type`, an explicit word, and may carry `waive`, `unsure` and
`at`. Field meanings: docs/reference/entries.md; clauses: domain/clauses.toml.
"""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, Generic, TypeAlias, TypeGuard, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.inspect import Metadata, TupleType, Type, UnionType, type_info
from msgspec.structs import fields

SPLICED_MAX = 100  # moves of one splice

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
    """What every entry may carry beside its own fields.

    `waive`: clauses the table let pass; `unsure`: the recorder is not certain of the card;
    `at`: when it happened at the table, for entries sent later (RFC 3339).
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
    """Everything after version `to` is taken back; the log keeps it."""

    to: Version


MoveT = TypeVar("MoveT")


class Amend(Entry, Generic[MoveT], frozen=True, tag="amend"):
    """The entry at `version` was mis-recorded; `move` stands in its place.

    `part`: which move of the `splice` at `version`.
    """

    version: Version
    move: MoveT
    part: Part = 0


class Splice(Entry, Generic[MoveT], frozen=True, tag="splice"):
    """Entries were forgotten, doubled or never happened.

    From the entry at `version` (and `part`) on, `drop` entries are dropped, and `moves` stand in
    their place, one after the other, judged as one. `drop` 0: they stand before that entry.
    """

    version: Version
    drop: Annotated[int, Meta(ge=0)]
    moves: Annotated[tuple[MoveT, ...], Meta(max_length=SPLICED_MAX)]
    part: Part = 0

    def __post_init__(self) -> None:
        if not self.drop and not self.moves:
            raise ValueError("`drop` of 1 or more, or `moves`, or both")


def is_amend(entry: Entry) -> TypeGuard["Amend[Entry]"]:
    """Tell whether an entry is an `amend`, whichever game's move it holds."""
    return isinstance(entry, Amend)


def is_splice(entry: Entry) -> TypeGuard["Splice[Entry]"]:
    """Tell whether an entry is a `splice`, whichever game's moves it holds."""
    return isinstance(entry, Splice)


def moves_in(entry: Entry) -> "tuple[Entry, ...]":
    """Return the entries a correction puts in the place of others; none for any other entry."""
    if is_amend(entry):
        return (entry.move,)
    return entry.moves if is_splice(entry) else ()


@cache
def seats_named(kind: type[Entry]) -> tuple[str, ...]:
    """Return the fields of an entry that name one seat, or nobody's, or a place at a seat."""
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
    """Version 1 of every log, every option written out: a later default changes no record."""

    ruleset: str
    rules_version: int
    options: OptionsT
    seats: int


class DealEnded(Entry, Generic[DetailT], frozen=True, tag="deal_ended"):
    """Written right after the entry that completes a deal; `points` holds one number per seat."""

    deal: int
    points: tuple[int, ...]
    detail: DetailT


class GameEnded(Entry, frozen=True, tag="game_ended"):
    """Written when a deal or `finish` decides the game; `ranking` is best first, ties together."""

    totals: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]


def is_deal_ended(entry: Entry) -> TypeGuard["DealEnded[Any]"]:
    """Tell whether an entry is a `deal_ended`, whichever game's detail it holds."""
    return isinstance(entry, DealEnded)


DERIVED = frozenset({DealEnded, GameEnded})
CORRECTIONS: frozenset[type[Entry]] = frozenset({TakeBack, Amend, Splice})
# What a game adds to its own entries: the common ones, as in `Move = Played | Moves`.
Moves = Void | Adjust | Note | Finish | SetAside
# What somebody may send of a game, and what its log may hold: `SubmittedOf[Move]`,
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
    """One game as `carnet check` reads it: the log after `started`, by hand only.

    `id` comes back in the answer. `expect` is what a recorded game in a test expects of the
    answer; nothing here reads it. Its ruleset is the tag, of which `schemas.catalogue` makes a
    shape a game, with its number of seats.
    """

    options: OptionsT
    log: tuple[MoveT, ...]
    id: object = UNSET
    expect: object = UNSET
