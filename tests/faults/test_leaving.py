"""Clients that leave, and a service that does, in the middle of a body."""

import asyncio
import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.sockets import HALF_BODY, crowd
from tests.http.club import Game, as_somebody
from tests.patience import patient
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

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


def begun(service: ServiceProcess) -> None:
    """Wait until what was sent is being answered: it was taken in before what is sent now."""
    for _ in range(2):
        assert httpx.get(service.url + "/healthz", timeout=120).is_success


@pytest.mark.parametrize("half", [HALF_BODY, HALF_FORM])
def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_error(
    half: bytes, own: ServiceProcess
) -> None:
    with crowd(own.port, LEAVERS, half):
        begun(own)
    deadline = time.monotonic() + patient(10)
    while (log := own.log.read_text()).count('"status": 499') < LEAVERS:
        assert time.monotonic() < deadline, log
        time.sleep(0.05)
    assert '"level": "error"' not in log
    assert '"status": 500' not in log
    assert "Traceback" not in log


async def test_a_reader_who_leaves_ends_the_printing(own: ServiceProcess) -> None:
    async with as_somebody(own.url, KEY) as http:
        game = await Game.started(http)
    with socket.create_connection(("127.0.0.1", own.port)) as reader:
        reader.sendall(SHEET.format(game=game.id, key=KEY).encode())
        printer = await asyncio.to_thread(_printer, own.pid)
    await asyncio.to_thread(_until, lambda: not Path(f"/proc/{printer}").exists())
    await asyncio.to_thread(_until, lambda: '"status": 499' in own.log.read_text())


def _printer(service: int) -> int:
    """Find the process that prints for a service, and hold it: it would be done too soon."""
    children = Path(f"/proc/{service}/task/{service}/children")
    _until(lambda: bool(children.read_text()))
    (printer,) = map(int, children.read_text().split())
    # Before that it is the service's own copy, and holding it would hold the service (vfork(2)).
    _until(lambda: b"typesetter" in Path(f"/proc/{printer}/cmdline").read_bytes())
    os.kill(printer, signal.SIGSTOP)
    return printer


def _until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + patient(10)
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_a_stalled_body_does_not_hold_up_the_end(own: ServiceProcess) -> None:
    with socket.create_connection(("127.0.0.1", own.port)) as stalled:
        stalled.sendall(HALF_BODY)
        begun(own)
        began = time.monotonic()
        own.signal_stop()
        assert own.exit_status(patient(STOP_SECONDS_MAX)) == 0
        assert time.monotonic() - began < patient(STOP_SECONDS_MAX)
        assert stalled.recv(100).startswith(b"HTTP/1.1 503 ")
    log = own.log.read_text()
    assert not re.search(r'"level": "(error|critical)"|"status": 500', log), log


@pytest.mark.parametrize(
    "path", ["/healthz", "/api/games", "/nowhere", "/schema/openapi.json", "/"]
)
def test_every_answer_says_that_it_is_what_it_says(path: str, own: ServiceProcess) -> None:
    plain = httpx.get(own.url + path)
    assert plain.headers["X-Content-Type-Options"] == "nosniff"
    assert "Strict-Transport-Security" not in plain.headers
    by_proxy = httpx.get(own.url + path, headers={"X-Forwarded-Proto": "https"})
    assert by_proxy.headers["Strict-Transport-Security"] == "max-age=31536000"
