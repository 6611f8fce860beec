"""What a connection may take, however the other end behaves: time, and room beside the others.

Promises: the head of a request, its body and the reading of its answer end within their limits; who
sends too slowly is told so (408). However many connect, there is room for one more: it takes that
of the one that has waited longest without a whole request, first among those of its own address.
Connections whose requests are being answered are never closed for another. What is refused is
logged once a second at most.

Assumes that a reverse proxy on this machine, or one that FORWARDED_ALLOW_IPS names, speaks for
many: its address has no limit of its own.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from enum import Enum, auto
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, cast

import h11
import structlog
from msgspec import Struct
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from service.http.together import Together

_LOG_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How long and how many. A body may last longer the more of it has come."""

    head_seconds: float = 10.0
    body_seconds: float = 20.0
    body_bytes_per_second: float = 500.0
    idle_seconds: float = 75.0  # phones keep connections for a minute
    unread_seconds: float = 60.0
    ending_seconds: float = 1.0
    connections_max: int = 4_096
    # A club behind one router: forty phones of six connections each.
    connections_of_address_max: int = 256


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()
    HEAD = auto()
    BODY = auto()
    ANSWER = auto()


class Seldom:
    """Tells of what happens often once a second, with how often."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._times = 0

    def tell(self, **facts: object) -> None:
        """Log the first at once, and the others of a second together."""
        self._times += 1
        if self._times == 1:
            self._log(facts)

    def _log(self, facts: dict[str, object]) -> None:
        log.warning(self._event, times=self._times, **facts)
        asyncio.get_running_loop().call_later(_LOG_SECONDS, self._later, facts, self._times)

    def _later(self, facts: dict[str, object], told: int) -> None:
        self._times -= told
        if self._times:
            self._log(facts)


class Room:
    """Who is connected. `trusted`: addresses and networks of proxies; "*": everybody."""

    def __init__(self, limits: Limits, trusted: Iterable[str] = ()) -> None:
        self.limits = limits
        self._trusted = frozenset(trusted)
        self._inside: Counter[str] = Counter()
        # In the order in which they began to wait.
        self._waiting: dict[Guarded, None] = {}
        self._refused = Seldom("http.connection_refused")
        self._displaced = Seldom("http.connection_displaced")

    def enter(self, one: "Guarded", host: str) -> bool:
        """Make room; False where everybody is being answered."""
        address = self.address_of(host)
        of_address = self._inside[address] >= self.limits.connections_of_address_max
        if (of_address and address) or self._inside.total() >= self.limits.connections_max:
            mine = (other for other in self._waiting if other.address == address)
            longest = next(mine if of_address and address else iter(self._waiting), None)
            if longest is None:
                self._refused.tell(address=host)
                return False
            self._displaced.tell(address=host)
            longest.displace()
        one.address = address
        self._inside[address] += 1
        self._waiting[one] = None
        return True

    def waits(self, one: "Guarded", *, waits: bool) -> None:
        """Note whether one waits for a request; one that goes on waiting keeps its place."""
        if waits:
            self._waiting.setdefault(one)
        else:
            self._waiting.pop(one, None)

    def leave(self, one: "Guarded") -> None:
        """Forget one."""
        self._waiting.pop(one, None)
        if one.address is not None:
            self._inside[one.address] -= 1
            if not self._inside[one.address]:
                del self._inside[one.address]
            one.address = None

    def address_of(self, host: str) -> str:
        """Name whom an address stands for: a network of IPv6 (/64) is one; "": many."""
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return ""
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        if address.is_loopback or any(_covers(one, address) for one in self._trusted):
            return ""
        if isinstance(address, IPv6Address):
            return str(ip_network((address, 64), strict=False))
        return str(address)


class Guarded(H11Protocol):
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
        self._phase: Phase = Phase.IDLE
        self._since = self.loop.time()
        self._body_bytes = 0
        self._ending = False
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Take a place, or be told that there is none."""
        super().connection_made(transport)
        self.transport = Together(transport, self.loop)
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
        self._body_bytes += len(data)
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, or end where the service does."""
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
        if self._phase is Phase.BODY:
            self._arm(self._limits.ending_seconds)

    def displace(self) -> None:
        """Close at once, whatever was not read or sent."""
        self._room.leave(self)
        self.transport.abort()

    def _look(self) -> None:
        phase = self._find_phase()
        if phase is self._phase or self.transport.is_closing():
            return
        self._phase, self._since, self._body_bytes = phase, self.loop.time(), 0
        self._room.waits(self, waits=phase is not Phase.ANSWER)
        limits = self._limits
        match phase:
            case Phase.ANSWER:
                self._arm(None)
            case Phase.IDLE:
                self._arm(limits.idle_seconds)
            case Phase.HEAD:
                self._arm(limits.head_seconds)
            case Phase.BODY:
                self._arm(limits.ending_seconds if self._ending else limits.body_seconds)

    def _find_phase(self) -> Phase:
        theirs: object = self.conn.their_state
        if theirs is h11.SEND_BODY:
            return Phase.BODY
        if theirs is h11.IDLE:
            return Phase.HEAD if self.conn.trailing_data[0] else Phase.IDLE
        return Phase.ANSWER

    def _arm(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._expired)

    def _expired(self) -> None:
        match self._phase:
            case _ if self.transport.is_closing():
                self.displace()
            case Phase.IDLE:
                self._close()
            case Phase.BODY if self._ending:
                self._refuse(b"503 Service Unavailable", b"The service stops.\n")
            case Phase.BODY if (more := self._body_seconds_left()) > 0:
                self._arm(more)
            case _:
                self._refuse(b"408 Request Timeout", b"The request took too long to come.\n")

    def _body_seconds_left(self) -> float:
        if self.flow.read_paused:  # it is we who are slow
            self._since = self.loop.time()
        earned = self._body_bytes / self._limits.body_bytes_per_second
        return self._since + self._limits.body_seconds + earned - self.loop.time()

    def _refuse(self, status: bytes, why: bytes) -> None:
        """Say why, where no answer was begun, and close."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or not cycle.response_started:
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
            self.transport.write(
                b"HTTP/1.1 %b\r\n%bcontent-length: %d\r\n\r\n%b" % (status, head, len(why), why)
            )
        self._close()

    def _close(self) -> None:
        """Close once the other end has read, or too long has not."""
        self.transport.close()
        self._arm(self._limits.unread_seconds)


def _covers(trusted: str, address: IPv4Address | IPv6Address) -> bool:
    """Say whether a proxy's address or network covers an address."""
    if trusted == "*":
        return True
    try:
        return address in ip_network(trusted, strict=False)
    except ValueError:
        return False
