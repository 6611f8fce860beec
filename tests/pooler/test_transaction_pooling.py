import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import psycopg
import pytest

from service.store.connection.pool import connection, open_pool
from tests.carnet_process import run_carnet
from tests.http.club import DEAL, Game, client_with_key
from tests.http.follower import Follower
from tests.pooler.conftest import SESSIONS
from tests.service_process import KEY, ServiceProcess

WRITERS = 24


@pytest.fixture
async def http(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(service.url, KEY) as client:
        yield client


async def test_more_write_at_once_than_there_are_sessions(http: httpx.AsyncClient) -> None:
    games = [await Game.start(http) for _ in range(WRITERS)]
    for number in range(3):
        said = {"type": "note", "text": f"{number}"}
        await asyncio.gather(*(game.record(said) for game in games))
    assert {(await game.view())["version"] for game in games} == {4}


async def test_two_processes_hear_of_each_other(
    http: httpx.AsyncClient, other_service: ServiceProcess
) -> None:
    game = await Game.start(http)
    async with client_with_key(other_service.url, KEY) as elsewhere:
        there = Game(elsewhere, await game.view())
        async with Follower.of(there, last=1) as phone:
            await game.record(*DEAL)
            assert [event["type"] for event in await phone.events(3)] == [
                "deal",
                "order",
                "exchange",
            ]


async def test_a_session_of_the_pool_waits_no_longer_than_without_a_pooler(
    pooled_settings: dict[str, str],
) -> None:
    pooled = open_pool(pooled_settings["CARNET_DATABASE_URL"], None, 1, 2, behind_pooler=True)
    async with pooled as pool, connection(pool, None) as conn:
        asked = ("lock_timeout", "statement_timeout", "TimeZone", "session_authorization")
        found = [await (await conn.execute(f"SHOW {one}".encode())).fetchone() for one in asked]
    assert found == [("10s",), ("20s",), ("UTC",), ("carnet_service",)]


async def test_the_pooler_lends_fewer_sessions_than_there_are_connections(
    http: httpx.AsyncClient, pooled_settings: dict[str, str]
) -> None:
    game = await Game.start(http)
    await asyncio.gather(*(game.view() for _ in range(WRITERS)))
    with psycopg.connect(pooled_settings["CARNET_DATABASE_OWNER_URL"]) as conn:
        row = conn.execute(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = 'carnet_service'
              AND application_name <> 'carnet sequencer'
            """
        ).fetchone()
    assert row is not None
    assert 0 < row[0] <= SESSIONS


@pytest.mark.parametrize("command", ["verify", "audit", "rebuild", "head", "export"])
def test_commands_pass(
    command: str, service: ServiceProcess, pooled_settings: dict[str, str], tmp_path: Path
) -> None:
    del service  # it has recorded a game
    arguments = [command, *([str(tmp_path / "out.jsonl")] if command == "export" else [])]
    here = {**pooled_settings, "CARNET_DATA_DIR": str(tmp_path)}
    done = run_carnet(*arguments, environment=here)
    assert done.returncode == 0, done.stderr
