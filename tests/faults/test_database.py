"""Answers and their delay while the database is locked, its disk full or its server stopped."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from service.store.connection.pool import SIZE_MAX as SESSIONS
from service.store.server.postmaster import Postmaster
from tests.faults.processes import go_on, stand_still
from tests.http.club import Game, client_with_key
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

ANSWER_SECONDS_MAX = 2.5  # one second promised
FROZEN_SECONDS_MAX = 10.0
BACK_SECONDS_MAX = 15.0
NOTE = {"type": "note", "text": "in time"}
FULL = """
    CREATE FUNCTION carnet.no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON carnet.entry
    FOR EACH STATEMENT EXECUTE FUNCTION carnet.no_room();
"""
ROOM = "DROP TRIGGER no_room ON carnet.entry"


@pytest.fixture(scope="module")
def impatient(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("impatient") / "log"
    url = f"{database}&options=-c%20lock_timeout%3D100ms"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=url) as running:
        yield running


async def test_a_game_held_by_somebody_is_told_as_that(
    impatient: ServiceProcess, database: str
) -> None:
    async with client_with_key(impatient.url, KEY) as http:
        game = await Game.start(http)
        with psycopg.connect(database) as holder:
            holder.execute("SELECT 1 FROM carnet.game WHERE game_id = %s FOR UPDATE", [game.id])
            holder.execute("SELECT carnet.lock_game(club_id, game_id) FROM carnet.game"
                           " WHERE game_id = %s", [game.id])  # fmt: skip
            answer = await game.send(NOTE)
        assert (answer.status_code, answer.json()["type"]) == (503, "busy")
        assert "store.connection_lost" not in impatient.log.read_text()
        await game.record(NOTE)


async def test_a_full_disk_is_told_as_that_and_goes_on_once_there_is_room(
    impatient: ServiceProcess, database: str
) -> None:
    async with client_with_key(impatient.url, KEY) as http:
        game = await Game.start(http)
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(FULL)
            try:
                answer = await game.send(NOTE)
                ready = await http.get("/readyz")
            finally:
                owner.execute(ROOM)
        assert (answer.status_code, answer.json()["type"]) == (507, "storage-full")
        assert (ready.status_code, ready.text) == (503, "the database's disk is full\n")
        await game.record(NOTE)
        assert 'status="507"' in (await http.get("/metrics")).text


async def test_a_server_that_stands_still_holds_nobody_up_for_ever(
    tmp_path: Path, prepared_clusters: PreparedClusters
) -> None:
    settings = {"CARNET_DATA_DIR": str(prepared_clusters.copy_to(tmp_path / "data"))}
    with ServiceProcess.running(tmp_path / "log", **settings) as service:
        async with client_with_key(service.url, KEY) as http:
            game = await Game.start(http)
            postmaster = Postmaster(tmp_path / "data" / "postgres").pid
            assert postmaster is not None
            stopped = stand_still(postmaster)
            try:
                # More than there are sessions, so that some wait for one.
                reading = asyncio.gather(*(http.get(game.path) for _ in range(SESSIONS + 2)))
                for _ in range(4):
                    async with asyncio.timeout(time_limit(ANSWER_SECONDS_MAX)):
                        ready = await http.get("/readyz")
                    assert ready.status_code == 503
                assert (await http.get("/healthz")).is_success
                async with asyncio.timeout(time_limit(FROZEN_SECONDS_MAX)):
                    assert {one.status_code for one in await reading} == {503}
                async with asyncio.timeout(time_limit(FROZEN_SECONDS_MAX)):
                    assert (await http.get(game.path)).status_code == 503
            finally:
                go_on(stopped)
            await until_recorded(game)


async def until_recorded(game: Game) -> None:
    command, statuses = str(uuid4()), [503]
    async with asyncio.timeout(time_limit(BACK_SECONDS_MAX)):
        while statuses[-1] == 503:
            await asyncio.sleep(0.1)
            statuses.append((await game.send(NOTE, key=command)).status_code)
    assert statuses[-1] == 201, statuses
