"""Restarts the embedded server after a crash."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

import structlog

from service.errors import StartupError
from service.store.server.embedded import EmbeddedServer

LOOK_SECONDS = 0.5
# A server that dies while starting is tried again.
FAILURES_MAX = 2

log = structlog.get_logger(__name__)


@contextlib.asynccontextmanager
async def supervise(
    server: EmbeddedServer, give_up: Callable[[StartupError], None]
) -> AsyncGenerator[None]:
    """Keep the server running while the context is open."""
    ended = asyncio.Event()
    looking = asyncio.create_task(_look_after(server, ended, give_up))
    try:
        yield
    finally:
        # Not cancelled: a start continues in its thread and has to be awaited.
        ended.set()
        await looking


async def _look_after(
    server: EmbeddedServer, ended: asyncio.Event, give_up: Callable[[StartupError], None]
) -> None:
    failures = 0
    while not ended.is_set():
        if not server.alive:
            log.error("embedded.died")
            try:
                await asyncio.to_thread(server.start)
                failures = 0
            except StartupError as error:
                log.exception("embedded.not_started", reason=str(error))
                failures += 1
                if failures == FAILURES_MAX:
                    give_up(error)
                    return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), LOOK_SECONDS)
