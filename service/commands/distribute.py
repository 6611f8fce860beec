"""`carnet distribute`: distribute the tables over a Citus cluster, each club on one node."""

import asyncio
import logging
import sys
from argparse import Namespace

from service.errors import StartupError
from service.log import configure_logging
from service.settings import settings_of_process
from service.store.server.distribution import DistributionResult, distribute
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
    done = asyncio.run(_distribute(url))
    sys.stdout.write(f"{_summary(done)}\n")
    return 0


async def _distribute(url: str) -> DistributionResult:
    await migrate(url)
    return await distribute(url)


def _summary(done: DistributionResult) -> str:
    nodes = f"{done.nodes} node{'s' if done.nodes != 1 else ''}"
    if not done.tables and not done.functions:
        return f"Everything was distributed already; clubs are stored on {nodes}."
    return (
        f"{len(done.tables)} tables and {len(done.functions)} functions were distributed by club;"
        f" clubs are stored on {nodes}."
    )
