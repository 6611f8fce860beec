"""The history of games as it leaves Carnet, in pages of the API and as a whole file of JSON."""

from inspect import cleandoc
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field

from schemas.entries import Instant

FORMAT: Literal["carnet-history-1"] = "carnet-history-1"
SCHEMA_NAME = "history-1.json"

Id = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
_JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"


class PastPlayer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who plays; `name` null: forgotten on request."""

    id: Id
    name: str | None


class PastDeal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ended deal. `deal` from 1; `version`: of the entry that ended it; `points` a seat."""

    deal: Annotated[int, Meta(ge=1)]
    version: Annotated[int, Meta(ge=1)]
    points: tuple[int, ...]
    at: Instant


class PastGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A game, over or not. `players`, `totals` and `places` are told seat by seat, seat 0 first.

    A place is 1 + the seats ahead, those level share one; in an open game it is so far. Totals hold
    what was awarded beside the deals, too. `set_aside`, there only where it is true: the game
    counts nowhere, and is told because it was asked for. `place` and `tags`, there only where there
    are some: where it was played, and words to find it by.
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
    places: tuple[Annotated[int, Meta(ge=1)], ...]
    set_aside: bool = False
    place: str = ""
    tags: tuple[str, ...] = ()


class HistoryPage(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A page of the history, newest start first. `next`: the next page's cursor, null on the last.

    `set_aside`: how many games are set aside and would fit otherwise; left out: none.
    A cursor goes on being right while games are started and played.
    """

    games: tuple[PastGame, ...]
    next: str | None
    set_aside: int = 0


class HistoryFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole history. `$schema`: where the JSON Schema of this document is.

    `head`, in files of earlier versions only: a signed head (a C2SP checkpoint note), which
    `carnet verify --head` takes.
    """

    schema: str = field(name="$schema")
    format: Literal["carnet-history-1"]
    head: str = ""
    games: tuple[PastGame, ...]


def json_schema() -> dict[str, Any]:
    """Describe a whole history as JSON Schema (2020-12)."""
    found = msgspec.json.schema(HistoryFile)
    for shape in found["$defs"].values():
        shape["description"] = cleandoc(shape["description"])
    return {"$schema": _JSON_SCHEMA, "title": FORMAT, **found}


def published() -> bytes:
    """Write that schema as it is published."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2) + b"\n"
