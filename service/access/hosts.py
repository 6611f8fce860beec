"""The base URL of shared links and QR codes.

Promises: if `CARNET_HOSTS` is set, links lead to one of its hosts, by default the first. Otherwise
they start as the request did; if that was on loopback and the service listens on the network, they
use this machine's network address, so that phones reach it. Assumes `settings` in the application's
state, and that each host is served by the scheme of the request.
"""

from typing import Any

from litestar import Request

from service.access.network import is_loopback, is_wildcard, own_address, url_host
from service.settings import Settings


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
