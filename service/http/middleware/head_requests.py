"""HEAD wherever there is GET: the same answer without its content (RFC 9110 §9.3.2)."""

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_END: dict[str, Any] = {"type": "http.response.body", "body": b"", "more_body": False}


class HeadRequests:
    """The application, asked for headers alone too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; of an answer to HEAD, pass its headers back."""
        facts = cast("dict[str, Any]", scope)
        if scope["type"] != ScopeType.HTTP or facts["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        ended = False

        async def tell(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                facts["method"] = "HEAD"
                await send(message)
            elif not ended:
                ended = True
                await send(cast("Message", _END))

        facts["method"] = "GET"
        await self._app(scope, receive, tell)
