"""Whoever leaves before the answer, or in the middle of a body: no fault of ours, and no error."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar, cast

from litestar import Request, Response
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, ReceiveMessage, Scope, Send

from service.errors import CarnetError
from service.tasks import ended

T = TypeVar("T")

LEFT = 499
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


class ClientLeft(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    """The other end closed before the whole request was here."""


class ClientDisconnects:
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


async def while_there(request: Request[Any, Any, Any], work: Awaitable[T]) -> T:
    """Wait for long work as long as somebody waits for its answer; cancel it when they leave.

    Assumes that the whole request was read, or had no body.

    Raises: ClientLeft, and whatever the work raises
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft
        return working.result()
    finally:
        await ended(leaving, working)


async def _left(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def to_nobody(_: Request[Any, Any, Any], error: ClientLeft) -> Response[None]:
    """Answer nobody."""
    del error
    return Response(None, status_code=LEFT)
