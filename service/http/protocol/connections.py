"""The room there is for connections, and what each may take of it."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Protocol

import structlog
from msgspec import Struct

from service.access.failed_logins import address_in, network_of

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
    head_bytes: int = 65_536
    # A club behind one router: forty phones of six connections each.
    connections_of_address_max: int = 256


class Waiting(Protocol):
    """A connection as `Room` knows it. `address`: whom it counts for; None: it is not inside."""

    address: str | None

    def displace(self) -> None:
        """Close at once, whatever was not read or sent."""


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
    """Who is connected. `trusted`: addresses and networks of proxies."""

    def __init__(self, limits: Limits, trusted: Iterable[str] = ()) -> None:
        self.limits = limits
        self._trusted = frozenset(trusted)
        self._inside: Counter[str] = Counter()
        # In the order in which they began to wait.
        self._waiting: dict[Waiting, None] = {}
        self._refused = Seldom("http.connection_refused")
        self._displaced = Seldom("http.connection_displaced")

    def enter(self, one: Waiting, host: str) -> bool:
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

    def waits(self, one: Waiting, *, waits: bool) -> None:
        """Note whether one waits for a request; one that goes on waiting keeps its place."""
        if waits:
            self._waiting.setdefault(one)
        else:
            self._waiting.pop(one, None)

    def leave(self, one: Waiting) -> None:
        """Forget one."""
        self._waiting.pop(one, None)
        if one.address is not None:
            self._inside[one.address] -= 1
            if not self._inside[one.address]:
                del self._inside[one.address]
            one.address = None

    def address_of(self, host: str) -> str:
        """Name whom an address stands for: a network of IPv6 (/64) is one; "": many."""
        address = address_in(host)
        if address is None or address.is_loopback:
            return ""
        return "" if any(_covers(one, address) for one in self._trusted) else network_of(host)


def _covers(trusted: str, address: IPv4Address | IPv6Address) -> bool:
    try:
        return address in ip_network(trusted, strict=False)
    except ValueError:
        return False
