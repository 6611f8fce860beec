import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator as Validator
from litestar.routes import HTTPRoute

from schemas.catalogue import SHAPES
from service.http.documentation.errors import OWN
from service.http.documentation.openapi import entry_name
from tests.extensions.witness.test_signed_heads import included
from tests.http.club import MADE_RESULT, Game
from tests.http.typed_client import generate, run_client
from tests.http.unserved import app_without_server
from tests.service_process import KEY, ServiceProcess

ROOT = Path(__file__).parents[2]
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
WRITE = """
import sys
import tomllib
from pathlib import Path
from service.app import build
from service.settings import Settings
sys.stdout.buffer.write(build(Settings(data_dir=Path("/nowhere"))).state["reference"].json)
"""
USE = """
import sys
import tomllib
from uuid import uuid4
from client import AuthenticatedClient
from client.api.games import append_entries, show_game, start_game
from client.api.people import add_player
from client.api.sheets import show_sheet_pdf
from client.models import EntriesBody, EuchreResult, PlayerBody, StartBody
from client.models.euchre_result_type import EuchreResultType

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
players = [add_player.sync(client=client, body=PlayerBody(name=name)).id for name in ("A", "B")]
game = start_game.sync(client=client, body=StartBody(ruleset="euchre", players=players))
result = EuchreResult.from_dict({"type": "result", "maker": 0, "tricks": 3, "dealer": 0})
done = append_entries.sync(
    game.id, client=client, body=EntriesBody(entries=[result]),
    if_match=f'"{game.version}"', idempotency_key=str(uuid4()),
)
assert done.state.totals == [1, 0], done
assert show_game.sync(game.id, client=client).version == done.version
assert show_sheet_pdf.sync(game.id, client=client).payload.read(5) == b"%PDF-"
"""


def make() -> bytes:
    document: bytes = app_without_server().state["reference"].json
    return document


MADE_HERE = make()
DOCUMENT: dict[str, Any] = json.loads(MADE_HERE)


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


BODIES = {
    one["operationId"]: one["requestBody"]["content"]["application/json"]
    for _, _, one in operations()
    if "requestBody" in one
}
PATHS = {one["operationId"]: (method, path) for method, path, one in operations()}


# Without a fixed seed the order of sets differs between processes, as in production.
@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_document_is_the_same_from_every_process_and_its_first_asker(seed: str) -> None:
    written = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WRITE],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
    ).stdout
    assert written == MADE_HERE
    assert DOCUMENT["openapi"].startswith("3.1")
    assert b'"EntriesBody"' in written


def test_the_document_is_whole_at_either_address_whoever_asks_first(
    service_database: str, tmp_path: Path
) -> None:
    with ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=service_database) as fresh:
        first = httpx.get(f"{fresh.url}/schema/openapi.json")
        second = httpx.get(f"{fresh.url}/schema")
    assert first.content == second.content
    assert first.headers["Content-Type"].startswith("application/json")
    assert first.json() == DOCUMENT
    assert len(first.json()["components"]["schemas"]) > 100


def test_a_client_is_generated_without_a_warning_and_records_a_game(
    service: ServiceProcess, tmp_path: Path
) -> None:
    generate(service, tmp_path)
    used = run_client(tmp_path, USE, service.url, KEY)
    assert used.returncode == 0, used.stderr


def test_every_call_that_is_to_be_described_is() -> None:
    wanted = {
        (route.path_format, str(method).lower())
        for route in app_without_server().routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if handler.resolve_include_in_schema()
        for method in handler.http_methods - {"HEAD", "OPTIONS"}
    }
    told = {(path, method) for path, item in DOCUMENT["paths"].items() for method in item}
    assert told == wanted
    assert ("/api/games/{game_id}/description", "put") in told


def test_every_operation_has_a_name_of_its_own_a_tag_and_a_summary() -> None:
    named = [operation["operationId"] for _, _, operation in operations()]
    assert "appendEntries" in named
    assert len(set(named)) == len(named)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", name) for name in named)
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    assert {tag for _, _, operation in operations() for tag in operation["tags"]} == tags
    assert all(operation["summary"] for _, _, operation in operations())


