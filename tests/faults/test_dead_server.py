"""kill -9 of the embedded PostgreSQL: the service restarts it, or ends and names the reason."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from service.store.server.postmaster import Postmaster
from tests.faults.processes import kill_server
from tests.http.club import Game, client_with_key
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

BACK_SECONDS_MAX = 5.0
END_SECONDS_MAX = 20.0
PAUSE_SECONDS = 0.05
FAILED = 2
KILLS = 3
NOTE = {"type": "note", "text": "still there"}


class Own(ServiceProcess):
    def __init__(self, log: Path, **settings: str) -> None:
        super().__init__(log, **settings)
        self.cluster = Path(settings["CARNET_DATA_DIR"]) / "postgres"

    def kill_server(self) -> int:
        pid = Postmaster(self.cluster).pid
        assert pid is not None
        kill_server(pid)
        return pid


@pytest.fixture
def own(tmp_path: Path, prepared_clusters: PreparedClusters) -> Iterator[Own]:
    data = prepared_clusters.copy_to(tmp_path / "data")
    with Own.running(tmp_path / "log", CARNET_DATA_DIR=str(data)) as service:
        yield service


async def ready_again(service: ServiceProcess) -> None:
    async with (
        asyncio.timeout(time_limit(BACK_SECONDS_MAX)),
        httpx.AsyncClient(base_url=service.url, timeout=None) as http,  # noqa: S113 -- the one above
    ):
        while True:
            assert service.is_running(), service.log.read_text()
            with contextlib.suppress(httpx.TransportError):
                if (await http.get("/readyz")).is_success:
                    return
            await asyncio.sleep(PAUSE_SECONDS)


async def test_a_killed_server_is_back_within_five_seconds_with_all_it_acknowledged(
    own: Own, record_property: Callable[[str, object], None]
) -> None:
    record_property("kills", KILLS)
    async with client_with_key(own.url, KEY) as http:
        game = await Game.start(http)
        for _ in range(KILLS):  # every time, not only the first
            await game.record(NOTE)
            acknowledged = await game.log()
            own.kill_server()
            await ready_again(own)
            assert await game.log() == acknowledged
        await game.record(NOTE)


async def test_of_services_that_share_a_folder_each_answers_again(own: Own, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with Own.running(tmp_path / "other", CARNET_DATA_DIR=data) as other:
        async with client_with_key(own.url, KEY) as http, client_with_key(other.url, KEY) as there:
            game = await Game.start(http)
            killed = own.kill_server()
            await asyncio.gather(ready_again(own), ready_again(other))
            await game.record(NOTE)
            assert len(await Game(there, await game.view()).log()) == game.version
        assert Postmaster(own.cluster).pid != killed
    assert Postmaster(own.cluster).running()


def test_a_service_whose_server_cannot_be_started_ends_and_says_why(own: Own) -> None:
    (own.cluster / "PG_VERSION").write_text("12\n")
    own.kill_server()
    assert own.exit_status(time_limit(END_SECONDS_MAX)) == FAILED
    assert "was written by PostgreSQL 12" in own.log.read_text().splitlines()[-1]


def test_a_server_that_its_last_service_stopped_stays_stopped(own: Own) -> None:
    own.stop()
    assert not Postmaster(own.cluster).running()
