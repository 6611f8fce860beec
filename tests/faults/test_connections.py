"""What a connection may take: each limit met on real sockets, most of them shortened."""

import asyncio
import resource
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from litestar import Litestar, Request, get, post
from litestar.datastructures import State
from litestar.response import Stream

from service.http.protocol.connections import Limits, Room
from service.server import Server
from tests.faults.sockets import HALF_BODY, HALF_HEAD, closed, crowd
from tests.postgres import Cluster
from tests.service_process import ServiceProcess

POST = b"POST /api/players HTTP/1.1\r\nHost: a\r\n"
ATTACKERS = 1_100
DESCRIPTORS = 1_024  # what systems give by default
SHORT = Limits(
    head_seconds=0.3, body_seconds=0.3, body_bytes_per_second=100, idle_seconds=0.3,
    unread_seconds=0.3, connections_max=8,
)  # fmt: skip


@get("/healthz")
async def healthz() -> str:
    return "ok"


@post("/api/players")
async def echo(request: Request[object, object, State]) -> str:
    return str(len(await request.body()))


@get("/large")
async def large() -> Stream:
    async def parts() -> AsyncGenerator[bytes]:
        for _ in range(1_000):
            yield b"-" * 100_000

    return Stream(parts())


@asynccontextmanager
async def serving(limits: Limits) -> AsyncGenerator[int]:
    """Serve a small application within limits; yield its port."""
    state = State({"stopping": asyncio.Event()})
    app = Litestar([healthz, echo, large], state=state)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        server = Server(app, "127.0.0.1", port, limits)
        served = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield port
        finally:
            server.should_exit = True
            await served


async def said(port: int, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send something in parts, and read what comes until the other end closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await asyncio.sleep(pause)
    try:
        return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize("half", [HALF_HEAD, HALF_BODY])
async def test_a_request_that_does_not_come_is_told_so_and_closed(half: bytes) -> None:
    async with serving(SHORT) as port:
        assert (await said(port, half)).startswith(b"HTTP/1.1 408 ")


async def test_a_head_that_comes_drop_by_drop_has_no_more_time_than_another() -> None:
    async with serving(SHORT) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        answering = asyncio.create_task(reader.read(12))
        for drop in HALF_HEAD:
            writer.write(bytes([drop]))
            done, _ = await asyncio.wait([answering], timeout=0.03)
            if done:
                break
        assert answering.done()
        assert await answering == b"HTTP/1.1 408"
        writer.close()


async def test_a_body_that_keeps_coming_may_last_longer() -> None:
    head = POST + b"Connection: close\r\nContent-Length: 2000\r\n\r\n"
    async with serving(SHORT) as port:
        # Twenty times as fast as it must be, so that no busy machine makes it too slow.
        parts = [b"." * 200] * 10
        assert (await said(port, head, *parts, pause=0.1)).endswith(b"2000")


async def test_a_body_that_comes_after_its_answer_ends_no_connection() -> None:
    lost = b"POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
    found = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    async with serving(Limits()) as port:
        answers = await said(port, lost, b"body", found, pause=0.2)
    assert answers.count(b"HTTP/1.1 ") == 2
    assert answers.endswith(b"ok")


LAST = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


async def test_requests_sent_at_once_are_answered_in_their_order() -> None:
    whole = POST + b"Content-Length: 4\r\n\r\nbody"
    async with serving(SHORT) as port:
        answers = await said(port, whole + whole + LAST)
    assert [part[-1:] for part in answers.split(b"HTTP/1.1 2")[1:]] == [b"4", b"4", b"k"]


async def test_who_asks_for_another_protocol_is_answered_in_this_one() -> None:
    asked = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"
    async with serving(SHORT) as port:
        answers = await said(port, POST + asked + b"Content-Length: 4\r\n\r\nbody" + LAST)
    assert [part[-1:] for part in answers.split(b"HTTP/1.1 2")[1:]] == [b"4", b"k"]


@pytest.mark.parametrize(
    "sent",
    [
        b"this is no request\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n",
        POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
    ],
)
async def test_what_is_no_request_is_told_so(sent: bytes) -> None:
    async with serving(SHORT) as port:
        answer = await said(port, sent)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"-" * 2_200 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + b"X: -\r\n" * 300 + b"\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"-" * 2_200,
        b"GET /" + b"-" * 2_200,
        CHUNKED + b"4\r\nbody\r\n0\r\n" + b"X: -\r\n" * 300 + b"\r\n",
        CHUNKED + b"4;" + b"-" * 2_200,
    ],
)
async def test_a_head_or_framing_that_is_too_large_is_told_so(sent: bytes) -> None:
    async with serving(Limits(head_bytes=1_000)) as port:
        answers = await said(port, sent[:700], sent[700:1_400], sent[1_400:2_100], pause=0.05)
    assert answers[answers.rindex(b"HTTP/1.1 ") :].startswith(b"HTTP/1.1 431 ")


async def test_a_trailer_is_no_field_of_the_request() -> None:
    async with serving(SHORT) as port:
        trailer = b"4\r\nbody\r\n0\r\nX-Late: 1\r\n\r\n"
        answers = await said(port, CHUNKED + trailer + LAST)
    assert [part[-1:] for part in answers.split(b"HTTP/1.1 2")[1:]] == [b"4", b"k"]


async def test_who_is_slow_on_a_kept_connection_is_told_so() -> None:
    async with serving(Limits(head_seconds=0.3)) as port:
        whole = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        answers = await said(port, whole, HALF_HEAD, pause=0.1)
    assert answers.count(b"HTTP/1.1 408 ") == 1


async def test_a_connection_that_says_nothing_is_closed() -> None:
    async with serving(SHORT) as port:
        assert await said(port) == b""


async def test_a_kept_connection_outlives_a_minute_of_silence() -> None:
    assert Limits().idle_seconds >= 75


async def test_who_does_not_read_an_answer_is_let_go() -> None:
    async with serving(SHORT) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        await asyncio.sleep(2)
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1_000 * 100_000)
        writer.close()


async def test_a_newcomer_takes_the_place_of_whoever_waited_longest() -> None:
    async with serving(Limits(connections_max=8)) as port, asyncio.timeout(20):
        with crowd(port, 8, HALF_HEAD) as crowded:
            await asyncio.sleep(0.2)
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
                assert (await http.get("/healthz")).text == "ok"
            assert [closed(one) for one in crowded] == [True] + 7 * [False]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("10.1.2.3", ""),
    ],
)
def test_a_proxy_stands_for_many_and_a_network_of_ipv6_for_one(host: str, address: str) -> None:
    assert Room(Limits(), ["10.0.0.0/8"]).address_of(host) == address


@pytest.mark.parametrize("half", [b"", HALF_HEAD, HALF_BODY])
def test_eleven_hundred_connections_shut_nobody_out(
    half: bytes, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    began = time.monotonic()
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
    log = service.log.read_text()
    assert "Traceback" not in log
    # Told once a second at most.
    assert log.count("http.connection_displaced") <= 1 + time.monotonic() - began
