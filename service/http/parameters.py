"""Kinds of parameters that calls of the API have in common, each described once."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from litestar.params import PathParameter
from msgspec import Meta, UnsetType

from service.export.formats.dialects import ForSpreadsheet
from service.export.game.paper import PaperSize

GameId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the game.")]
PlayerId: TypeAlias = Annotated[
    UUID, PathParameter(description="The `id` of somebody who plays, as people are listed.")
]
EveningId: TypeAlias = Annotated[
    UUID, PathParameter(description="The `id` of the evening, or of any game of it.")
]
SeasonId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the season.")]
LinkId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of a link to the game.")]
WebhookId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the webhook.")]
Version: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The number of an entry in the game's log, from 1 (`started`) to the"
        " game's `version`."
    ),
]
RulesetId: TypeAlias = Annotated[
    str, PathParameter(description="The `id` of a ruleset, as `GET /api/rulesets` lists them.")
]
EntryType: TypeAlias = Annotated[
    str, PathParameter(description="The `type` of an entry, as the feed tells it.")
]
SchemaVersion: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The `schema_version` of an entry, as the feed tells it: 1, or 2 where a text"
        " stands beside the log."
    ),
]
HeadSize: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The `size` of the later head: how many entries it stands for, at most as many"
        " as the feed has."
    ),
]
DeliveryPosition: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The `position` of the call, as calls are listed; below 0: it tells of no"
        " entry."
    ),
]
Cursor: TypeAlias = Annotated[
    str | UnsetType,
    Meta(description="Where to go on: the `next` of an earlier answer. Left out: at the newest."),
]
LineFormat: TypeAlias = Annotated[
    Literal["json", "ndjson"] | UnsetType,
    Meta(
        description="`json`, or `ndjson` for a line an entry; it wins over `Accept`. Left out: as"
        " `Accept` asks, else JSON."
    ),
]
Spreadsheet: TypeAlias = Annotated[
    ForSpreadsheet | UnsetType,
    Meta(
        description="Of CSV alone: the spreadsheet that is to open it, as set up in France"
        " (`excel-fr`) or Germany (`excel-de`). Left out: CSV by RFC 4180."
    ),
]
Paper: TypeAlias = Annotated[
    PaperSize, Meta(description="Of PDF alone: the size of its paper, `a4` unless given, or `a5`.")
]
