import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_network

import pytest

from service.extensions.webhooks.addresses import (
    AddressRefused,
    BadUrl,
    check_callable,
    may_call,
    read_url,
)
from service.extensions.webhooks.calls import ANSWER_BYTES_MAX, CallLimits, CallResult, call

LOCAL = CallLimits(seconds=30.0, allowed=(ip_network("127.0.0.0/8"),))
OK = b"HTTP/1.1 204 No Content\r\n\r\n"
PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.7",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104 -- refused, not listened on
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:192.168.1.7",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "ff02::1",
    "fec0::1",
    "3fff::1",
    "5f00::1",
    "100::1",
    "64:ff9b:1::5db8:d822",
    "::7f00:1",
    "::5db8:d822",
    "64:ff9b::a00:1",
    "2001:0:7f00:1::",
]
Asked = list[bytes]


@asynccontextmanager
async def answering(*answers: bytes) -> AsyncGenerator[tuple[str, Asked]]:
    asked: Asked = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        asked.append(head)
        writer.write(answers[min(len(asked), len(answers)) - 1])
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


def name(*addresses: str) -> Callable[[str, int], Awaitable[Sequence[str]]]:
    left = list(addresses)

    async def resolved(_host: str, _port: int) -> Sequence[str]:
        await asyncio.sleep(0)
        return [left.pop(0) if len(left) > 1 else left[0]]

    return resolved


def redirect(location: str, status: int = 307) -> bytes:
    return f"HTTP/1.1 {status} There\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_of_a_network_of_ones_own_is_called(address: str) -> None:
    assert not may_call(address, (), secure=True)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_public_addresses_are_called_by_https_alone(address: str) -> None:
    assert may_call(address, (), secure=True)
    assert not may_call(address, (), secure=False)


def test_what_the_operator_allows_is_called_however_it_is_written() -> None:
    allowed = (ip_network("192.168.1.0/24"),)
    assert may_call("192.168.1.7", allowed, secure=False)
    assert may_call("::ffff:192.168.1.7", allowed, secure=False)
    assert not may_call("192.168.2.7", allowed, secure=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://",
        "file:///etc/passwd",
        "gopher://a.example",
        "https://a.example:99999",
        "https://user@a.example",
        "https://a.example/\r\nX: y",
        "https://a.example/ö",
        "https://a.example/#there",
        "https://[::1",
        "",
    ],
)
def test_what_is_no_address_is_none(url: str) -> None:
    with pytest.raises(BadUrl):
        read_url(url)


def literal(address: str) -> str:
    return f"[{address}]" if ":" in address else address


@pytest.mark.parametrize(
    "url",
    [
        *(f"https://{literal(one)}/hook" for one in PRIVATE if "%" not in one),
        "https://localhost/hook",
        "https://localhost./hook",
        "https://printer.local/hook",
        "https://printer/hook",
        "https://2130706433/hook",
        "https://0x7f.1/hook",
        "http://93.184.216.34/hook",
        "http://table.example/hook",
    ],
)
async def test_what_would_never_be_called_is_refused_when_it_is_entered(url: str) -> None:
    with pytest.raises(AddressRefused):
        await check_callable(url, ())


@pytest.mark.parametrize(
    "url", ["https://93.184.216.34/hook", "https://[64:ff9b::5db8:d822]", "https://no.invalid"]
)
async def test_what_may_be_called_or_cannot_be_resolved_yet_is_taken(url: str) -> None:
    await check_callable(url, ())


async def test_a_network_that_the_operator_allows_may_be_entered() -> None:
    allowed = (ip_network("192.168.1.0/24"),)
    await check_callable("http://192.168.1.7/hook", allowed)
    await check_callable("http://printer.example/hook", allowed, name("192.168.1.7"))
    with pytest.raises(AddressRefused):
        await check_callable("http://192.168.2.7/hook", allowed)


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_name_that_resolves_to_a_private_address_is_refused(address: str) -> None:
    answered = await call("https://hook.example", {}, b"", CallLimits(), name(address))
    assert answered == CallResult(error="refused-address")


async def test_localhost_is_refused_by_its_name_as_the_system_resolves_it() -> None:
    async with answering(OK) as (url, asked):
        local = url.replace("127.0.0.1", "localhost")
        assert await call(local, {}, b"", CallLimits()) == CallResult(error="refused-address")
        assert asked == []


async def test_the_address_that_was_judged_is_the_one_that_is_called() -> None:
    async with answering(OK) as (url, asked):
        port = url.rpartition(":")[2]
        resolved = name("127.0.0.1", "127.0.0.2")
        limits = CallLimits(seconds=30.0, allowed=(ip_network("127.0.0.1/32"),))
        answered = await call(
            f"http://hook.example:{port}/x?y=1", {"A": "b"}, b"{}", limits, resolved
        )
    assert answered == CallResult(status=204)
    assert asked[0].startswith(b"POST /x?y=1 HTTP/1.1\r\n")
    assert f"Host: hook.example:{port}\r\n".encode() in asked[0]


@pytest.mark.parametrize(
    "location", ["http://127.0.0.2/", "http://[::1]/", "https://10.0.0.1/", "//169.254.169.254/"]
)
async def test_a_redirect_is_judged_like_the_first_address(location: str) -> None:
    limits = CallLimits(seconds=30.0, allowed=(ip_network("127.0.0.1/32"),))
    async with answering(redirect(location)) as (url, asked):
        assert await call(url, {}, b"", limits) == CallResult(error="refused-address")
        assert len(asked) == 1


async def test_a_redirect_that_keeps_the_method_is_followed_and_another_is_a_failure() -> None:
    async with answering(redirect("/there"), OK) as (url, asked):
        assert await call(url, {}, b"{}", LOCAL) == CallResult(status=204)
        assert asked[1].startswith(b"POST /there ")
    async with answering(redirect("/there", 303), OK) as (url, asked):
        assert await call(url, {}, b"{}", LOCAL) == CallResult(status=303, error="status")
        assert len(asked) == 1


async def test_a_circle_of_redirects_ends() -> None:
    async with answering(redirect("/again")) as (url, asked):
        assert await call(url, {}, b"", LOCAL) == CallResult(error="redirects")
        assert len(asked) == 4


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            b"HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nabc",
            CallResult(status=500, error="status"),
        ),
        (b"SSH-2.0-OpenSSH\r\n", CallResult(error="not-http")),
        (b"", CallResult(error="not-http")),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 2 * ANSWER_BYTES_MAX, CallResult(error="too-large")),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 2 * ANSWER_BYTES_MAX, CallResult(status=200)),
    ],
)
async def test_an_answer_is_read_so_far_and_no_further(answer: bytes, expected: CallResult) -> None:
    async with answering(answer) as (url, _):
        assert await call(url, {}, b"", LOCAL) == expected


async def test_a_receiver_that_says_nothing_is_left_after_the_time_there_is() -> None:
    held = asyncio.Event()

    async def hold(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await held.wait()
        writer.close()

    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        limits = CallLimits(seconds=0.2, allowed=LOCAL.allowed)
        assert await call(url, {}, b"", limits) == CallResult(error="timeout")
        held.set()


async def test_nobody_there_and_no_such_name_are_told_apart() -> None:
    async with answering(OK) as (url, _):
        pass
    assert await call(url, {}, b"", LOCAL) == CallResult(error="unreachable")

    async def unknown(_host: str, _port: int) -> Sequence[str]:
        await asyncio.sleep(0)
        raise OSError

    assert await call("https://nowhere.example", {}, b"", LOCAL, unknown) == CallResult(
        error="unknown-name"
    )
