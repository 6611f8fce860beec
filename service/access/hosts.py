"""The address that links begin with: one of ours, whatever name a request came by.

Promises: where `CARNET_HOSTS` names hosts, no link that is shared and no QR code leads anywhere
else; a request that came by another name gets the first of them. Where it names none, links begin
as the request did, but for one from this machine to itself: where the service is reached in the
network, too, they name its address there. Assumes `settings` in the application's state, and that
each host is reached by the scheme of the request.
"""

from typing import Any

from litestar import Request

from service.access.network import in_address, is_everywhere, is_loopback, own_address
from service.settings import Settings


def shared_base(request: Request[Any, Any, Any]) -> str:
    """Return scheme and host of a link to share, without a slash at its end."""
    settings: Settings = request.app.state["settings"]
    hosts = settings.hosts
    url = request.url
    if not hosts:
        return _in_network(request, settings) or str(request.base_url).rstrip("/")
    if {url.netloc.lower(), (url.hostname or "").lower()} & set(hosts):
        return str(request.base_url).rstrip("/")
    return f"{url.scheme}://{hosts[0]}"


def _in_network(request: Request[Any, Any, Any], settings: Settings) -> str | None:
    """Return what phones reach of a service opened on its own machine; None: as it was opened.

    In a container whoever opens it comes from elsewhere, and its own address is reached by nobody.
    """
    here = request.client is not None and is_loopback(request.client.host)
    if not (here and is_loopback(request.url.hostname or "") and is_everywhere(settings.host)):
        return None
    own, port = own_address(), request.url.port
    if own is None:
        return None
    return f"{request.url.scheme}://{in_address(own)}" + (f":{port}" if port else "")
