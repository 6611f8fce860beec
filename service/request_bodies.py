"""Requests whose body stalls, or whose sender leaves before the answer."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, TypeVar, cast

from litestar import Request, Response
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

from service.errors import CarnetError
from service.tasks import ended

T = TypeVar("T")

LEFT = 499
BODY_SECONDS_MAX = 20.0
BODY_BYTES_PER_SECOND_MIN = 500.0
STOP_SECONDS_MAX = 1.0
DISCARDED_BYTES_MAX = 64 * 2**20
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


class ClientLeft(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    """The other end closed before the whole request was here."""


class BodyTimeout(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    """The body did not come in time."""


class RequestBodies:
    """The application, with limits on how long a body takes to come.

    Reading one raises `BodyTimeout`, or `ClientLeft` where its sender closed the connection.
    """

    def __init__(
        self,
        app: ASGIApp,
        seconds_max: float = BODY_SECONDS_MAX,
        bytes_per_second_min: float = BODY_BYTES_PER_SECOND_MIN,
    ) -> None:
        self._app = app
        self._seconds_max = seconds_max
        self._bytes_per_second_min = bytes_per_second_min
        self._reading: set[asyncio.Timeout] = set()

    async def shorten(self, stopping: asyncio.Event) -> None:
        """Give bodies `STOP_SECONDS_MAX` from the moment on when the service stops."""
        await stopping.wait()
        self._seconds_max = STOP_SECONDS_MAX
        for limit in self._reading:
            limit.reschedule(asyncio.get_running_loop().time() + STOP_SECONDS_MAX)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        facts = cast("dict[str, Any]", scope)
        if scope["type"] != ScopeType.HTTP or not any(
            name in _BODY_HEADERS for name, _ in facts["headers"]
        ):
            await self._app(scope, receive, send)
            return
        over, deadline = False, 0.0

        async def read() -> ReceiveMessage:
            nonlocal over, deadline
            if over:  # what comes now is that the client leaves
                return await receive()
            deadline = deadline or asyncio.get_running_loop().time() + self._seconds_max
            try:
                async with asyncio.timeout_at(deadline) as limit:
                    self._reading.add(limit)
                    try:
                        message = await receive()
                    finally:
                        self._reading.discard(limit)
            except TimeoutError:
                over = True
                raise BodyTimeout from None
            if message["type"] == "http.disconnect":
                over = True
                raise ClientLeft
            if message["type"] == "http.request":
                over = not message["more_body"]
                deadline += len(message["body"]) / self._bytes_per_second_min
            return message

        async def answer(message: Message) -> None:
            # A client that still sends when its connection closes would not see the answer.
            if message["type"] == "http.response.start" and not over:
                await discard()
            await send(message)

        async def discard() -> None:
            left = DISCARDED_BYTES_MAX
            with suppress(BodyTimeout, ClientLeft):
                while not over and left > 0:
                    message = cast("dict[str, Any]", await read())
                    left -= len(message["body"])

        await self._app(scope, cast("Receive", read), answer)


async def while_there(request: Request[Any, Any, Any], work: Awaitable[T]) -> T:
    """Wait for long work as long as somebody waits for its answer; cancel it when they leave.

    Assumes that the whole request was read, or had no body.

    Raises: ClientLeft, and whatever the work raises
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.create_task(_left(request.receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft
        return working.result()
    finally:
        await ended(leaving, working)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def to_nobody(_: Request[Any, Any, Any], error: ClientLeft) -> Response[None]:
    """Answer a client that has left: the status is for the log."""
    del error
    return Response(None, status_code=LEFT)


def to_late(_: Request[Any, Any, Any], error: BodyTimeout) -> Response[str]:
    """Answer a client whose body did not come in time, and close the connection."""
    del error
    return Response(
        "The request took too long to come.\n",
        status_code=408,
        media_type="text/plain",
        headers={"Connection": "close"},
    )
