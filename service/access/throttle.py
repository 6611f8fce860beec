"""Token buckets per key, and the limits on failed logins made of them."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil

from msgspec import Struct

from service.errors import TooManyRequests

_KEYS_MAX = 10_000


class Rate(Struct, frozen=True):
    """A rate: `burst` at once, then `per_second`."""

    burst: int
    per_second: float


class Throttle:
    """Token buckets of one rate. `seconds`: a monotonic clock."""

    def __init__(self, rate: Rate, seconds: Callable[[], float]) -> None:
        self._rate = rate
        self._seconds = seconds
        self._buckets: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, key: object) -> int:
        """Return the seconds until `key` has a token, 0 if it has one now; take none."""
        level, _ = self._level(key)
        return 0 if level >= 1 else self._until_one(level)

    def take(self, key: object) -> int:
        """Take a token and return 0, or return the seconds until there is one."""
        level, now = self._level(key)
        if level < 1:
            return self._until_one(level)
        self._buckets[key] = (level - 1, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > _KEYS_MAX:
            self._buckets.popitem(last=False)
        return 0

    def _until_one(self, level: float) -> int:
        return max(1, ceil((1 - level) / self._rate.per_second))

    def _level(self, key: object) -> tuple[float, float]:
        now = self._seconds()
        level, then = self._buckets.get(key, (float(self._rate.burst), now))
        return min(self._rate.burst, level + (now - then) * self._rate.per_second), now


_OVERALL = ""
_AT_ONCE = 2


class FailedLoginRates(Struct, frozen=True, kw_only=True):
    """How many wrong secrets are answered 401 before 429."""

    address: Rate = Rate(burst=60, per_second=1)
    overall: Rate = Rate(burst=600, per_second=10)


class FailedLogins:
    """Counts failed logins. `seconds`: a monotonic clock."""

    def __init__(self, rates: FailedLoginRates, seconds: Callable[[], float]) -> None:
        self._per_client = Throttle(rates.address, seconds)
        self._overall = Throttle(rates.overall, seconds)
        self._slots = asyncio.Semaphore(_AT_ONCE)

    def count(self, client: str) -> None:
        """Count a failed login.

        Raises: TooManyRequests (too many from this network, or in total)
        """
        wait = max(self._per_client.take(client_network(client)), self._overall.take(_OVERALL))
        if wait:
            raise TooManyRequests(wait)

    @asynccontextmanager
    async def checking(self, client: str) -> AsyncGenerator[None]:
        """Check an unknown secret in this context: clients that guess share a few slots."""
        if not self._wait_seconds(client):
            yield
            return
        async with self._slots:
            yield

    def _wait_seconds(self, client: str) -> int:
        per_client = self._per_client.wait_seconds(client_network(client))
        return max(per_client, self._overall.wait_seconds(_OVERALL))


def client_network(host: str) -> str:
    """Return the network that one client controls: /64 of an IPv6 address, an IPv4 address itself.

    Anything else is returned unchanged.
    """
    address = parsed_address(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return host if address is None else str(address)


def parsed_address(host: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address, an IPv4-mapped IPv6 address as IPv4; None if invalid."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
