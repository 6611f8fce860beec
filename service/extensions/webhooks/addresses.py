"""Addresses of webhooks: private networks are refused unless the operator allows them.

Promises: every address is checked after its name was resolved, and only a checked address is
called; an address that embeds another one (mapped, NAT64, 6to4) is checked for that as well. Plain
HTTP is allowed only in the operator's networks.
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
# The allocated part of IPv6 (IANA, Global Unicast Address Space), and its prefix for documentation
# (RFC 9637), which `ipaddress` has since 3.13. Outside are fec0::/10, 64:ff9b:1::/48 and ::/96.
_UNICAST = IPv6Network("2000::/3")
_DOCUMENTS = IPv6Network("3fff::/20")
_LOCAL_DOMAINS = frozenset({"localhost", "local", "internal", "lan", "home", "arpa"})
# A name that does not resolve in this time is checked at the first call.
RESOLVE_SECONDS = 2.0


class BadUrl(ValueError):  # noqa: N818 -- named by its fact, as in service.errors
    pass


class AddressRefused(Exception):  # noqa: N818 -- as above
    pass


class Target(Struct, frozen=True, kw_only=True):
    """The target of a call. `addresses`: resolved and allowed, the preferred one first."""

    scheme: str
    host: str
    port: int
    path: str
    authority: str
    addresses: tuple[str, ...]


async def resolve(host: str, port: int) -> Sequence[str]:
    """Resolve a host with the system's resolver. Raises: OSError (no address, or no answer)."""
    loop = asyncio.get_running_loop()
    addresses = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in addresses))


def read_url(text: str) -> SplitResult:
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
    """Refuse an address that can never be called; a name that does not resolve yet is allowed."""
    url = read_url(text)
    if not allowed and (url.scheme != "https" or _is_local(url.hostname or "")):
        raise AddressRefused(text)
    with suppress(OSError, UnicodeError):  # TimeoutError is an OSError
        async with asyncio.timeout(RESOLVE_SECONDS):
            await target_of(text, allowed, resolved)


def _is_local(host: str) -> bool:
    """Return whether a name can only be one of a local network."""
    name = host.rstrip(".")
    if ":" in name:  # an IPv6 address
        return False
    return "." not in name or name.rpartition(".")[2] in _LOCAL_DOMAINS


async def target_of(text: str, allowed: Sequence[Network], resolved: Resolve = resolve) -> Target:
    """Resolve and check the target of a call.

    Raises: BadUrl, AddressRefused, OSError (the name cannot be resolved)
    """
    url = read_url(text)
    host, port = url.hostname or "", url.port or _PORTS[url.scheme]
    # The resolver refuses "10.0.0.1." as a name, but a client may read it as the address.
    addresses = await resolved(host.removesuffix("."), port)
    fit = tuple(
        address for address in addresses if may_call(address, allowed, secure=url.scheme == "https")
    )
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
    """Return whether an address may be called; `secure`: by HTTPS."""
    # A zone (fe80::1%eth0) is of this machine's network anyway.
    address = ip_address(text.partition("%")[0])
    if any(inside in network for inside in _embedded_addresses(address) for network in allowed):
        return True
    return secure and all(_public(inside) for inside in _embedded_addresses(address))


def _public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and (address not in _UNICAST or address in _DOCUMENTS):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _embedded_addresses(address: Address) -> list[Address]:
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
