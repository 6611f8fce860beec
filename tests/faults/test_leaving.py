"""Clients that leave, and a service that stops, in the middle of a body."""

import asyncio
import os
import re
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.faults.processes import children, lives
from tests.faults.sockets import HALF_BODY, crowd
from tests.http.club import Game, client_with_key
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

LEAVERS = 20
STOP_SECONDS_MAX = 4.0  # one promised; ten before
HALF_FORM = (
    b"POST /login HTTP/1.1\r\nHost: carnet\r\nAccept: text/html\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nkey="
)
SHEET = (
    "GET /api/games/{game}/sheet.pdf HTTP/1.1\r\nHost: carnet\r\n"
    "Authorization: Bearer {key}\r\n\r\n"
)


@pytest.fixture
def own(embedded_cluster: Cluster, tmp_path: Path) -> Iterator[ServiceProcess]:
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as service,
    ):
        yield service


@pytest.fixture(scope="module")
def standing(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("standing") / "log"
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(log, CARNET_DATABASE_URL=url) as service,
    ):
        yield service


def begin(service: ServiceProcess) -> None:
    for _ in range(2):
        assert httpx.get(service.url + "/healthz", timeout=120).is_success


@pytest.mark.parametrize("half", [HALF_BODY, HALF_FORM])
def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_error(
    half: bytes, own: ServiceProcess
) -> None:
    with crowd(own.port, LEAVERS, half):
        begin(own)
    deadline = time.monotonic() + time_limit(10)
    while (log := own.log.read_text()).count('"status": 499') < LEAVERS:
        assert time.monotonic() < deadline, log
        time.sleep(0.05)
    assert '"level": "error"' not in log
    assert '"status": 500' not in log
    assert "Traceback" not in log


async def test_a_reader_who_leaves_ends_the_printing(own: ServiceProcess) -> None:
    async with client_with_key(own.url, KEY) as http:
        game, printer = await Game.start(http), None
        while printer is None:  # else it was done before it was found: another sheet, then
            await game.record({"type": "note", "text": "one more line"})
            with socket.create_connection(("127.0.0.1", own.port)) as reader:
                reader.sendall(SHEET.format(game=game.id, key=KEY).encode())
                printer = await asyncio.to_thread(_held_printer, own.pid, reader)
    await asyncio.to_thread(_until, lambda: not lives(printer))
    await asyncio.to_thread(_until, lambda: '"status": 499' in own.log.read_text())


def _held_printer(service: int, reader: socket.socket) -> int | None:
    while not select.select([reader], [], [], 0.002)[0]:
        for pid in children(service):
            with suppress(OSError):
                # Before that it is the service's own copy, and holding it would hold the service
                # (vfork(2)).
                if b"typesetter" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGSTOP)
                    return pid
    return None


def _until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + time_limit(10)
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_a_stalled_body_does_not_hold_up_the_end(own: ServiceProcess) -> None:
    with socket.create_connection(("127.0.0.1", own.port)) as stalled:
        stalled.sendall(HALF_BODY)
        begin(own)
        own.signal_stop()
        assert own.exit_status(time_limit(STOP_SECONDS_MAX)) == 0
        assert stalled.recv(100).startswith(b"HTTP/1.1 408 ")
    log = own.log.read_text()
    assert not re.search(r'"level": "(error|critical)"|"status": 500', log), log


@pytest.mark.parametrize(
    "path", ["/healthz", "/api/games", "/nowhere", "/schema/openapi.json", "/"]
)
def test_every_answer_says_that_it_is_what_it_says(path: str, standing: ServiceProcess) -> None:
    plain = httpx.get(standing.url + path)
    assert plain.headers["X-Content-Type-Options"] == "nosniff"
    assert "Strict-Transport-Security" not in plain.headers
    by_proxy = httpx.get(
        standing.url + path, headers={"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
    )
    assert by_proxy.headers["Strict-Transport-Security"] == "max-age=31536000"
