"""No memory, no descriptor, a clock that goes back: reported, and all continues afterwards."""

import asyncio
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest

from service.store.connection.pool import open_pool
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from tests.faults.processes import children
from tests.http.club import DEAL, LOST_RESULT, Game, Json, client_with_key
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

NOTE = {"type": "note", "text": "all the same"}
# `append` takes its time from a clock that goes back an hour with every look at it.
BACKWARDS = """
    CREATE SCHEMA wrong;
    CREATE SEQUENCE wrong.looks;
    GRANT USAGE ON SCHEMA wrong TO PUBLIC;
    GRANT USAGE ON SEQUENCE wrong.looks TO PUBLIC;
    CREATE FUNCTION wrong.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT pg_catalog.clock_timestamp() - nextval('wrong.looks') * interval '1 hour' $$;
    ALTER FUNCTION carnet.append SET search_path = wrong, pg_catalog, carnet, pg_temp;
"""


@pytest.fixture(scope="module")
def own(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("want") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=database) as running:
        yield running


def printer_of(service: int) -> int | None:
    for pid in children(service):
        with suppress(OSError):
            # Before that it is the service's own copy; holding that would hold the service.
            if b"typesetter" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
    return None


async def printed_without_memory(game: Game, service: int) -> httpx.Response:
    while True:
        await game.record(NOTE)
        asked = asyncio.create_task(game.http.get(f"{game.path}/sheet.pdf"))
        while not asked.done():
            printer = printer_of(service)
            with suppress(ProcessLookupError):
                if printer is not None:
                    # Its current memory stays; not one more page.
                    resource.prlimit(printer, resource.RLIMIT_AS, (1, 1))
                    break
            await asyncio.sleep(0.002)
        answer = await asked
        if answer.status_code != 200:  # else it was done before it was found
            return answer


async def test_a_printer_without_memory_is_told_and_the_next_one_prints(
    own: ServiceProcess,
) -> None:
    async with client_with_key(own.url, KEY) as http:
        game = await Game.start(http)
        await game.record(*DEAL, LOST_RESULT)
        answer = await printed_without_memory(game, own.pid)
        assert (answer.status_code, answer.json()["type"]) == (413, "not-printable")
        printed = await http.get(f"{game.path}/sheet.pdf")
        assert printed.content.startswith(b"%PDF-")
        await game.record(NOTE)


async def test_without_a_descriptor_left_who_is_connected_goes_on(own: ServiceProcess) -> None:
    key = {"Authorization": f"Bearer {KEY}"}
    # Reuse the connection, since a new one would need a descriptor.
    kept = httpx.Limits(max_connections=1, keepalive_expiry=None)
    async with httpx.AsyncClient(base_url=own.url, headers=key, timeout=120, limits=kept) as http:
        game = await Game.start(http)
        await game.record(NOTE)
        before = resource.prlimit(own.pid, resource.RLIMIT_NOFILE)
        # A new descriptor gets the lowest free number: lower ones are used, higher ones forbidden.
        resource.prlimit(own.pid, resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            sent = [await game.record(NOTE) for _ in range(3)]
            printed = await http.get(f"{game.path}/sheet.pdf")
            assert printed.status_code >= 500
            assert (await game.log())[-1]["version"] == sent[-1]["version"]
        finally:
            resource.prlimit(own.pid, resource.RLIMIT_NOFILE, before)
    async with client_with_key(own.url, KEY) as newcomer:
        assert len(await Game(newcomer, await game_view(newcomer, game)).log()) == game.version
        assert (await newcomer.get(f"{game.path}/sheet.pdf")).is_success


async def game_view(http: httpx.AsyncClient, game: Game) -> Json:
    return await Game(http, {"id": game.id, "version": game.version}).view()


async def test_a_clock_that_goes_back_changes_no_order(
    embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as service,
    ):
        async with client_with_key(service.url, KEY) as http:
            game = await Game.start(http)
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute(BACKWARDS)
            command = str(uuid4())
            first = (await game.send(*DEAL, LOST_RESULT, key=command)).json()
            game.version = first["version"]
            for _ in range(3):
                await game.record(NOTE)
            log = await game.log()
            times = [one["recorded_at"] for one in log]
            assert times[-1] < times[0], "the clock did not go back"
            assert [one["version"] for one in log] == list(range(1, game.version + 1))
            assert (await game.send(*DEAL, LOST_RESULT, version=1, key=command)).json() == first
            assert [one["version"] for one in await feed(http, len(log))] == [
                one["version"] for one in log
            ]
            head = (await http.get("/api/heads")).json()
            assert head["size"] == len(log)
        async with open_pool(url, "carnet_service") as pool:
            (verdict,) = [one async for one in EventStore(pool, DEFAULT_CLUB).verify()]
        assert verdict.broken is None


async def feed(http: httpx.AsyncClient, entries: int) -> list[dict[str, int]]:
    found: list[dict[str, int]] = []
    while len(found) < entries:
        answer = await http.get(
            "/api/feed", headers={"Prefer": "wait=60"}, params={"after": len(found)}
        )
        found += answer.json()["entries"]
    return found
