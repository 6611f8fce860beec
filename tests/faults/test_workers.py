"""Several processes on one port: all answer alike, and no client notices the death of one."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from service.store.server.postmaster import Postmaster
from tests.carnet_process import run_carnet
from tests.faults.processes import SECONDS_MAX, children, kill_server, lives, until
from tests.http.club import DEAL, LOST_RESULT, Game, client_with_key
from tests.http.follower import Follower
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess
from tests.waiting import time_limit

FOLLOWERS = 8
NOTE = {"type": "note", "text": "said"}


def start(service: ServiceProcess) -> int:
    return service.log.read_text().count("server.started")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workers")


@pytest.fixture(scope="module")
def workers(folder: Path) -> Iterator[ServiceProcess]:
    settings = {"CARNET_DATA_DIR": str(folder / "data"), "CARNET_WORKERS": "2"}
    with ServiceProcess.running(folder / "log", **settings) as running:
        until(lambda: start(running) == 2)
        yield running


@pytest.fixture
async def http(workers: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(workers.url, KEY) as client:
        yield client


async def test_whoever_answers_all_followers_hear_within_a_second(
    workers: ServiceProcess, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http)
    async with AsyncExitStack() as stack:
        phones: list[Follower] = []
        for _ in range(FOLLOWERS):
            own = await stack.enter_async_context(client_with_key(workers.url, KEY))
            there = Game(own, await game.view())
            phones.append(await stack.enter_async_context(Follower.of(there, last=1)))
        await game.record(NOTE)
        async with asyncio.timeout(time_limit(1.0)):
            heard = await asyncio.gather(*(phone.event() for phone in phones))
    assert [event and event["version"] for event in heard] == [2] * FOLLOWERS


def test_what_is_measured_is_the_sum_of_all(workers: ServiceProcess) -> None:
    def counted() -> float:
        headers = {"Authorization": f"Bearer {KEY}"}
        answer = httpx.get(f"{workers.url}/metrics", headers=headers, verify=PLAIN_TLS)
        of = 'carnet_http_requests_total{method="GET",path="/healthz",status="200"} '
        lines = [line for line in answer.text.splitlines() if line.startswith(of)]
        return sum(float(line.removeprefix(of)) for line in lines)

    before = counted()
    for _ in range(20):
        httpx.get(f"{workers.url}/healthz", verify=PLAIN_TLS)
    assert counted() - before == 20


async def test_one_that_is_killed_is_replaced_and_nothing_acknowledged_is_lost(
    workers: ServiceProcess, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http)
    before = start(workers)
    killed = children(workers.pid)[0]
    for number in range(40):
        key = str(uuid4())
        if number == 10:
            os.kill(killed, signal.SIGKILL)
        while True:
            with suppress(httpx.TransportError):
                async with client_with_key(workers.url, KEY) as own:
                    game.http = own
                    answer = await game.send(NOTE, key=key)
                assert answer.status_code == 201
                game.version = answer.json()["version"]
                break
    until(lambda: start(workers) == before + 1)
    game.http = http
    assert [entry["version"] for entry in await game.log()] == list(range(1, 42))
    assert len(children(workers.pid)) == 2


async def test_an_embedded_server_that_dies_is_started_again(
    folder: Path, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http)
    pid = Postmaster(folder / "data" / "postgres").pid
    assert pid is not None
    await asyncio.to_thread(kill_server, pid)
    # Each process detects its dead connections; phones send again what was not stored.
    command, statuses = str(uuid4()), [503]
    async with asyncio.timeout(time_limit(SECONDS_MAX)):
        while statuses[-1] == 503:
            await asyncio.sleep(0.1)
            statuses.append((await game.send(*DEAL, LOST_RESULT, key=command)).status_code)
    assert statuses[-1] == 201, statuses


def test_an_address_that_is_taken_is_told_once(workers: ServiceProcess) -> None:
    environ = {"CARNET_PORT": str(workers.port), "CARNET_WORKERS": "2"}
    run = run_carnet("serve", environment=environ)
    assert run.returncode == 2
    assert run.stderr.count("is not usable") == 1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_all_stop_in_good_order(
    how: signal.Signals, tmp_path: Path, prepared_clusters: PreparedClusters
) -> None:
    data = prepared_clusters.copy_to(tmp_path / "data")
    settings = {"CARNET_DATA_DIR": str(data), "CARNET_WORKERS": "2"}
    with ServiceProcess.running(tmp_path / "log", **settings) as service:
        until(lambda: start(service) == 2)
        family = children(service.pid)
        postmaster = Postmaster(tmp_path / "data" / "postgres").pid
        os.kill(service.pid, how)
        assert service.exit_status(time_limit(SECONDS_MAX)) == 0
    assert postmaster is not None
    assert not any(lives(pid) for pid in (*family, postmaster))
    assert "Traceback" not in service.log.read_text()


def test_none_outlives_the_one_that_looks_after_them(folder: Path, service_database: str) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "CARNET_WORKERS": "2"}
    with ServiceProcess.running(folder / "left", **settings) as service:
        until(lambda: start(service) == 2)
        family = children(service.pid)
        service.kill()
        until(lambda: not any(lives(pid) for pid in family))
