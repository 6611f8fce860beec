"""Where calls may go: never into the network that Carnet stands in, unless its operator says so.

Promises: an address is judged after its name was resolved, and what is judged is what is called; an
address that holds another one (mapped, NAT64, 6to4) is judged by that as well. Plain http goes only
to networks that the operator allows.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
URL_CHARACTERS_MAX = 2_000
_PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")
# All that is given out of IPv6 (IANA, Global Unicast Address Space), and its part for documents
# (RFC 9637), which Python knows from 3.13 on. Outside are fec0::/10, 64:ff9b:1::/48 and ::/96.
_UNICAST = IPv6Network("2000::/3")
_DOCUMENTS = IPv6Network("3fff::/20")
# A name that cannot be resolved in this time is judged when it is called.
RESOLVE_SECONDS = 2.0


class BadUrl(ValueError):  # noqa: N818 -- it is about what was given, as NotFound is
    """This is no address that a webhook can have."""


class AddressRefused(Exception):  # noqa: N818 -- as above
    """Calls do not go there."""


class Target(Struct, frozen=True, kw_only=True):
    """Where a call goes. `addresses`: as they were resolved and allowed, the first preferred."""

    scheme: str
    host: str
    port: int
    path: str
    authority: str
    addresses: tuple[str, ...]


async def resolve(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a host.

    Raises: OSError (there are none, or nobody answers)
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def read_url(text: str) -> SplitResult:
    """Read the address of a webhook.

    Raises: BadUrl
    """
    if len(text) > URL_CHARACTERS_MAX or not (text.isascii() and text.isprintable()):
        raise BadUrl(text)
    try:
        url = urlsplit(text)
        bad_port = url.port == 0
    except ValueError as error:
        raise BadUrl(text) from error
    if url.scheme not in _PORTS or not url.hostname or bad_port or " " in text:
        raise BadUrl(text)
    if url.username is not None or url.password is not None or url.fragment:
        raise BadUrl(text)
    return url


async def check_callable(
    text: str, allowed: Sequence[Network], resolved: Resolve = resolve
) -> None:
    """Refuse an address that would never be called; a name that nobody resolves may be there later.

    Raises: BadUrl, AddressRefused
    """
    if read_url(text).scheme != "https" and not allowed:
        raise AddressRefused(text)
    with suppress(OSError, UnicodeError):  # TimeoutError is an OSError
        async with asyncio.timeout(RESOLVE_SECONDS):
            await target_of(text, allowed, resolved)


async def target_of(text: str, allowed: Sequence[Network], resolved: Resolve = resolve) -> Target:
    """Find out where a call to an address goes.

    Raises: BadUrl, AddressRefused, OSError (the name cannot be resolved)
    """
    url = read_url(text)
    host, port = url.hostname or "", url.port or _PORTS[url.scheme]
    addresses = await resolved(host, port)
    fit = tuple(one for one in addresses if may_call(one, allowed, secure=url.scheme == "https"))
    if not fit:
        raise AddressRefused(host)
    path = url.path or "/"
    return Target(
        scheme=url.scheme,
        host=host,
        port=port,
        path=f"{path}?{url.query}" if url.query else path,
        authority=url.netloc,
        addresses=fit,
    )


def may_call(text: str, allowed: Sequence[Network], *, secure: bool) -> bool:
    """Say whether calls may go to an address; `secure`: by https."""
    # A zone (fe80::1%eth0) is of this machine's network anyway.
    address = ip_address(text.partition("%")[0])
    if any(one in network for one in _meant(address) for network in allowed):
        return True
    return secure and all(_public(one) for one in _meant(address))


def _public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and (address not in _UNICAST or address in _DOCUMENTS):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _meant(address: Address) -> list[Address]:
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        return [address, address.sixtofour]
    if address.teredo is not None:
        return [address, *address.teredo]
    if address in _NAT64:
        return [IPv4Address(int(address) & 0xFFFF_FFFF)]
    return [address]
