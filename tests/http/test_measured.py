"""Metrics of appends, choices and the store, and the access log.

Compared by differences, because one service answers many tests.
"""

import json
import re
import time
from uuid import uuid4

import httpx

from tests.http.club import DEAL, Game, client_with_key
from tests.service_process import KEY, ServiceProcess

WRONG = {"type": "pass", "seat": 0}


async def measure(http: httpx.AsyncClient) -> dict[str, float]:
    lines = (await http.get("/metrics")).text.splitlines()
    samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


async def grow(game: Game, *done: object, version: int | None = None, key: str = "") -> set[str]:
    before = await measure(game.http)
    await game.send(*done, version=version, key=key or None)  # type: ignore[arg-type] # entries as JSON
    after = await measure(game.http)
    told = {name for name in after if after[name] == before.get(name, 0) + 1}
    kinds = ("carnet_appends_total", "carnet_append_seconds_count", "carnet_refusals_total")
    return {name for name in told if name.startswith(kinds)}


def of(outcome: str) -> set[str]:
    return {
        f'carnet_{what}{{outcome="{outcome}"}}'
        for what in ("appends_total", "append_seconds_count")
    }


async def test_appends_are_counted_by_what_became_of_them(game: Game) -> None:
    key = str(uuid4())
    assert await grow(game, *DEAL, key=key) == of("stored")
    assert await grow(game, *DEAL, key=key) == of("repeated")
    assert await grow(game, {"type": "note", "text": "x"}, version=1, key=key) == of("reused")
    assert await grow(game, {"type": "note", "text": "x"}, version=1) == of("conflict")


async def test_a_refusal_is_counted_by_its_clause(game: Game) -> None:
    await game.record(*DEAL)
    answer = await game.send(WRONG, version=4)
    rule = answer.json()["rule"]
    told = await grow(game, WRONG, version=4)
    assert told == of("refused") | {f'carnet_refusals_total{{rule="{rule}"}}'}


async def test_choices_and_waits_for_a_connection_are_timed(game: Game) -> None:
    names = ("carnet_choices_seconds_count", "carnet_pool_wait_seconds_count")
    before = await measure(game.http)
    await game.record(*DEAL)
    after = await measure(game.http)
    assert all(after[name] > before[name] for name in names)


async def test_who_follows_is_counted_while_they_do(game: Game) -> None:
    before = await measure(game.http)
    async with game.http.stream("GET", f"{game.path}/live") as stream:
        lines = stream.aiter_lines()  # keep a reference, or the stream would be closed
        await anext(lines)
        during = await measure(game.http)
    assert during["carnet_live_streams"] == before["carnet_live_streams"] + 1


async def test_room_left_and_the_last_backup_are_told(game: Game) -> None:
    shown = await measure(game.http)
    assert shown['carnet_disk_free_bytes{folder="data"}'] > 0
    assert shown["carnet_database_full"] == 0
    before = time.time()
    async with httpx.AsyncClient(base_url=game.http.base_url) as browser:
        await browser.post("/login", data={"key": KEY})
        assert (await browser.get("/backup/carnet-backup.jsonl")).is_success
    made = (await measure(game.http))["carnet_backup_last_timestamp_seconds"]
    assert made > before - 60


async def test_every_line_of_a_request_says_which_it_was_and_whose(
    service: ServiceProcess, game: Game
) -> None:
    link = (await game.http.post(f"{game.path}/links", json={"role": "scorer"})).json()
    async with client_with_key(service.url, link["token"]) as phone:
        mark = uuid4().hex
        headers = {"X-Request-ID": mark, "If-Match": '"1"', "Idempotency-Key": str(uuid4())}
        await phone.post(f"{game.path}/entries", json={"entries": DEAL}, headers=headers)
    (line,) = re.findall(rf"^.*{mark}.*$", service.log.read_text(), re.MULTILINE)
    told = json.loads(line)
    assert (told["game"], told["actor"], told["role"]) == (game.id, link["id"], "scorer")
    assert told["version"] == 4
    assert len(told["club"]) == 36


async def test_the_owner_is_an_actor_without_an_id(service: ServiceProcess, game: Game) -> None:
    mark = uuid4().hex
    await game.http.get(game.path, headers={"X-Request-ID": mark})
    (line,) = re.findall(rf"^.*{mark}.*$", service.log.read_text(), re.MULTILINE)
    assert json.loads(line)["actor"] == "owner"
