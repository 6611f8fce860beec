"""Whoever leaves in the middle of a body: neither a fault of ours nor an error.

Promises: whoever reads such a body meets `ClientLeft`, which nobody is told of and the log has as
status 499, for want of a standard one. Assumes to stand around the application.
"""

from typing import Any, cast

from litestar import Request, Response
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, ReceiveMessage, Scope, Send

from service.errors import CarnetError

LEFT = 499
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


class ClientLeft(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    """The other end closed before the whole request was here."""


class Departures:
    """The application, told plainly of those who left before they had said everything."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        facts = cast("dict[str, Any]", scope)
        if scope["type"] != ScopeType.HTTP or not any(
            name in _BODY_HEADERS for name, _ in facts["headers"]
        ):
            await self._app(scope, receive, send)
            return
        whole = False

        async def read() -> ReceiveMessage:
            nonlocal whole
            message = await receive()
            if message["type"] == "http.request":
                whole = not message["more_body"]
            elif message["type"] == "http.disconnect" and not whole:
                raise ClientLeft
            return message

        await self._app(scope, cast("Receive", read), send)


def to_nobody(_: Request[Any, Any, Any], error: ClientLeft) -> Response[None]:
    """Answer nobody."""
    del error
    return Response(None, status_code=LEFT)
