"""Brings the embedded server back where it died.

Promises: whoever uses the server looks after it, twice a second; a server that ended however it
ended is started again by the first who notices, and the others find it running. Where it cannot be
started, twice in a row, `give_up` is told why, once, and nobody looks any more. Assumes a server
that was started; one that stands still is not one that died.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

import structlog

from service.errors import StartupError
from service.store.server.embedded import EmbeddedServer

LOOK_SECONDS = 0.5
# One that dies while it is being started (its killer may be busy) is worth another try.
FAILURES_MAX = 2

log = structlog.get_logger(__name__)


@contextlib.asynccontextmanager
async def supervised(
    server: EmbeddedServer, give_up: Callable[[StartupError], None]
) -> AsyncGenerator[None]:
    """Keep the server running for as long as the context lasts."""
    ended = asyncio.Event()
    looking = asyncio.create_task(_look_after(server, ended, give_up))
    try:
        yield
    finally:
        # Not cancelled: a start that was begun goes on in its thread, and has to be waited for.
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
