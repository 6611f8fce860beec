import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from service.http.feed.feed import PAGE_ENTRIES_MAX
from tests.http.club import DEAL, LOST_RESULT, Game, Json, client_with_key
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess

PATH = "/api/feed"
WAITING = {"Prefer": "wait=60"}


async def page(http: httpx.AsyncClient, after: int, **query: int) -> list[Json]:
    answer = await http.get(PATH, params={"after": after, **query})
    assert answer.status_code == 200, answer.text
    entries: list[Json] = answer.json()["entries"]
    return entries


async def end_of(game: Game) -> int:
    position: int = (await next_of(game, 0, game.version))[-1]["position"]
    return position


async def next_of(game: Game, after: int, count: int) -> list[Json]:
    found: list[Json] = []
    while len(found) < count:
        answer = await game.http.get(PATH, params={"after": after}, headers=WAITING)
        entries = answer.json()["entries"]
        assert entries, "nothing came"
        after = entries[-1]["position"]
        found += [one for one in entries if one["game_id"] == game.id]
    return found


@asynccontextmanager
async def following(
    http: httpx.AsyncClient, after: int, *, last: int | None = None
) -> AsyncGenerator[AsyncIterator[Json]]:
    headers = {"Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    async with http.stream("GET", PATH, params={"after": after}, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["Content-Type"].startswith("text/event-stream")
        yield _events(response)


async def _events(response: httpx.Response) -> AsyncIterator[Json]:
    number = ""
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if name == "id":
            number = value
        elif name == "data":
            event: Json = json.loads(value)
            assert number == str(event["position"])
            yield event


async def test_every_entry_is_told_as_the_log_has_it(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    told = await next_of(game, 0, game.version)
    log = await game.log()
    assert [one["data"] for one in told] == [one["entry"] for one in log]
    for name in ("version", "type", "recorded_at"):
        assert [one[name] for one in told] == [one[name] for one in log]


async def test_positions_have_no_gap_and_stay_what_they_are(game: Game) -> None:
    begin = await end_of(game)
    await game.record(*DEAL)
    await end_of(game)
    entries = await page(game.http, begin, limit=3)
    assert [one["position"] for one in entries] == [begin + 1, begin + 2, begin + 3]
    assert await page(game.http, begin, limit=3) == entries


async def test_a_text_stays_beside_the_feed(game: Game) -> None:
    await game.record({"type": "note", "text": "by the window"})
    *_, told = await next_of(game, 0, 2)
    assert told["schema_version"] == 2
    assert set(told["data"]["text"]) == {"sha256"}


@pytest.mark.parametrize(
    "asked", [{"params": {"format": "ndjson"}}, {"headers": {"Accept": "application/x-ndjson"}}]
)
async def test_lines_tell_the_same(asked: dict[str, dict[str, str]], game: Game) -> None:
    await next_of(game, 0, 1)
    answer = await game.http.get(PATH, **asked)  # type: ignore[arg-type] # either of two arguments
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines == await page(game.http, 0)


async def test_whoever_waits_is_told_of_what_comes(game: Game) -> None:
    begin = await end_of(game)
    waiting = asyncio.create_task(next_of(game, begin, 1))
    await game.record({"type": "note", "text": "meanwhile"})
    (told,) = await waiting
    assert (told["game_id"], told["version"]) == (game.id, 2)


async def test_whoever_waits_for_nothing_gets_an_empty_page(game: Game) -> None:
    answer = await game.http.get(
        PATH, params={"after": 2**62}, headers={"Prefer": "respond-async, wait=1"}
    )
    assert answer.json() == {"entries": []}
    assert answer.headers["Preference-Applied"] == "wait=1"


async def test_a_follower_that_comes_back_misses_nothing_and_gets_nothing_twice(
    game: Game,
) -> None:
    seen = begin = await end_of(game)
    versions: list[int] = []
    for entry in (*DEAL, LOST_RESULT):
        await game.record(entry, {"type": "note", "text": "a batch"})
        # `Last-Event-ID` takes precedence over the query when a client reconnects.
        async with following(game.http, begin, last=seen) as events:
            async for event in events:
                assert event["position"] == seen + 1
                seen = event["position"]
                if event["game_id"] == game.id:
                    versions.append(event["version"])
                    break
    while len(versions) < game.version - 1:
        for event in await next_of(game, seen, 1):
            versions.append(event["version"])
            seen = event["position"]
    assert versions == list(range(2, game.version + 1))


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("after=-1", "$.query.after"),
        (f"after={2**63}", "$.query.after"),
        ("limit=0", "$.query.limit"),
        (f"limit={PAGE_ENTRIES_MAX + 1}", "$.query.limit"),
        ("format=xml", "$.query.format"),
        ("before=7", "$.query.before"),
    ],
)
async def test_a_query_that_cannot_be_read_is_refused(
    query: str, path: str, http: httpx.AsyncClient
) -> None:
    answer = await http.get(f"{PATH}?{query}")
    assert (answer.status_code, answer.json()["path"]) == (400, path)


async def test_a_service_that_stops_ends_streams_and_waiting_at_once(
    tmp_path: Path, prepared_clusters: PreparedClusters
) -> None:
    data = str(prepared_clusters.copy_to(tmp_path / "data"))
    with ServiceProcess.running(tmp_path / "log", CARNET_DATA_DIR=data) as service:
        async with client_with_key(service.url, KEY) as http:
            waiting = asyncio.create_task(http.get(PATH, headers=WAITING))
            async with following(http, 0) as events:
                stopped = asyncio.create_task(asyncio.to_thread(service.stop))
                assert [event async for event in events] == []
            assert (await waiting).json() == {"entries": []}
            await stopped


async def test_what_the_feed_does_is_measured(game: Game) -> None:
    await next_of(game, 0, 1)
    measured = (await game.http.get("/metrics")).text
    assert "carnet_feed_entries_total" in measured
    assert "carnet_feed_lag_seconds_bucket" in measured
