"""Opens the database of the settings, for the service and for commands."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from service.errors import CarnetError
from service.settings import Settings
from service.store.connection.pool import Pool, open_pool
from service.store.server.embedded import EmbeddedServer
from service.store.server.logins import Reached, resolve_urls
from service.store.server.supervision import supervise

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer


class Database(Struct, frozen=True, kw_only=True):
    reached: Reached
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
        opened = open_pool(reached.url, reached.role, pooled=reached.pooled, tracer=tracer)
        yield Database(reached=reached, pool=await stack.enter_async_context(opened))
