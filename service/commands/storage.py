"""The stored games, for a command that runs and ends.

Promises: the database of the settings, its schema current, the embedded server started if need be
and left as it was found; logs go to standard error, warnings only. A service may run meanwhile.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import Struct

from service.log import configure_logging
from service.settings import settings_of_process
from service.store.embedded import EmbeddedServer
from service.store.migrate import migrate
from service.store.pool import Pool, open_pool


class Database(Struct, frozen=True, kw_only=True):
    """A database: its owner's address, the service's role, and a pool of its sessions."""

    url: str
    role: str | None
    pool: Pool


@asynccontextmanager
async def open_storage() -> AsyncGenerator[Pool]:
    """Open the database this process's settings name, as the service would.

    Raises: SettingsError, StartupError, StoreUnavailable
    """
    async with open_database() as database:
        yield database.pool


@asynccontextmanager
async def open_database() -> AsyncGenerator[Database]:
    """Open the database this process's settings name, for its owner too.

    Raises: SettingsError, StartupError, StoreUnavailable
    """
    configure_logging(sys.stderr, logging.WARNING)
    settings = settings_of_process()
    async with AsyncExitStack() as stack:
        url = settings.database_url
        if url is None:
            server = EmbeddedServer(settings.data_dir)
            url = await asyncio.to_thread(server.start)
            stack.push_async_callback(asyncio.to_thread, server.stop)
        migrated = await migrate(url)
        pool = await stack.enter_async_context(open_pool(url, migrated.role))
        yield Database(url=url, role=migrated.role, pool=pool)
