"""Refuses requests without exactly one valid `Host` (RFC 9112 §3.2)."""

import re
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any, cast

from litestar import Request, Response
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.inputs import malformed

_HOST = re.compile(rb"(?:[\w.~-]+|\[([0-9A-Fa-f:.]+)\])(?::(\d{1,5}))?")
_PORT_MAX = 65_535
_HTTP_1_0 = "1.0"

Refuse = Callable[[Request[Any, Any, Any], Exception], Response[Any]]


class HostCheck:
    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        facts = cast("dict[str, Any]", scope)
        hosts = [value for name, value in facts["headers"] if name == b"host"]
        if (len(hosts) == 1 and is_host(hosts[0])) or (
            not hosts and facts["http_version"] == _HTTP_1_0
        ):
            await self._app(scope, receive, send)
            return
        # Error handlers read the URL of the request, which needs a valid host.
        facts["headers"] = [one for one in facts["headers"] if one[0] != b"host"]
        request: Request[Any, Any, Any] = Request(scope, receive, send)
        refused = self._refuse(request, malformed("$.headers.Host", "a host, such as a.example"))
        answer = cast("ASGIApp", refused.to_asgi_response(None, request))
        await answer(scope, receive, send)


@lru_cache(maxsize=256)
def is_host(host: bytes) -> bool:
    """Return whether `Host` is a name or address with an optional port (RFC 3986 §3.2)."""
    found = _HOST.fullmatch(host)
    if found is None or int(found[2] or 0) > _PORT_MAX:
        return False
    try:
        return found[1] is None or bool(IPv6Address(found[1].decode()))
    except ValueError:
        return False
