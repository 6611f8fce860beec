"""The HTTP server around the application.

Promises: SIGTERM and SIGINT end open event streams at once, let requests that were begun finish,
and then stop; nothing needs this: what was acknowledged is stored, and a process that is killed
loses nothing. A start that fails on purpose is not traced: `failure` says why, in a sentence; a
service that cannot go on stops in good order, and `failure` says why.
"""

import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, cast

import uvicorn
from litestar import Litestar

from service.errors import CarnetError

_GRACE_SECONDS = 10

# As ASGI has them; Litestar's own types leave the lifespan's messages out.
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Application = Callable[[_Message, _Receive, _Send], Awaitable[None]]


class Server(uvicorn.Server):
    """uvicorn that tells the application when it is about to stop."""

    def __init__(self, app: Litestar, host: str, port: int) -> None:
        super().__init__(
            uvicorn.Config(
                self._plainly,
                interface="asgi3",
                host=host,
                port=port,
                lifespan="on",
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
            )
        )
        self._app = app

    @property
    def failure(self) -> CarnetError | None:
        """Tell why the application could not start, or cannot go on, where that was foreseen."""
        failure: CarnetError | None = self._app.state.get("failure")
        return failure

    async def _plainly(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Pass everything on to the application, and everything back but the trace of `failure`."""

        async def tell(message: _Message) -> None:
            if message["type"] == "lifespan.startup.failed" and self.failure is not None:
                message["message"] = ""
            await send(message)

        application = cast("_Application", self._app)
        await application(scope, receive, tell if scope["type"] == "lifespan" else send)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering, on `sockets` where some are given.

        Raises: CarnetError (why it cannot start), SystemExit (where that was not foreseen)
        """
        for listening in sockets or ():
            # asyncio does it only for sockets whose `proto` says TCP; without it every answer
            # waits for the peer's delayed acknowledgement, 40 ms. Connections inherit it.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            await super().startup(sockets)
        except SystemExit:
            if self.failure is None:
                raise
            raise self.failure from None

    async def on_tick(self, counter: int) -> bool:
        """Look whether to stop, ten times a second; streams end first: uvicorn waits for them."""
        ends = await super().on_tick(counter) or self.failure is not None
        if ends:
            self._app.state["stopping"].set()
        return ends
