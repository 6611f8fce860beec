"""Clients that hang up in the middle of a query, while others record."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import psycopg
import pytest
from msgspec import Struct

from service.http.clients import WATCH_AFTER_SECONDS
from tests.depth import run_size
from tests.http.club import Game, client_with_key
from tests.http.test_other_club import club_added
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

FOLLOW = (
    "GET /api/feed?after=0 HTTP/1.1\r\nHost: carnet\r\nAccept: text/event-stream\r\n"
    "Authorization: Bearer {key}\r\n\r\n"
)
READERS, WRITERS = 2, 3
NOTES = run_size(25, deep=500)
# About as long as the first page of a feed takes.
SECONDS_MAX = 0.02

ENTRY = "SELECT FROM carnet.entry WHERE game_id = %s AND version = %s"


class Household(Struct, frozen=True):
    """A service of two clubs: where it is, its database, and a game of each for every writer."""

    service: ServiceProcess
    url: str
    keys: tuple[str, ...]
    games: tuple[Game, ...]


@pytest.fixture
async def household(embedded_cluster: Cluster, tmp_path: Path) -> AsyncGenerator[Household]:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(embedded_cluster.database())
        log = tmp_path / "log"
        service = stack.enter_context(ServiceProcess.running(log, CARNET_DATABASE_URL=url))
        other = await club_added(url, service.url, "Elsewhere")
        await stack.enter_async_context(other.owner)
        own = await stack.enter_async_context(client_with_key(service.url, KEY))
        games = [await Game.start(owner) for owner in (own, other.owner) for _ in range(WRITERS)]
        yield Household(service, url, (KEY, other.key), tuple(games))


async def _hangs_up(household: Household, seed: int, times: Counter[str]) -> None:
    rest = Random(seed)  # noqa: S311 games, not secrets
    while True:
        _, writer = await asyncio.open_connection("127.0.0.1", household.service.port)
        try:
            writer.write(FOLLOW.format(key=rest.choice(household.keys)).encode())
            await writer.drain()
            await asyncio.sleep(rest.uniform(0, SECONDS_MAX))
            times["hung up"] += 1
        finally:
            writer.close()


async def _records(game: Game, url: str) -> list[int]:
    lost: list[int] = []
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        for number in range(NOTES):
            await game.record({"type": "note", "text": f"note {number}"})
            stored = await conn.execute(ENTRY, [game.id, game.version])
            if await stored.fetchone() is None:
                lost.append(game.version)
    return lost


async def test_who_hangs_up_takes_nobody_s_entry_along(
    household: Household, record_property: Callable[[str, int], None]
) -> None:
    times = Counter[str]()
    leaving = [asyncio.ensure_future(_hangs_up(household, seed, times)) for seed in range(READERS)]
    try:
        lost = await asyncio.gather(*(_records(game, household.url) for game in household.games))
    finally:
        for one in leaving:
            one.cancel()
        await asyncio.gather(*leaving, return_exceptions=True)
    times["acknowledged"] = len(household.games) * NOTES
    times["lost"] = sum(map(len, lost))
    for name, number in times.items():
        record_property(name, number)
    assert lost == [[]] * len(household.games)
    assert '"status": 500' not in household.service.log.read_text()


async def test_a_club_s_feed_grows_after_the_client_that_opened_it_hung_up(
    household: Household,
) -> None:
    late = await club_added(household.url, household.service.url, "Late")
    async with await psycopg.AsyncConnection.connect(household.url) as conn:
        await conn.execute("LOCK TABLE carnet.club")
        reader, writer = await asyncio.open_connection("127.0.0.1", household.service.port)
        writer.write(FOLLOW.format(key=late.key).encode())
        await writer.drain()
        await asyncio.sleep(2 * WATCH_AFTER_SECONDS)
        await conn.rollback()
    assert b"200" in await reader.readline()
    writer.close()
    await writer.wait_closed()
    async with late.owner as http:
        game = await Game.start(http)
        answer = await http.get("/api/feed", headers={"Prefer": "wait=10"})
    assert [entry["game_id"] for entry in answer.json()["entries"]] == [game.id]
