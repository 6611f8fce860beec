"""The JSON Schemas of entries in the log and in the feed."""

import msgspec
from litestar import Response, get

from schemas.catalogue import SHAPES
from schemas.published_entries import entry_kinds, entry_schema, game_schema
from service.errors import NotFound
from service.http.documentation.openapi import Documented
from service.http.parameters import EntryType, RulesetId, SchemaVersion

_TYPE = "application/schema+json"
_OPT = {"exclude_from_compression": True, "documented": Documented(file=_TYPE)}


@get("/entries/{ruleset:str}", opt=_OPT)
async def show_game_schema(ruleset: RulesetId) -> Response[bytes]:
    """Return the JSON Schema (2020-12) of a game's entries."""
    if ruleset not in SHAPES:
        raise NotFound("ruleset", None)
    return Response(msgspec.json.encode(game_schema(ruleset)), media_type=_TYPE)


@get("/entries/{ruleset:str}/{entry_type:str}/{schema_version:int}", opt=_OPT)
async def show_entry_schema(
    ruleset: RulesetId, entry_type: EntryType, schema_version: SchemaVersion
) -> Response[bytes]:
    """Return the JSON Schema of `data` in the feed, by game, `type` and `schema_version`."""
    kinds = entry_kinds(ruleset) if ruleset in SHAPES else ()
    if not any(one.name == entry_type and schema_version in one.versions for one in kinds):
        raise NotFound("entry", None)
    schema = entry_schema(ruleset, entry_type, schema_version)
    return Response(msgspec.json.encode(schema), media_type=_TYPE)