def test_every_parameter_is_described_in_sentences() -> None:
    told = [
        (operation["operationId"], one["name"], one.get("description", ""))
        for _, _, operation in operations()
        for one in operation.get("parameters", ())
    ]
    assert len(told) > 150
    assert [one for one in told if not re.fullmatch(r"[A-Z`].+\.", one[2])] == []


def test_every_shape_has_a_name_that_is_a_class() -> None:
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", name) for name in DOCUMENT["components"]["schemas"])


async def test_what_needs_no_key_is_said_to_need_none(service: ServiceProcess) -> None:
    locked = {path for _, path, one in operations() if one.get("security") != []}
    unlocked = {path for _, path, one in operations() if one.get("security") == []}
    assert unlocked == {
        "/healthz",
        "/readyz",
        "/schema/asyncapi",
        "/schema/entries/{ruleset}",
        "/schema/entries/{ruleset}/{entry_type}/{schema_version}",
        "/schema/history-1.json",
    }
    assert "/metrics" in locked
    async with httpx.AsyncClient(base_url=service.url) as nobody:
        for path in unlocked:
            named = path.format(ruleset="euchre", entry_type="play", schema_version=1)
            assert (await nobody.get(named)).status_code == 200


async def test_what_is_answered_is_of_a_media_type_that_the_document_names(game: Game) -> None:
    await game.record(MADE_RESULT)
    given = {"{game_id}": game.id, "{version}": "1", "{ruleset_id}": "euchre"}
    given["{size}"] = str((await included(game, 1))["head"]["size"])
    given["{year}"] = "2026"
    hook = {"url": "https://table.example/hook", "events": ["game.ended"]}
    given["{webhook_id}"] = (await game.http.post("/api/webhooks", json=hook)).json()["id"]
    given |= {"{ruleset}": "euchre", "{entry_type}": "note", "{schema_version}": "2"}
    people = (await game.http.get("/api/players")).json()["players"]
    given["{player_id}"], given["{evening_id}"] = people[-1]["id"], game.id
    for method, path, operation in operations():
        if method != "get" or [*operation["responses"]["200"]["content"]] == ["text/event-stream"]:
            continue  # a stream ends with the service
        address = re.sub(r"\{\w+\}", lambda found: given[found[0]], path)
        # Other tests may have recorded more games than one document prints.
        dates = {"to": "2000-01-01"} if path == "/api/history.pdf" else {}
        answer = await game.http.get(address, params=dates)
        assert answer.status_code == 200, path
        media_type = answer.headers["Content-Type"].partition(";")[0]
        assert media_type in operation["responses"]["200"]["content"], path


def test_the_text_of_a_record_the_measurements_and_a_stream_have_media_types_of_their_own() -> None:
    content = {
        path: list(operation["responses"]["200"]["content"])
        for method, path, operation in operations()
        if method == "get"
    }
    assert content["/api/games/{game_id}/record.carnet"] == ["text/vnd.carnet"]
    assert content["/api/games/{game_id}/live"] == ["text/event-stream"]
    assert content["/metrics"] == ["text/plain"]


@pytest.mark.parametrize("path", ["sheet.pdf", "sheet.xlsx"])
async def test_a_file_is_mere_bytes_for_whoever_asks_for_those(game: Game, path: str) -> None:
    accept = {"Accept": "application/octet-stream"}
    answer = await game.http.get(f"{game.path}/{path}", headers=accept)
    assert answer.headers["Content-Type"] == "application/octet-stream"


def test_every_entry_has_an_example_and_every_example_fits() -> None:
    shapes = DOCUMENT["components"]["schemas"]
    for game in SHAPES:
        for alternative in shapes[entry_name(game)]["anyOf"]:
            name = alternative["$ref"].rpartition("/")[2]
            (example,) = shapes[name]["examples"]
            fits(alternative, example)


def test_every_body_has_an_example_that_fits() -> None:
    assert "importRecord" in BODIES
    for media in BODIES.values():
        fits(media["schema"], media["example"])


