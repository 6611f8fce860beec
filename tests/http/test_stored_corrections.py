"""Recorded splices and games set aside are stored by a service: all readers of the log agree.

A service gets every record of `tests/games/*/splices.jsonl`, entry by entry; commands, past
versions, sheets, record and stream are compared with the answers of `domain`.
"""

import csv
import json
from collections.abc import AsyncGenerator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import httpx
import pytest
from msgspec import Struct

from service.store.connection.pool import open_pool
from service.store.server.migrate import migrate
from tests.answers import Answer, answer
from tests.http.club import Game, Json, add_player, client_with_key
from tests.http.follower import Follower
from tests.postgres import Cluster
from tests.service.export.pages import pages
from tests.service.stored_club import Club
from tests.service_process import KEY, ServiceProcess

RECORDS: list[Answer] = [
    json.loads(line)
    for path in sorted((Path(__file__).parents[1] / "games").glob("*/splices.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
IDS = [record["id"] for record in RECORDS]
TEXT = "text/vnd.carnet"
SHOWN = ("totals", "to_act", "hand_counts", "stock")


class Recorded(Struct):
    """A stored record. `reached`: the version after each effective entry.

    `refusal`: the answer to the entry that the record expects to be refused.
    """

    record: Answer
    game: Game
    reached: list[int]
    refusal: httpx.Response | None = None

    def log(self, entries: int) -> Answer:
        return {**self.record, "log": self.record["log"][:entries]}


class Evening(Struct):
    club: Club
    http: httpx.AsyncClient
    games: dict[str, Recorded]


async def begin(http: httpx.AsyncClient, record: Answer) -> Game:
    people = [await add_player(http, f"{name} {uuid4()}") for name in "ABCDE"[: record["seats"]]]
    body = {"ruleset": record["ruleset"], "options": record["options"], "players": people}
    started = await http.post("/api/games", json=body)
    assert started.status_code == 201, started.text
    return Game(http, started.json())


async def store(http: httpx.AsyncClient, record: Answer) -> Recorded:
    game = await begin(http, record)
    kept = Recorded(record, game, [])
    for entry in record["log"]:
        sent = await game.send(entry)
        if sent.status_code != 201:
            kept.refusal = sent
            break
        game.version = sent.json()["version"]
        kept.reached.append(game.version)
    return kept


@pytest.fixture(scope="module")
async def evening(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Evening]:
    log = tmp_path_factory.mktemp("corrections") / "log"
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(log, CARNET_DATABASE_URL=url) as service,
    ):
        migrated = await migrate(url)
        async with (
            open_pool(url, migrated.role, size_min=1) as pool,
            client_with_key(service.url, KEY) as http,
        ):
            games = {record["id"]: await store(http, record) for record in RECORDS}
            yield Evening(Club(url, pool), http, games)


@pytest.mark.parametrize("name", IDS)
async def test_a_record_stored_stands_or_stops_as_it_says(evening: Evening, name: str) -> None:
    kept = evening.games[name]
    expected = kept.record["expect"]
    if expected["ok"]:
        assert kept.refusal is None
        assert show(await kept.game.view()) == describe(answer(kept.record))
        return
    assert kept.refusal is not None
    problem = kept.refusal.json()
    assert (len(kept.reached), kept.refusal.status_code) == (expected["at"], 422)
    assert problem["rule"] in expected["rules"]
    if "contradicts" in expected:
        assert problem["contradicts"] == (1, *kept.reached)[expected["contradicts"]] + 1


@pytest.mark.parametrize("name", IDS)
async def test_the_past_of_a_record_is_as_it_was_at_every_version(
    evening: Evening, name: str
) -> None:
    kept = evening.games[name]
    seen: dict[int, Json] = {
        version: await kept.game.get(f"/at/{version}")
        for version in range(1, kept.game.version + 1)
    }
    assert [view["version"] for view in seen.values()] == [*seen]
    for count, version in enumerate((1, *kept.reached)):
        assert show(seen[version]) == describe(answer(kept.log(count))), version
    assert seen[kept.game.version]["table"] == (await kept.game.view())["table"]


def show(view: Json) -> Json:
    return {"finished": view["status"] == "finished"} | {key: view[key] for key in SHOWN}


def describe(answered: Answer) -> Json:
    return {key: answered[key] for key in ("finished", *SHOWN)}


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("form", ["carnet", "json"])
async def test_a_record_is_the_same_there_and_back(evening: Evening, name: str, form: str) -> None:
    game, http = evening.games[name].game, evening.http
    given = await http.get(f"{game.path}/record.{form}")
    kind = {"Content-Type": given.headers["Content-Type"]}
    taken = await http.post("/api/imports?again=true", content=given.content, headers=kind)
    assert taken.status_code == 201, taken.text
    again = await http.get(f"/api/games/{taken.json()['id']}/record.{form}")
    assert again.content == given.content
    back = Game(http, taken.json())
    assert await moves(back) == await moves(game)
    assert show(await back.view()) == show(await game.view())


async def moves(game: Game) -> list[Any]:
    standing = (await game.get("/entries", effective="true"))["entries"]
    return [(one["version"], one.get("part", 0), {**one["entry"], "at": None}) for one in standing]


@pytest.mark.parametrize("name", IDS)
async def test_a_sheet_is_the_same_in_every_form(evening: Evening, name: str) -> None:
    kept = evening.games[name]
    game = kept.game
    rows = (await game.get("/sheet"))["sheet"]["rows"]
    files = {
        form: await evening.http.get(f"{game.path}/sheet.{form}") for form in ("csv", "xlsx", "pdf")
    }
    assert {form: one.status_code for form, one in files.items()} == dict.fromkeys(files, 200)
    lines = list(csv.reader(StringIO(files["csv"].text, newline="")))
    sums = kept.record["seats"] + 2 if kept.record["ruleset"] == "durak" else 0
    assert len(lines) == 1 + len(rows) + sums
    assert {len(line) for line in lines} == {len(lines[0])}
    with ZipFile(BytesIO(files["xlsx"].content)) as book:
        deals = book.read("xl/worksheets/sheet1.xml").decode()
        log = book.read("xl/worksheets/sheet3.xml").decode()
    assert deals.count("<row ") >= 1 + len(rows)
    assert log.count("<row ") == 1 + game.version
    paper = " ".join(page.text for page in pages(files["pdf"].content))
    for row in rows:
        said = row.get("reason") or row.get("text") or ""
        assert said in " ".join(paper.split()), row
        assert said in files["csv"].text, row


@pytest.mark.parametrize("name", IDS)
async def test_a_sheet_tells_that_a_game_is_set_aside_where_it_is(
    evening: Evening, name: str
) -> None:
    game = evening.games[name].game
    rows = (await game.get("/sheet"))["sheet"]["rows"]
    aside = [row for row in rows if row["row"] == "set_aside"]
    assert bool(aside) == (await game.view()).get("set_aside", False)


@pytest.mark.parametrize("name", IDS)
async def test_the_pages_of_a_record_open(evening: Evening, name: str) -> None:
    game = evening.games[name].game
    splices = {row["version"] for row in await game.log() if row["type"] == "splice"}
    standing = [(version, part) for version, part, _ in await moves(game) if version in splices]
    parts = [f"/correct/{version}?part={part}" for version, part in standing]
    for page in ("", "/log", "/sheet", "/replay", *parts, *(f"{one}&before=1" for one in parts)):
        opened = await evening.http.get(f"/games/{game.id}{page}", follow_redirects=True)
        assert opened.status_code == 200, page


def splice(record: Answer) -> bool:
    types = [entry["type"] for entry in record["log"]]
    return record["expect"]["ok"] and "splice" in types and types[-1] != "set_aside"


# The first such record of each game.
FOLLOWED = [*{one["ruleset"]: one for one in reversed(RECORDS) if splice(one)}.values()]


@pytest.mark.parametrize("record", FOLLOWED, ids=lambda one: one["ruleset"])
async def test_a_follower_learns_every_entry_across_a_splice(
    evening: Evening, record: Answer
) -> None:
    game = await begin(evening.http, record)
    async with Follower.of(game, last=1) as phone:
        states: list[Json] = []
        seen: list[int] = []
        for entry in record["log"]:
            answered = await game.record(entry)
            while not seen or seen[-1] < answered["version"]:
                event = await phone.event()
                assert event is not None
                seen.append(event["version"])
                states += [event["state"]] if "state" in event else []
    assert seen == list(range(2, game.version + 1))
    assert len(states) == len(record["log"])
    assert states[-1] == await game.view()
    assert show(states[-1]) == describe(answer(record))


async def test_the_commands_find_the_stored_records_whole(
    evening: Evening, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    club = evening.club
    assert club.carnet("verify").stdout.endswith("all hash chains are intact\n")
    audited = club.carnet("audit")
    assert audited.returncode == 0, audited.stdout + audited.stderr
    before = await lists(evening)
    assert club.carnet("rebuild").returncode == 0
    assert await lists(evening) == before
    file, again = tmp_path / "all.jsonl", tmp_path / "again.jsonl"
    assert club.carnet("export", str(file)).returncode == 0
    with embedded_cluster.migrated_database() as url:
        other = Club(url, club.pool)
        taken = other.carnet("import", str(file))
        assert taken.returncode == 0, taken.stdout + taken.stderr
        assert other.carnet("verify").stdout == club.carnet("verify").stdout
        assert other.carnet("export", str(again)).returncode == 0
    assert again.read_bytes() == file.read_bytes()


async def lists(evening: Evening) -> list[Any]:
    asked = {"set_aside": "include"}
    paths = ("/api/games", "/api/history", "/api/standings")
    answers = [await evening.http.get(path, params=asked) for path in paths]
    assert [one.status_code for one in answers] == [200] * len(paths)
    return [one.json() for one in answers]
