"""Wrong secrets, counted by the address they come from and overall.

Promises: whoever is right is never shut out by somebody else's guessing, also not behind the same
proxy and not after a restart: a secret is always looked at, and only a wrong one is refused by its
number. What is looked at for guessers takes a few of the database's connections at most. Bounded
memory. Assumes secrets that no number of tries finds (`service.settings.OWNER_KEY_CHARACTERS_MIN`),
so that counting bounds what guessing costs; processes behind one address count apart.
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
    """How many wrong secrets are answered as such: from one address, and from all together."""

    address: Rate = Rate(burst=60, per_second=1)
    overall: Rate = Rate(burst=600, per_second=10)


class FailedLogins:
    """The wrong secrets of late. `seconds` is a clock that only goes forward."""

    def __init__(self, rates: FailedLoginRates, seconds: Callable[[], float]) -> None:
        self._of_address = Throttle(rates.address, seconds)
        self._overall = Throttle(rates.overall, seconds)
        self._looking = asyncio.Semaphore(_AT_ONCE)

    def count(self, client: str) -> None:
        """Count one wrong secret from an address.

        Raises: TooManyRequests (there were too many from there, or from everywhere)
        """
        wait = max(self._of_address.take(network_of(client)), self._overall.take(_OVERALL))
        if wait:
            raise TooManyRequests(wait)

    @asynccontextmanager
    async def looked_at(self, client: str) -> AsyncGenerator[None]:
        """Look at a secret that was not right before: with few others where somebody guesses."""
        if not self._wait_seconds(client):
            yield
            return
        async with self._looking:
            yield

    def _wait_seconds(self, client: str) -> int:
        of_address = self._of_address.wait_seconds(network_of(client))
        return max(of_address, self._overall.wait_seconds(_OVERALL))


def network_of(host: str) -> str:
    """Name whom an address stands for: a network of IPv6 (/64) is one; what is none is itself."""
    address = address_in(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return host if address is None else str(address)


def address_in(host: str) -> IPv4Address | IPv6Address | None:
    """Read an address, one of IPv4 that is written as IPv6 as what it is; None: it is none."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
