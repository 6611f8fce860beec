"""`carnet migrate`: migrate the database and exit."""

import asyncio
import logging
import sys
from argparse import Namespace

from service.errors import StartupError
from service.log import configure_logging
from service.settings import settings_of_process
from service.store.server.migrate import migrate


def run(arguments: Namespace) -> int:
    del arguments
    configure_logging(sys.stderr, logging.WARNING)
    url = settings_of_process().owners_url
    if url is None:
        raise StartupError(
            "Carnet runs on its embedded PostgreSQL, which it migrates at every start",
            "Set CARNET_DATABASE_URL and CARNET_DATABASE_OWNER_URL for another",
        )
    applied = asyncio.run(migrate(url)).applied
    sys.stdout.write("".join(f"{name}\n" for name in applied) or "The schema was current.\n")
    return 0
