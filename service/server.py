"""The HTTP server around the application.

Promises: SIGTERM and SIGINT end open event streams at once, let requests that were begun finish,
and then stop; nothing needs this: what was acknowledged is stored, and a process that is killed
loses nothing.
"""

import socket

import uvicorn
from litestar import Litestar

_GRACE_SECONDS = 10


class Server(uvicorn.Server):
    """uvicorn that tells the application when it is about to stop."""

    def __init__(self, app: Litestar, host: str, port: int) -> None:
        super().__init__(
            uvicorn.Config(
                app,
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

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering, on `sockets` where some are given."""
        for listening in sockets or ():
            # asyncio does it only for sockets whose `proto` says TCP; without it every answer
            # waits for the peer's delayed acknowledgement, 40 ms. Connections inherit it.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await super().startup(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Look whether to stop, ten times a second; streams end first: uvicorn waits for them."""
        ends = await super().on_tick(counter)
        if ends:
            self._app.state["stopping"].set()
        return ends
