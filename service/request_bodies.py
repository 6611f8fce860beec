"""Forms, time limits on request bodies, and cancellation when a client disconnects."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, TypeVar, cast

from litestar import Request, Response
from litestar.datastructures import FormMultiDict
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

from service.errors import CarnetError, ClientLeft, UnreadableForm
from service.tasks import cancel_and_wait

T = TypeVar("T")

LEFT = 499
BODY_SECONDS_MAX = 20.0
BODY_BYTES_PER_SECOND_MIN = 500.0
STOP_SECONDS_MAX = 1.0
DISCARDED_BYTES_MAX = 64 * 2**20
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})
_HTTP_BAD_REQUEST = 400
# Litestar's detail of a form with too many parts.
_TOO_MANY_PARTS = "Request Entity Too Large"


class FormRequest(Request[Any, Any, Any]):
    """A request that raises the same error for every kind of malformed form."""

    async def form(self) -> FormMultiDict:
        """Parse the form. Raises: UnreadableForm."""
        try:
            return await super().form()
        except ClientException as error:
            if error.status_code != _HTTP_BAD_REQUEST:  # the body is longer than the route allows
                raise
            raise UnreadableForm(too_large=error.detail == _TOO_MANY_PARTS) from None
        except (UnicodeDecodeError, LookupError):  # a character set that is unknown or not obeyed
            raise UnreadableForm from None


class BodyTimeout(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    pass


class RequestBodies:
    """An ASGI middleware with a time limit on request bodies.

    Reading a body raises `BodyTimeout`, or `ClientLeft` if the client disconnects.
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
        """Limit bodies to `STOP_SECONDS_MAX` once the service stops."""
        await stopping.wait()
        self._seconds_max = STOP_SECONDS_MAX
        for limit in self._reading:
            limit.reschedule(asyncio.get_running_loop().time() + STOP_SECONDS_MAX)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
            # A client that is still sending when the connection closes would miss the answer.
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


async def cancel_on_disconnect(request: Request[Any, Any, Any], work: Awaitable[T]) -> T:
    """Await long work; cancel it when the client disconnects.

    Assumes that the request body was read completely.

    Raises: ClientLeft, and the errors of the work
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.create_task(_wait_for_disconnect(request.receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft
        return working.result()
    finally:
        await cancel_and_wait(leaving, working)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def answer_disconnect(request: Request[Any, Any, Any], error: ClientLeft) -> Response[Any]:
    """Answer bad chunks, or a client that disconnected, which only the access log sees."""
    del error
    if "transfer-encoding" not in request.headers:
        return Response(None, status_code=LEFT)
    return Response(
        "The chunks of the request body are malformed.\n", status_code=400, media_type="text/plain"
    )


def answer_timeout(_: Request[Any, Any, Any], error: BodyTimeout) -> Response[str]:
    del error
    return Response(
        "The request took too long to come.\n",
        status_code=408,
        media_type="text/plain",
        headers={"Connection": "close"},
    )
