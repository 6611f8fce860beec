"""Appends, answered past the framework's layers: routing, dependencies, hooks and wrapped answers.

They are what people wait for at the table, and half of what a request cost the processor was spent
in layers that do nothing for it. Promises: the same handler, guard, limits, errors and headers as
by the route, which stands beside it for the documentation and answers whatever is not plainly an
append. Assumes to stand next to the framework's own application.
"""

import re
import zlib
from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from litestar import Litestar, Request, Response
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.access.admission import guard
from service.http.games.append_request import AppendRequest
from service.http.games.entries import APPEND_PATH, answer_append
from service.tenancy.club_services import services_of

# An id as the route takes it, before the path and behind it nothing.
_APPEND = re.compile(r"/api/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/entries")
_HOST = re.compile(rb"[\w.:\[\]-]+")
# zlib.compressobj: a window of 16 kB, in a gzip file, and tables for as much. The largest take
# longer to clear than an answer takes to pack, and hardly any is longer.
_GZIP_WINDOW, _GZIP_MEMORY = 30, 7

ToAnswer = Callable[[Request[Any, Any, Any], Exception], Response[Any]]


class AppendFastPath:
    """The application, with appends answered before it. `to_answer` tells of errors."""

    def __init__(
        self,
        app: Litestar,
        to_answer: ToAnswer,
        body_bytes_max: int,
        gzip_bytes_min: int,
        gzip_level: int,
    ) -> None:
        self._app: ASGIApp = app.asgi_handler
        self._litestar = app
        self._to_answer = to_answer
        self._body_bytes_max = body_bytes_max
        self._gzip_bytes_min = gzip_bytes_min
        self._gzip_level = gzip_level
        self._route = _append_route(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an append; pass everything else on."""
        facts = cast("dict[str, Any]", scope)
        found = None
        if scope["type"] == ScopeType.HTTP and facts["method"] == "POST":
            found = _APPEND.fullmatch(facts["path"])
        if found is None or facts.get("root_path") or not _plain_host(facts):
            await self._app(scope, receive, send)
            return
        game_id = UUID(found[1])
        facts["path_params"] = {"game_id": game_id}
        facts["path_template"] = APPEND_PATH
        facts["route_handler"] = self._route
        request = AppendRequest(scope, receive, send, self._body_bytes_max)
        try:
            await guard(request, self._route)
            services = services_of(request)
            body, headers = await answer_append(request, game_id, services.games, services.commands)
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is told as everywhere
            told: Response[Any] = self._to_answer(request, error)
            answer = cast("ASGIApp", cast("Any", told).to_asgi_response(self._litestar, request))
            await answer(scope, receive, send)
            return
        await self._send(facts, send, body, headers)

    async def _send(
        self, facts: dict[str, Any], send: Send, body: bytes, headers: dict[str, str]
    ) -> None:
        head = [
            (b"content-type", b"application/json"),
            (b"cache-control", b"no-store"),
            *((name.lower().encode(), value.encode()) for name, value in headers.items()),
        ]
        if len(body) >= self._gzip_bytes_min and _takes_gzip(facts):
            packing = zlib.compressobj(self._gzip_level, wbits=_GZIP_WINDOW, memLevel=_GZIP_MEMORY)
            body = packing.compress(body) + packing.flush()
            head += [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
        head.append((b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": 201, "headers": head})
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _plain_host(facts: dict[str, Any]) -> bool:
    host = next((value for name, value in facts["headers"] if name == b"host"), b"-")
    return _HOST.fullmatch(host) is not None


def _takes_gzip(facts: dict[str, Any]) -> bool:
    return any(b"gzip" in value for name, value in facts["headers"] if name == b"accept-encoding")


def _append_route(app: Litestar) -> HTTPRouteHandler:
    return next(
        handler
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path == APPEND_PATH
        for handler in route.route_handlers
        if "POST" in handler.http_methods
    )
