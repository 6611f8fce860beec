import json
from functools import cache
from typing import Any, cast

import httpx
import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from referencing import Registry, Resource

from deploy.development.page_tools import TOOLS, prepare_page_tools
from schemas.catalogue import SHAPES
from schemas.published_entries import (
    EntryKind,
    entry_kinds,
    entry_schema,
    game_schema,
    published_files,
)
from service.app import CHANNELS
from service.http.feed import asyncapi
from tests.documents import reference
from tests.documents.event_catalogue import (
    ASYNCAPI,
    CATALOGUE,
    PUBLISHED,
    catalogue,
    example,
    examples,
)
from tests.service_process import ServiceProcess

Json = dict[str, Any]
KINDS = [(game, kind) for game in SHAPES for kind in entry_kinds(game)]
recorded = cache(examples)


def test_the_catalogue_is_what_the_shapes_say() -> None:
    assert CATALOGUE.read_text("utf-8") == catalogue()


@pytest.mark.parametrize("page", ["command-line.md", "api.md"])
def test_a_generated_page_of_the_reference_is_current(page: str) -> None:
    written = {"command-line.md": reference.command_line, "api.md": reference.api}[page]()
    assert (reference.REFERENCE / page).read_text("utf-8") == written


def test_the_published_schemas_are_those_of_the_shapes() -> None:
    files = {path.name: path.read_bytes() for path in PUBLISHED.iterdir()}
    assert files == published_files()


def test_a_published_reference_leads_to_the_schema_of_the_entry() -> None:
    files = {name: json.loads(content) for name, content in published_files().items()}
    registry: Any = Registry().with_resources(
        (name, Resource.from_contents(content)) for name, content in files.items()
    )
    for game, kind in KINDS:
        for version in kind.versions:
            shown = example(recorded(game)[kind.name], version)
            target = files[f"{game}.json"]["entries"][kind.name][str(version)]["$ref"]
            address = target if target.startswith("common.json") else f"{game}.json{target}"
            validator: Any = Draft202012Validator({"$ref": address}, registry=registry)
            assert validator.is_valid(shown), (game, kind.name, version)
            assert not validator.is_valid({**shown, "more": 1})


def test_the_asyncapi_document_is_what_is_sent() -> None:
    assert ASYNCAPI.read_bytes() == asyncapi.published_bytes(CHANNELS)


def test_asyncapi__the_document_fits_the_schema_its_makers_publish() -> None:
    prepare_page_tools()
    schemas = TOOLS / "node_modules" / "@asyncapi" / "specs" / "schemas"
    validator: Any = Draft7Validator(json.loads((schemas / "3.0.0.json").read_text("utf-8")))
    document = json.loads(ASYNCAPI.read_text("utf-8"))
    assert [error.message for error in validator.iter_errors(document)] == []
    document["channels"]["feed"]["messages"]["entryFed"] = {"payload": 1}
    assert [*validator.iter_errors(document)] != []


def test_asyncapi__every_reference_leads_somewhere() -> None:
    document = asyncapi.asyncapi(CHANNELS)
    for target in targets(document):
        found: Any = document
        for part in target.removeprefix("#/").split("/"):
            found = found[part]


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_an_example_of_each_version_fits_its_schema_and_no_other_s(
    game: str, kind: EntryKind
) -> None:
    for version in kind.versions:
        shown = example(recorded(game)[kind.name], version)
        assert fits(entry_schema(game, kind.name, version), shown)
        assert fits(game_schema(game), shown) is (version == 1)
        assert not fits(entry_schema(game, kind.name, version), {**shown, "more": 1})
        others = [one for one in kind.versions if one != version]
        assert not any(fits(entry_schema(game, kind.name, one), shown) for one in others)


async def test_the_schemas_are_at_their_addresses_and_nothing_is_where_none_is(
    service: ServiceProcess,
) -> None:
    async with httpx.AsyncClient(base_url=service.url) as nobody:
        for game in SHAPES:
            assert (await nobody.get(f"/schema/entries/{game}")).json() == game_schema(game)
        note = await nobody.get("/schema/entries/euchre/note/2")
        assert note.json() == entry_schema("euchre", "note", 2)
        assert note.headers["Content-Type"].startswith("application/schema+json")
        for path in ("chess", "chess/play/1", "euchre/meld/1", "euchre/play/2", "euchre/note/3"):
            assert (await nobody.get(f"/schema/entries/{path}")).status_code == 404, path
        sent = await nobody.get("/schema/asyncapi")
        assert sent.content == asyncapi.published_bytes(CHANNELS)


def fits(schema: Json, shown: object) -> bool:
    validator: Any = Draft202012Validator(schema)
    return bool(validator.is_valid(shown))


def targets(part: object) -> list[str]:
    if isinstance(part, list):
        return [target for one in cast("list[object]", part) for target in targets(one)]
    if not isinstance(part, dict):
        return []
    held = cast("Json", part)
    own = [str(held["$ref"])] if "$ref" in held else []
    return own + [target for one in held.values() for target in targets(one)]
