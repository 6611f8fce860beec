"""Limits on connections, each reached on real sockets, most of them shortened."""

import asyncio
import resource
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from litestar import Litestar, Request, get, post
from litestar.datastructures import State

from service.request_bodies import BodyTimeout, RequestBodies, answer_timeout
from service.server import HEAD_BYTES_MAX, HEAD_SECONDS_MAX, serve
from tests.depth import run_size
from tests.faults.sockets import HALF_BODY, HALF_HEAD, crowd
from tests.postgres import Cluster
from tests.service_process import ServiceProcess, free_port
from tests.waiting import time_limit

POST = b"POST /api/players HTTP/1.1\r\nHost: a\r\n"
# Deep: the default limit of most systems. A smaller one is reached by the same code.
DESCRIPTORS = run_size(256, deep=1_024)
ATTACKERS = DESCRIPTORS + 76


@get("/healthz")
async def healthz() -> str:
    return "ok"


@post("/api/players")
async def echo(request: Request[object, object, State]) -> str:
    return str(len(await request.body()))


@asynccontextmanager
async def serving(body_seconds: float = 0.3) -> AsyncGenerator[int]:
    state = State({"stopping": asyncio.Event()})
    app = Litestar([healthz, echo], state=state, exception_handlers={BodyTimeout: answer_timeout})
    app.asgi_handler = RequestBodies(app.asgi_handler, body_seconds, bytes_per_second_min=100)
    port = free_port()
    served = asyncio.create_task(serve(app, "127.0.0.1", port))
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(retries=5)) as http:
        await http.get(f"http://127.0.0.1:{port}/healthz")
    try:
        yield port
    finally:
        state["stopping"].set()
        await served


async def read_words(port: int, *parts: bytes, pause: float = 0.0) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await asyncio.sleep(pause)
    try:
        return await reader.read()
    finally:
        writer.close()


async def test_a_body_that_does_not_come_is_refused_and_its_connection_closed() -> None:
    async with serving() as port:
        assert (await read_words(port, HALF_BODY)).startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_keeps_coming_may_last_longer() -> None:
    head = POST + b"Connection: close\r\nContent-Length: 2000\r\n\r\n"
    async with serving() as port:
        # Twenty times the minimal rate, with reserve for a busy machine.
        parts = [b"." * 200] * 10
        assert (await read_words(port, head, *parts, pause=0.1)).endswith(b"2000")


async def test_a_head_that_comes_drop_by_drop_has_no_more_time_than_another() -> None:
    async with serving() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        closing = asyncio.create_task(reader.read())
        began = time.monotonic()
        while not closing.done():
            assert time.monotonic() - began < time_limit(HEAD_SECONDS_MAX + 2)
            writer.write(HALF_HEAD[:1])
            await asyncio.wait([closing], timeout=0.5)
        writer.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"this is no request\r\n\r\n",
        b"GET /healthz HTTP/3.0\r\nHost: a\r\n\r\n",
        POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"-" * 4 * HEAD_BYTES_MAX + b"\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_refused_and_its_connection_closed(sent: bytes) -> None:
    async with serving() as port:
        answer = await read_words(port, sent)
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("half", [b"", HALF_HEAD, HALF_BODY])
def test_more_connections_than_descriptors_shut_nobody_out(
    half: bytes, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with embedded_cluster.database() as url:
        service = ServiceProcess(tmp_path / "log", CARNET_DATABASE_URL=url)
        service.descriptors = DESCRIPTORS
        service.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4 * DESCRIPTORS), hard))
        try:
            with crowd(service.port, ATTACKERS, half):
                for path in ("/healthz", "/readyz"):
                    assert httpx.get(service.url + path, timeout=120).status_code == 200
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            service.stop()
    assert "Traceback" not in service.log.read_text()
