"""Opens the database of the settings, and restarts an embedded server that dies."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import structlog
from msgspec import Struct

from service.errors import CarnetError, StartupError
from service.settings import Settings
from service.store.connection.pool import Pool, open_pool
from service.store.server.embedded import EmbeddedServer
from service.store.server.logins import DatabaseUrls, resolve_urls

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
    looking = asyncio.create_task(_restart_when_ended(server, ended, give_up))
    try:
        yield
    finally:
        # Not cancelled: a start continues in its thread and has to be awaited.
        ended.set()
        await looking


async def _restart_when_ended(
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


if TYPE_CHECKING:
    from opentelemetry.trace import Tracer


class Database(Struct, frozen=True, kw_only=True):
    reached: DatabaseUrls
    pool: Pool


@asynccontextmanager
async def open_database(
    settings: Settings,
    give_up: Callable[[CarnetError], None] | None = None,
    tracer: "Tracer | None" = None,
) -> AsyncGenerator[Database]:
    """Open the database of the settings.

    `give_up` is called if an embedded server died and cannot be restarted. `tracer` makes spans of
    statements.

    Raises: StartupError
    """
    async with AsyncExitStack() as stack:
        url = settings.database_url
        if url is None:
            server = EmbeddedServer(settings.data_dir)
            url = await asyncio.to_thread(server.start)
            stack.push_async_callback(asyncio.to_thread, server.stop)
            if give_up is not None:
                await stack.enter_async_context(supervise(server, give_up))
        reached = await resolve_urls(url, settings.database_owner_url, settings.database_direct_url)
        opened = open_pool(
            reached.url, reached.role, behind_pooler=reached.behind_pooler, tracer=tracer
        )
        yield Database(reached=reached, pool=await stack.enter_async_context(opened))
