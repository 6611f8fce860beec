"""Types of query parameters shared by several operations, with their descriptions."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from litestar.params import PathParameter
from msgspec import Meta, UnsetType

from service.export.formats.dialects import ForSpreadsheet
from service.export.formats.typesetter import PaperSize

GameId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the game.")]
PlayerId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of a person.")]
EveningId: TypeAlias = Annotated[
    UUID, PathParameter(description="The `id` of the evening, or of any game of it.")
]
Year: TypeAlias = Annotated[int, PathParameter(description="A year, such as 2026.")]
TitleId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the title.")]
SeasonId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the season.")]
LinkId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of a link to the game.")]
WebhookId: TypeAlias = Annotated[UUID, PathParameter(description="The `id` of the webhook.")]
Version: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The version of an entry, from 1 (`started`) to the game's `version`."
    ),
]
RulesetId: TypeAlias = Annotated[
    str, PathParameter(description="The `id` of a ruleset, as in `GET /api/rulesets`.")
]
EntryType: TypeAlias = Annotated[
    str, PathParameter(description="The `type` of an entry in the feed.")
]
SchemaVersion: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The `schema_version` of an entry in the feed: 1, or 2 for entries with"
        " free text."
    ),
]
HeadSize: TypeAlias = Annotated[
    int,
    PathParameter(
        description="The `size` of the later head, at most the number of entries in the feed."
    ),
]
DeliveryPosition: TypeAlias = Annotated[
    int,
    PathParameter(description="The `position` of the call; below 0 for calls without an entry."),
]
Cursor: TypeAlias = Annotated[
    Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{46}$"})] | UnsetType,
    Meta(description="The `next` of the previous page; by default the first page."),
]
LineFormat: TypeAlias = Annotated[
    Literal["json", "ndjson"] | UnsetType,
    Meta(
        description="`json`, or `ndjson` for a line per entry; it overrides `Accept`. By"
        " default as in `Accept`, else JSON."
    ),
]
Spreadsheet: TypeAlias = Annotated[
    ForSpreadsheet | UnsetType,
    Meta(
        description="For CSV: the dialect of a spreadsheet with French (`excel-fr`) or German"
        " (`excel-de`) settings. By default RFC 4180."
    ),
]
Paper: TypeAlias = Annotated[
    PaperSize, Meta(description="For PDF: the paper size, `a4` (the default) or `a5`.")
]
