"""`carnet distribute`: distribute the tables over a Citus cluster, each club on one node."""

import asyncio
import logging
import sys
from argparse import Namespace

from service.errors import StartupError
from service.log import configure_logging
from service.settings import settings_of_process
from service.store.server.distribution import Change, count_nodes, distribute
from service.store.server.migrate import migrate


def run(arguments: Namespace) -> int:
    del arguments
    configure_logging(sys.stderr, logging.WARNING)
    url = settings_of_process().owners_url
    if url is None:
        raise StartupError(
            "Carnet runs on its embedded PostgreSQL, which is one machine",
            "Set CARNET_DATABASE_URL to the address of a Citus coordinator",
        )
    asyncio.run(_distribute(url))
    return 0


async def _distribute(url: str) -> None:
    """Print each change when it is made, so that the list is true if the next one fails."""
    migrated = await migrate(url)
    if migrated.applied:
        sys.stdout.write(f"{len(migrated.applied)} files of the schema applied\n")
    changes = len(migrated.distributed)
    for change in migrated.distributed:
        _print(change)
    async for change in distribute(url):
        _print(change)
        changes += 1
    nodes = await count_nodes(url)
    stored = f"clubs are stored on {nodes} node{'s' if nodes != 1 else ''}"
    sys.stdout.write(
        f"{changes} changes; {stored}.\n"
        if changes
        else f"Everything was distributed already; {stored}.\n"
    )


def _print(change: Change) -> None:
    sys.stdout.write(f"{change}\n")
    sys.stdout.flush()
