"""The HTTP server around the application."""

import asyncio
import contextlib
import resource
import signal
from collections.abc import Callable, Sequence

import structlog
import uvloop
from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server
from granian.utils.proxies import wrap_asgi_with_proxy_headers
from litestar import Litestar

from service.errors import CarnetError
from service.settings import PROXIES, Tls
from service.tasks import cancel_and_wait

# Limit of an incomplete request head, and of an idle connection. At the connection limit, new
# clients wait as long.
HEAD_SECONDS_MAX = 10
HEAD_BYTES_MAX = 65_536
CONNECTIONS_MAX = 4_096
GRACE_SECONDS = 10
_BACKLOG = 2_048
_DESCRIPTORS_MAX = 65_536
# `serve` logs start and stop; errors go to the root logger.
_LOGGING = {
    "handlers": {},
    "formatters": {},
    "loggers": {"_granian": {"propagate": True}},
}

log = structlog.get_logger(__name__)


def run(
    app: Litestar,
    host: str,
    port: int,
    *,
    tls: Tls | None = None,
    proxies: Sequence[str] = PROXIES,
    on_start: Callable[[], None] = lambda: None,
) -> None:
    """Serve `app` until SIGTERM, SIGINT or `app.state["stopping"]`; `host`: a numeric address.

    Behind one of `proxies`, the client is the last address in X-Forwarded-For that is not a proxy.

    Raises: CarnetError (the application failed to start or to continue)
    """

    async def until_signal() -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, app.state["stopping"].set)
        await serve(app, host, port, tls=tls, proxies=proxies, on_start=on_start)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(until_signal())


async def serve(
    app: Litestar,
    host: str,
    port: int,
    *,
    tls: Tls | None = None,
    proxies: Sequence[str] = PROXIES,
    on_start: Callable[[], None] = lambda: None,
) -> None:
    """Serve as `run` does, on the running loop and without signals."""
    stopping: asyncio.Event = app.state["stopping"]
    # A quarter of all file descriptors is reserved for the database and files.
    connections_max = min(CONNECTIONS_MAX, _raise_descriptors() * 3 // 4)
    log.info("server.starting")
    try:
        async with app.lifespan():
            server = Server(
                wrap_asgi_with_proxy_headers(app, list(proxies)),
                host,
                port,
                interface=Interfaces.ASGINL,
                http=HTTPModes.http1,
                websockets=False,
                backlog=_BACKLOG,
                backpressure=connections_max,
                http1_settings=HTTP1Settings(
                    header_read_timeout=HEAD_SECONDS_MAX * 1_000, max_buffer_size=HEAD_BYTES_MAX
                ),
                log_level=LogLevels.error,
                log_dictconfig=_LOGGING,
                ssl_cert=tls.cert if tls else None,
                ssl_key=tls.key if tls else None,
                ssl_protocol_min=SSLProtocols.tls12,
            )
            answering = asyncio.create_task(server.serve())
            stop = asyncio.create_task(stopping.wait())
            await asyncio.sleep(0)  # it listens from its first step on
            if not answering.done():
                log.info("server.started")
                on_start()
            await asyncio.wait([answering, stop], return_when=asyncio.FIRST_COMPLETED)
            log.info("server.stopping")
            stopping.set()
            server.stop()  # type: ignore[no-untyped-call] # as granian has it
            # Uvicorn also waits for connections whose client does not read.
            await asyncio.wait([answering], timeout=GRACE_SECONDS)
            await cancel_and_wait(answering, stop)
    except ExceptionGroup as group:  # Litestar's lifespan may raise any error
        error: Exception = group
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        raise error from None
    failure: CarnetError | None = app.state.get("failure")
    if failure is not None:
        raise failure


def _raise_descriptors() -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limited = [limit for limit in (hard, _DESCRIPTORS_MAX) if limit != resource.RLIM_INFINITY]
    wanted = min(limited)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS refuses the limit that it reports
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return _DESCRIPTORS_MAX if soft == resource.RLIM_INFINITY else soft
