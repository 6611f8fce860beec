"""Drops the work of clients that hung up, and releases what a request holds at its end."""

import asyncio
from collections import deque
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

from service.access.shares import Share
from service.store.connection.clients import set_client

# Most requests are answered before; they need no task that waits for their client.
WATCH_AFTER_SECONDS = 0.1
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


class Clients:
    """Notices that a client hung up during a request without a body.

    Its queries are not sent any more (`service.store.connection.pool.connection`); one that is
    running ends as it would have. The shares in the request's state are released at its end.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        facts = cast("dict[str, Any]", scope)
        shares: list[Share] = []
        facts["state"]["shares"] = shares
        client = _Client(receive)
        if not any(name in _BODY_HEADERS for name, _ in facts["headers"]):
            set_client(lambda: client.gone)
            loop = asyncio.get_running_loop()
            starting = loop.call_later(WATCH_AFTER_SECONDS, client.watch)
        else:
            starting = None
        try:
            await self._app(scope, client.receive, send)
        finally:
            if starting is not None:
                starting.cancel()
            client.end()
            for share in shares:
                share.release()


class _Client:
    """Reads ahead until the client hangs up, unless the application reads itself."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read: deque[HTTPReceiveMessage] = deque()
        self._watching: asyncio.Task[HTTPReceiveMessage] | None = None
        self._read_by_app = False
        self.gone = False

    def watch(self) -> None:
        if not self._read_by_app:
            self._watching = asyncio.create_task(self._wait())

    async def receive(self) -> HTTPReceiveMessage:
        self._read_by_app = True
        if self._read:
            return self._read.popleft()
        if self._watching is not None:
            return await asyncio.shield(self._watching)
        return cast("HTTPReceiveMessage", await self._receive())

    def end(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def _wait(self) -> HTTPReceiveMessage:
        while True:
            message = cast("HTTPReceiveMessage", await self._receive())
            if message["type"] == "http.disconnect":
                self.gone = True
                return message
            self._read.append(message)
