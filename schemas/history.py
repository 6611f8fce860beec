"""The history of games as exported: in pages of the API and as a whole JSON file."""

from inspect import cleandoc
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field

from schemas.entries import Instant
from schemas.record import Times

FORMAT: Literal["carnet-history-1"] = "carnet-history-1"
SCHEMA_NAME = "history-1.json"

Id = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
_JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"


class PastPlayer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player; `name` is null if it was forgotten on request."""

    id: Id
    name: str | None


class PastDeal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ended deal. `deal` counts from 1; `version` is that of its `deal_ended`.

    `points` per seat; null: did not take part, or was not there yet.
    """

    deal: Annotated[int, Meta(ge=1)]
    version: Annotated[int, Meta(ge=1)]
    points: tuple[int | None, ...]
    at: Instant


class PastGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """An open or finished game. `players`, `totals` and `places` are per seat, seat 0 first.

    A place is 1 + the number of seats ahead; equal seats share one, and a seat that is not ranked
    has null. In an open game it is the place so far. `took_part`: whether the game is over and
    counts for the seat. Totals include points awarded outside deals. `set_aside` is present only if
    true: the game counts nowhere. `title` is its id, or the ruleset, which is its own title, and
    absent in older files; `title_name` is the name of one by id. `place` and `tags` are present
    only if they are set. `times` is present only for a game from elsewhere: its start is known
    (`start`), its day alone (`day`, in UTC), or nothing (`none`).
    """

    id: Id
    ruleset: str
    options: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
    status: Literal["open", "finished"]
    started_at: Instant
    last_at: Instant
    version: Annotated[int, Meta(ge=1)]
    players: tuple[PastPlayer, ...]
    deals: tuple[PastDeal, ...]
    totals: tuple[int, ...]
    places: tuple[Annotated[int, Meta(ge=1)] | None, ...]
    took_part: tuple[bool, ...] = ()
    set_aside: bool = False
    place: str = ""
    tags: tuple[str, ...] = ()
    times: Times = "recorded"
    title: str = ""
    title_name: str | None = None


class HistoryPage(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A page of the history, newest start first.

    `next` is the cursor of the next page, null on the last.

    `set_aside`: how many games are set aside and would match otherwise, omitted if none. A cursor
    stays valid while games are started and played.
    """

    games: tuple[PastGame, ...]
    next: str | None
    set_aside: int = 0


class HistoryFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole history. `$schema` is the address of this document's JSON Schema.

    `head` is the newest signed head at the time of export (a C2SP checkpoint note), omitted if none
    was signed; `carnet verify --head` checks the log against it.
    """

    schema: str = field(name="$schema")
    format: Literal["carnet-history-1"]
    head: str = ""
    games: tuple[PastGame, ...]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a whole history."""
    found = msgspec.json.schema(HistoryFile)
    for shape in found["$defs"].values():
        shape["description"] = cleandoc(shape["description"])
    return {"$schema": _JSON_SCHEMA, "title": FORMAT, **found}


def published_bytes() -> bytes:
    """Encode that schema as it is published."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2) + b"\n"
