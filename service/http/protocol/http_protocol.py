"""One connection: HTTP read by llhttp, within the limits of `connections`."""

import asyncio
from enum import Enum, auto
from typing import Any, cast

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from service.http.protocol.connections import Room
from service.http.protocol.write_coalescing import CoalescingTransport

_VERSIONS = frozenset({"1.0", "1.1"})
# A field costs its colon, a space and the end of its line as well.
_FIELD_BYTES = 4
# What chunks may cost beside what they hold (RFC 9112, 7.1): a byte a chunk is six.
_FRAMING = 16


class ConnectionPhase(Enum):
    """What a connection waits for."""

    IDLE = auto()
    HEAD = auto()
    BODY = auto()
    ANSWER = auto()


class _OversizeError(Exception):
    """A head, a trailer or the framing of a body outgrew its limit."""


class _NotHttpError(Exception):
    """What the parser lets pass and RFC 9112 does not."""


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection, within its limits."""

    def __init__(
        self,
        room: Room,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address: str | None = None
        self._room = room
        self._limits = room.limits
        self._phase: ConnectionPhase = ConnectionPhase.IDLE
        self._since = self.loop.time()
        self._reads: ConnectionPhase = ConnectionPhase.IDLE
        self._whole = self._answered = 0  # requests read to their end, answers sent
        self._head_bytes = self._field_bytes = self._hosts = 0
        self._body_bytes = self._payload_bytes = 0
        self._owed_bytes = 0
        self._ending = False
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    @property
    def _llhttp(self) -> httptools.HttpRequestParser:
        parser: object = self.parser  # uvicorn leaves None behind
        return cast("httptools.HttpRequestParser", parser)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Take a place, or be told that there is none."""
        super().connection_made(transport)
        self.transport = CoalescingTransport(transport, self.loop)
        if self._room.enter(self, self.client[0] if self.client else ""):
            self._arm(self._limits.idle_seconds)
        else:
            self._refuse(b"503 Service Unavailable", b"Too many connections.\n")

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._room.leave(self)
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        if (
            self._reads is ConnectionPhase.HEAD
        ):  # what came in the read that began it has a bound of its own
            self._head_bytes += len(data)
        self._body_bytes += len(data)
        try:
            self._parse(data)
            self._bound()
        except _OversizeError:
            self._refuse(b"431 Request Header Fields Too Large", b"The head is too large.\n")
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, _OversizeError):
                self._refuse(b"431 Request Header Fields Too Large", b"The head is too large.\n")
            else:
                self._refuse(b"400 Bad Request", b"This is not a request of HTTP/1.1.\n")
        self._look()

    def _parse(self, data: bytes) -> None:
        """Parse all of it.

        Raises: httptools.HttpParserError (what came is no request, or is refused by a callback)
        """
        while data:
            if self._owed_bytes:
                data = self._take_owed(data)
                continue
            try:
                self._llhttp.feed_data(data)
            except httptools.HttpParserUpgrade as asked:
                data = data[asked.args[0] :]
            else:
                return

    def _take_owed(self, data: bytes) -> bytes:
        body, rest = data[: self._owed_bytes], data[self._owed_bytes :]
        self._owed_bytes -= len(body)
        self.on_body(body)
        if not self._owed_bytes:
            self._complete()
        return rest

    def _bound(self) -> None:
        """Refuse what has outgrown its limit before it was whole.

        Raises: _OversizeError
        """
        most = self._limits.head_bytes
        framing = self._body_bytes - self._payload_bytes
        if self._reads is ConnectionPhase.HEAD and self._head_bytes > most:
            raise _OversizeError
        if self._phase is ConnectionPhase.BODY and framing > most + _FRAMING * self._payload_bytes:
            raise _OversizeError

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._reads = ConnectionPhase.HEAD
        self._head_bytes = self._field_bytes = self._hosts = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a field of the head; one of a trailer is counted and dropped (RFC 9110, 6.5.1)."""
        self._field_bytes += len(name) + len(value) + _FIELD_BYTES
        if self._field_bytes > self._limits.head_bytes:
            raise _OversizeError
        if self._reads is ConnectionPhase.HEAD:
            self._hosts += name.lower() == b"host"
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer; a request of HTTP/1.1 names one host (RFC 9112, 3.2)."""
        version = self._llhttp.get_http_version()
        if version not in _VERSIONS or self._hosts > 1 or (version == "1.1" and not self._hosts):
            raise _NotHttpError
        self._reads = ConnectionPhase.BODY
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self._payload_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for the next request, or for the body of one that asks for another protocol.

        Raises: _NotHttpError (no length of that body is given)
        """
        if self._llhttp.should_upgrade():
            fields = dict(self.headers)
            if b"transfer-encoding" in fields:
                raise _NotHttpError
            self._owed_bytes = int(fields.get(b"content-length", b"0"))
        if not self._owed_bytes:
            self._complete()

    def _complete(self) -> None:
        self._reads = ConnectionPhase.IDLE
        self._whole += 1
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, or end where the service does."""
        self._answered += 1
        super().on_response_complete()
        if self._ending or self.transport.is_closing():
            self._close()
        self._look()

    def pause_writing(self) -> None:
        """Wait for the other end to read, but not for ever."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._limits.unread_seconds, self.displace)

    def resume_writing(self) -> None:
        """Go on: the other end has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def shutdown(self) -> None:
        """End; a request that is not whole yet gets a moment."""
        self._ending = True
        super().shutdown()
        if self._phase is ConnectionPhase.BODY:
            self._arm(self._limits.ending_seconds)

    def displace(self) -> None:
        """Close at once, whatever was not read or sent."""
        self._room.leave(self)
        self.transport.abort()

    def _look(self) -> None:
        phase = self._find_phase()
        if phase is self._phase or self.transport.is_closing():
            return
        self._phase, self._since = phase, self.loop.time()
        self._body_bytes = self._payload_bytes = 0
        self._room.waits(self, waits=phase is not ConnectionPhase.ANSWER)
        limits = self._limits
        match phase:
            case ConnectionPhase.ANSWER:
                self._arm(None)
            case ConnectionPhase.IDLE:
                self._arm(limits.idle_seconds)
            case ConnectionPhase.HEAD:
                self._arm(limits.head_seconds)
            case ConnectionPhase.BODY:
                self._arm(limits.ending_seconds if self._ending else limits.body_seconds)

    def _find_phase(self) -> ConnectionPhase:
        return ConnectionPhase.ANSWER if self._whole > self._answered else self._reads

    def _arm(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._expired)

    def _expired(self) -> None:
        match self._phase:
            case _ if self.transport.is_closing():
                self.displace()
            case ConnectionPhase.IDLE:
                self._close()
            case ConnectionPhase.BODY if self._ending:
                self._refuse(b"503 Service Unavailable", b"The service stops.\n")
            case ConnectionPhase.BODY if (more := self._body_seconds_left()) > 0:
                self._arm(more)
            case _:
                self._refuse(b"408 Request Timeout", b"The request took too long to come.\n")

    def _body_seconds_left(self) -> float:
        if self.flow.read_paused:  # it is we who are slow
            self._since = self.loop.time()
        earned = self._body_bytes / self._limits.body_bytes_per_second
        return self._since + self._limits.body_seconds + earned - self.loop.time()

    def _refuse(self, status: bytes, why: bytes) -> None:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        begun = cycle is not None and cycle.response_started and not cycle.response_complete
        if not begun and self._answered <= self._whole:
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
            self.transport.write(
                b"HTTP/1.1 %b\r\n%bcontent-length: %d\r\n\r\n%b" % (status, head, len(why), why)
            )
        self._close()

    def _close(self) -> None:
        self.transport.close()
        self._arm(self._limits.unread_seconds)
