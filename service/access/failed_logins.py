"""Limits failed logins per client network and in total.

Promises: a correct secret is never refused, even while others guess from behind the same proxy:
every secret is checked, and only wrong ones are throttled. Checks for guessing clients use a few
database connections at most. Bounded memory. Assumes secrets too long to be guessed
(`service.settings.OWNER_KEY_CHARACTERS_MIN`). Each process counts separately.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from msgspec import Struct

from service.access.throttle import Rate, Throttle
from service.errors import TooManyRequests

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