def test_every_answer_in_json_shows_one_that_fits() -> None:
    told = {
        (operation["operationId"], status): answer["content"]["application/json"]
        for _, _, operation in operations()
        for status, answer in operation["responses"].items()
        if "application/json" in answer.get("content", {})
    }
    # These answers are documents, longer than all others together; they have no example.
    documents = {("listRulesets", "200"), ("showRuleset", "200"), ("showAsyncapi", "200")}
    assert {one for one, media in told.items() if "example" not in media} == documents
    for media in told.values():
        if "example" in media:
            fits(media["schema"], media["example"])


def test_a_refusal_is_shown_with_its_clause() -> None:
    told = DOCUMENT["paths"]["/api/games/{game_id}/entries"]["post"]["responses"]["default"]
    (media,) = told["content"].values()
    fits(media["schema"], media["example"])
    assert media["example"]["type"] == "illegal-entry"
    assert media["example"]["rule"]


async def test_examples_of_bodies_are_taken_one_after_another(http: httpx.AsyncClient) -> None:
    shown = {name: media["example"] for name, media in BODIES.items()}
    people = [
        (await http.post("/api/players", json={**shown["addPlayer"], "name": name})).json()
        for name in ("Ike", "Uma")
    ]
    start = {**shown["startGame"], "players": [one["id"] for one in people]}
    game = Game(http, (await http.post("/api/games", json=start)).json())
    for name in ("previewEntry", "previewMoves", "describeGame", "makeLink"):
        method, path = PATHS[name]
        address = path.format(game_id=game.id, version=1)
        answer = await http.request(method, address, json=shown[name])
        assert answer.is_success, answer.text
    answer = await game.send(*shown["appendEntries"]["entries"])
    assert answer.status_code == 201, answer.text


async def test_the_example_of_a_record_of_each_game_can_be_taken_in(
    http: httpx.AsyncClient,
) -> None:
    shapes = DOCUMENT["components"]["schemas"]
    records = [one["$ref"].rpartition("/")[2] for one in shapes["Record"]["anyOf"]]
    assert len(records) == len(SHAPES)
    for name in records:
        (example,) = shapes[name]["examples"]
        seen = (await http.post("/api/imports?preview=true", json=example)).json()
        assert (seen["ok"], len(seen["outcome"]["deals"])) == (True, 1), seen


def fits(schema: dict[str, Any], example: object) -> None:
    whole = {**schema, "components": DOCUMENT["components"]}
    validator: Any = Validator(whole)
    assert [*validator.iter_errors(example)] == []


async def test_browsers_are_shown_a_page_that_tells_every_call_and_loads_nothing_from_elsewhere(
    service: ServiceProcess,
) -> None:
    async with httpx.AsyncClient(base_url=service.url, headers=BROWSER) as browser:
        page = await browser.get("/schema")
        whole = await browser.get("/schema/openapi.json")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "Accept" in page.headers["Vary"]
    assert whole.json() == DOCUMENT
    assert all(f'id="{operation["operationId"]}"' in page.text for _, _, operation in operations())
    assert all(f'id="shape-{name}"' in page.text for name in DOCUMENT["components"]["schemas"])
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", page.text)


@pytest.mark.parametrize(("method", "path", "operation"), [*operations()])
def test_problems_of_an_operation_have_examples_that_fit(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    told = {
        status: answer["content"]["application/problem+json"]["examples"]
        for status, answer in operation["responses"].items()
        if status[0] in "45"
    }
    assert ("401" in told) == (operation.get("security") != []), f"{method} {path}"
    validator: Any = Validator(DOCUMENT["components"]["schemas"]["Problem"])
    for status, examples in told.items():
        for name, example in examples.items():
            document = example["value"]
            assert (document["type"], str(document["status"])) == (name, status)
            assert [*validator.iter_errors(document)] == []


def test_problems_of_single_operations_belong_to_one() -> None:
    assert set(OWN) <= {operation["operationId"] for _, _, operation in operations()}


def test_every_problem_there_is_is_named() -> None:
    told = tomllib.loads((ROOT / "service/http/problems.toml").read_text("utf-8"))
    named = DOCUMENT["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    assert set(named) == set(told)
