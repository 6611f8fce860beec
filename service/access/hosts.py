"""The base URL of shared links and QR codes.

Promises: if `CARNET_HOSTS` is set, links lead to one of its hosts, by default the first. Otherwise
they start as the request did; if that was on loopback and the service listens on the network, they
use this machine's network address, so that phones reach it. Assumes `settings` in the application's
state, and that each host is served by the scheme of the request.
"""

import ipaddress
import socket
from typing import Any

from litestar import Request

from service.settings import Settings

# Documentation addresses (RFC 5737, RFC 3849): connecting a UDP socket sends nothing, it only
# selects the outgoing address.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def own_address() -> str | None:
    """Return this machine's address in its network; None without a network."""
    for family, elsewhere in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None


def is_loopback(host: str) -> bool:
    """Return whether a host is loopback; `localhost` and its subdomains are (RFC 6761 §6.3)."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_wildcard(host: str) -> bool:
    """Return whether a host to listen on means every address of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def url_host(host: str) -> str:
    """Write a host as in a URL: IPv6 in brackets (RFC 3986 §3.2.2)."""
    return f"[{host}]" if ":" in host else host


def shared_base(request: Request[Any, Any, Any]) -> str:
    """Return scheme and host for links to share, without a trailing slash."""
    settings: Settings = request.app.state["settings"]
    hosts = settings.hosts
    url = request.url
    if not hosts:
        return _network_base(request, settings) or str(request.base_url).rstrip("/")
    if {url.netloc.lower(), (url.hostname or "").lower()} & set(hosts):
        return str(request.base_url).rstrip("/")
    return f"{url.scheme}://{hosts[0]}"


def _network_base(request: Request[Any, Any, Any], settings: Settings) -> str | None:
    """Return the network URL of a service opened on its own machine, else None.

    In a container the client is not on loopback, and the container's address is unreachable.
    """
    here = request.client is not None and is_loopback(request.client.host)
    if not (here and is_loopback(request.url.hostname or "") and is_wildcard(settings.host)):
        return None
    own, port = own_address(), request.url.port
    if own is None:
        return None
    return f"{request.url.scheme}://{url_host(own)}" + (f":{port}" if port else "")
