"""The stored games, for a command that runs and ends.

Promises: the database of the settings, its schema current, the embedded server started if need be
and left as it was found; logs go to standard error, warnings only. A service may run meanwhile.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from service.app import settings_of_process
from service.log import configure_logging
from service.store.embedded import EmbeddedServer
from service.store.migrate import migrate
from service.store.pool import Pool, open_pool


@asynccontextmanager
async def open_storage() -> AsyncGenerator[Pool]:
    """Open the database this process's settings name.

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
        yield await stack.enter_async_context(open_pool(url, migrated.role))
