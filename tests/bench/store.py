"""What a durable append costs: one entry a round trip, beside a bare INSERT on the same server.

The server is the embedded one in a folder of its own, syncing to disk as in production. The bare
INSERT commits one row of the same bytes, unchained and unprojected: what no append can beat.
"""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg

from service.store.embedded import EmbeddedServer
from service.store.events import EventStore
from service.store.migrate import migrate
from service.store.players import Players
from service.store.pool import Pool, open_pool
from tests.store.samples import Table, play

APPEND = "append, entries (one each)"
INSERT = "bare INSERT, rows (one each)"
ROWS = 150
LINE = b'{"card":"AS","seat":1,"type":"play"}'


@contextmanager
def measures() -> Generator[dict[str, Callable[[], int]]]:
    """Start a server, and return what is measured on it."""
    with TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        url = server.url
        with asyncio.Runner() as runner, psycopg.connect(url, autocommit=True) as bare:
            runner.run(migrate(url))
            bare.execute("CREATE TABLE bare (data bytea NOT NULL)")
            stack = AsyncExitStack()
            pool = runner.run(stack.enter_async_context(open_pool(url, "carnet_service")))
            try:
                yield {
                    APPEND: lambda: runner.run(_appended(pool)),
                    INSERT: lambda: _inserted(bare),
                }
            finally:
                runner.run(stack.aclose())


async def _appended(pool: Pool) -> int:
    """Start a game and append plays to it one by one."""
    club = uuid4()
    table = await Table.laid(EventStore(pool, club), Players(pool, club))
    game = await table.started()
    for version in range(1, ROWS):
        await table.append(game, version, play(version % 2, "AS"))
    return ROWS


def _inserted(bare: psycopg.Connection) -> int:
    """Commit rows one by one."""
    for _ in range(ROWS):
        bare.execute("INSERT INTO bare VALUES (%s)", [LINE], prepare=True)
    return ROWS
