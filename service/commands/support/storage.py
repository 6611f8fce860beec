"""The database for a command that runs and exits."""

import logging
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from service.log import configure_logging
from service.settings import settings_of_process
from service.store.connection.pool import Pool
from service.store.server import opening


@asynccontextmanager
async def open_storage() -> AsyncGenerator[Pool]:
    """Open the database of this process's settings as the service does.

    Raises: SettingsError, StartupError
    """
    async with open_database() as database:
        yield database.pool


@asynccontextmanager
async def open_database() -> AsyncGenerator[opening.Database]:
    """Open the database of this process's settings with its addresses.

    Raises: SettingsError, StartupError
    """
    configure_logging(sys.stderr, logging.WARNING)
    async with opening.open_database(settings_of_process()) as database:
        yield database
