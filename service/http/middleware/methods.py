"""Answers HEAD like GET (RFC 9110 §9.3.2), and OPTIONS with all methods (§9.3.7)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_END: dict[str, Any] = {"type": "http.response.body", "body": b"", "more_body": False}


class Methods:
    def __init__(self, app: ASGIApp, allowed: Mapping[str, str]) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        facts = cast("dict[str, Any]", scope)
        method = facts["method"] if scope["type"] == ScopeType.HTTP else None
        if method == "HEAD":
            facts["method"] = "GET"
            await self._app(scope, receive, _without_content(facts, send))
        elif method == "OPTIONS":
            await self._app(scope, receive, self._naming_all(facts, send))
        else:
            await self._app(scope, receive, send)

    def _naming_all(self, facts: dict[str, Any], send: Send) -> Send:
        async def answer(message: Message) -> None:
            allowed = self._allowed.get(facts.get("path_template", ""))
            if message["type"] == "http.response.start" and allowed is not None:
                others = [one for one in message["headers"] if one[0].lower() != b"allow"]
                message["headers"] = [*others, (b"allow", allowed.encode())]
            await send(message)

        return answer


def _without_content(facts: dict[str, Any], send: Send) -> Send:
    ended = False

    async def answer(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.start":
            facts["method"] = "HEAD"
            await send(message)
        elif not ended:
            ended = True
            await send(cast("Message", _END))

    return answer


def methods_of(routes: Iterable[BaseRoute]) -> dict[str, str]:
    """Return `Allow` of each path; Litestar itself lists only those of one router."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for route in routes:
        if isinstance(route, HTTPRoute):
            found[route.path_format].update(route.methods)
    return {path: allowed(methods) for path, methods in found.items()}


def allowed(methods: Iterable[str]) -> str:
    all_of_them = {*methods}
    return ", ".join(sorted(all_of_them | ({"HEAD"} if "GET" in all_of_them else set())))
