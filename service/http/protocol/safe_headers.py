"""Headers that every answer carries, whoever made it and whatever it is.

Promises: no browser takes an answer for another kind than it says it is, and one that came by https
comes back by https only. Assumes a server that knows from its proxy how the request came.
"""

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


class SafeHeaders:
    """The application, with these headers where it sets none of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and its answer back with more headers."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        https = cast("dict[str, Any]", scope)["scheme"] == "https"
        wanted = (_NO_SNIFFING, _HTTPS_ONLY) if https else (_NO_SNIFFING,)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                more = (header for header in wanted if header[0] not in there)
                message["headers"] = [*message["headers"], *more]
            await send(message)

        await self._app(scope, receive, answer)
