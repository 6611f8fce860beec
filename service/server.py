"""The HTTP server around the application."""

import asyncio
import contextlib
import errno
import resource
import socket
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import partial
from typing import Any, cast

import uvicorn
from litestar import Litestar
from msgspec import structs

from service.errors import CarnetError
from service.http.protocol.connections import Limits, Room, Seldom
from service.http.protocol.http_protocol import BoundedHttpProtocol
from service.settings import PROXIES, Tls

_GRACE_SECONDS = 10
_DESCRIPTORS_MAX = 65_536
_NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

# As ASGI has them; Litestar's own types leave the lifespan's messages out.
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Application = Callable[[_Message, _Receive, _Send], Awaitable[None]]


class Server(uvicorn.Server):
    """uvicorn that keeps connections within `limits`, and tells the application of its end.

    Of the addresses a request came by (X-Forwarded-For) the last counts that is none of `proxies`,
    and none at all where it did not come from one of these.
    """

    def __init__(
        self,
        app: Litestar,
        host: str,
        port: int,
        limits: Limits | None = None,
        tls: Tls | None = None,
        *,
        proxies: Sequence[str] = PROXIES,
    ) -> None:
        limits = limits or Limits()
        # A quarter of all descriptors is for the database, files and what is being refused.
        room = min(limits.connections_max, _raise_descriptors() * 3 // 4)
        limits = structs.replace(limits, connections_max=room)
        config = uvicorn.Config(
            self._plainly,
            interface="asgi3",
            host=host,
            port=port,
            ws="none",
            lifespan="on",
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_keep_alive=round(limits.idle_seconds),
            timeout_graceful_shutdown=_GRACE_SECONDS,
            forwarded_allow_ips=list(proxies),
            ssl_certfile=tls.cert if tls else None,
            ssl_keyfile=tls.key if tls else None,
        )
        guarded = partial(BoundedHttpProtocol, Room(limits, proxies))
        config.http = cast("type[asyncio.Protocol]", guarded)
        super().__init__(config)
        self._app = app
        self._without_room = Seldom("http.accept_failed")

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

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._tell)
        try:
            await super().serve(sockets)
        finally:
            loop.set_exception_handler(None)

    def _tell(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            self._without_room.tell(reason=str(error))
        else:
            loop.default_exception_handler(context)

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


def _raise_descriptors() -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limited = [limit for limit in (hard, _DESCRIPTORS_MAX) if limit != resource.RLIM_INFINITY]
    wanted = min(limited)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return _DESCRIPTORS_MAX if soft == resource.RLIM_INFINITY else soft
