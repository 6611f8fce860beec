"""One HTTP POST to an external server, limited in time and size, to checked addresses only.

Promises: it connects only to an address that was checked (`addresses.py`), with the name in TLS and
`Host`; it follows a few redirects that keep the method (307, 308), checks each like the first, and
never goes from HTTPS to HTTP; it reads a limited part of the answer. A failed call is a value.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import urljoin

import httptools
from msgspec import Struct

from service.extensions.webhooks.addresses import (
    AddressRefused,
    BadUrl,
    Network,
    Resolve,
    Target,
    resolve,
    target_of,
)

SECONDS_MAX = 15.0
ANSWER_BYTES_MAX = 64 * 1024
REDIRECTS_MAX = 3
_REDIRECTS = frozenset({307, 308})
_TAKEN = range(200, 300)
_CHUNK_BYTES = 16 * 1024


class CallResult(Struct, frozen=True, kw_only=True):
    """The outcome of a call. `status` None: no answer; `error`: a word for the reason.

    The words: `refused-address`, `bad-address`, `unknown-name`, `unreachable`, `tls`, `timeout`,
    `not-http`, `too-large`, `redirects`, `status`.
    """

    status: int | None = None
    error: str | None = None


class CallLimits(Struct, frozen=True, kw_only=True):
    """Limits of a call: `seconds` in total, and networks allowed beside public addresses."""

    seconds: float = SECONDS_MAX
    allowed: Sequence[Network] = ()


class _Response:
    def __init__(self) -> None:
        self.location = ""
        self.head = self.whole = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"location":
            self.location = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.head = True

    def on_message_complete(self) -> None:
        self.whole = True


class _FailedError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


async def call(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    limits: CallLimits,
    resolved: Resolve = resolve,
) -> CallResult:
    """POST a body; return the outcome."""
    try:
        async with asyncio.timeout(limits.seconds):
            return await _follow_redirects(url, headers, body, limits, resolved)
    except TimeoutError:
        return CallResult(error="timeout")
    except _FailedError as failed:
        return CallResult(error=failed.word)


async def _follow_redirects(
    url: str, headers: Mapping[str, str], body: bytes, limits: CallLimits, resolved: Resolve
) -> CallResult:
    was_secure = False
    for _ in range(1 + REDIRECTS_MAX):
        target = await _target(url, limits, resolved)
        if was_secure and target.scheme != "https":
            raise _FailedError("refused-address")
        was_secure = target.scheme == "https"
        status, location = await _send_request(target, headers, body)
        if status in _REDIRECTS and location:
            url = urljoin(url, location)
            continue
        taken = status in _TAKEN
        return CallResult(status=status, error=None if taken else "status")
    raise _FailedError("redirects")


async def _target(url: str, limits: CallLimits, resolved: Resolve) -> Target:
    try:
        return await target_of(url, limits.allowed, resolved)
    except BadUrl:
        raise _FailedError("bad-address") from None
    except AddressRefused:
        raise _FailedError("refused-address") from None
    except (OSError, UnicodeError):
        raise _FailedError("unknown-name") from None


async def _send_request(target: Target, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
    reader, writer = await _connect(target)
    try:
        writer.write(_request(target, headers, len(body)) + body)
        return await _read_response(reader)
    except ssl.SSLError:
        raise _FailedError("tls") from None
    except OSError:
        raise _FailedError("unreachable") from None
    finally:
        writer.close()
        # Discard unread data instead of waiting for the peer to close.
        writer.transport.abort()


async def _connect(target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    context = _context() if target.scheme == "https" else None
    name = target.host if context else None
    failed = "unreachable"
    for address in target.addresses:
        try:
            return await asyncio.open_connection(
                address, target.port, ssl=context, server_hostname=name
            )
        except ssl.SSLError:
            failed = "tls"
        except OSError:
            continue
    raise _FailedError(failed)


async def _read_response(reader: asyncio.StreamReader) -> tuple[int, str]:
    response = _Response()
    parser = httptools.HttpResponseParser(response)
    size = 0
    while not response.whole:
        data = await reader.read(_CHUNK_BYTES)
        if not data:
            break
        size += len(data)
        if size > ANSWER_BYTES_MAX:
            if response.head:
                break
            raise _FailedError("too-large")
        with contextlib.suppress(httptools.HttpParserUpgrade):
            try:
                parser.feed_data(data)
            except httptools.HttpParserError:
                raise _FailedError("not-http") from None
    if not response.head:
        raise _FailedError("not-http")
    return int(parser.get_status_code()), response.location


def _request(target: Target, headers: Mapping[str, str], length: int) -> bytes:
    fixed = {
        "Host": target.authority,
        "User-Agent": "Carnet",
        "Accept": "*/*",
        "Content-Length": str(length),
        "Connection": "close",
    }
    lines = [f"POST {target.path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in {**fixed, **headers}.items()]
    # Header values are ASCII here; a line break in one would add another header.
    if any("\r" in line or "\n" in line for line in lines):
        raise _FailedError("bad-address")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


@lru_cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()
