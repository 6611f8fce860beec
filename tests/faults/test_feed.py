"""kill -9 of writers, sequencers and PostgreSQL while the feed grows: no entry missing or doubled.

Two processes run eight writers and a sequencer each. A process or the server is killed repeatedly
at random times while a client follows the feed. Finally, entries missing in the feed, doubled, out
of order, or delivered with other content than before are counted.
"""

import asyncio
import os
import random
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from service.errors import StoreUnavailable
from service.store.club.players import Players
from service.store.connection.pool import Pool, open_pool
from service.store.feed.positions import Feed, FeedEntryRow
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from service.store.server.embedded import EmbeddedServer
from service.store.server.migrate import migrate
from tests.depth import run_size
from tests.http.club import Game, client_with_key
from tests.postgres import Cluster
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

PROCESSES = 2
ROLE = "carnet_service"
# So long after the last kill everything is in the feed.
SETTLED_SECONDS_MAX = 60.0
TAKEN_OVER_SECONDS_MAX = 10.0
GROWN_ENTRIES = 40
MOMENT_SECONDS_MAX = 0.2

_OTHER_SESSIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""

WRITERS = """
import asyncio, sys
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID, uuid4
from prometheus_client import CollectorRegistry
from service.errors import StoreUnavailable, VersionConflict
from service.feed.coordination import SESSION
from service.feed.sequencer import FeedMetrics, Sequencer
from service.store.feed.positions import Feed
from service.store.log.events import EventStore
from service.store.server.logins import DatabaseUrls
from service.store.connection.pool import open_pool
from service.store.records import DEFAULT_CLUB
from tests.store.samples import SampleTable, play

async def write(table: SampleTable) -> None:
    while True:
        with suppress(StoreUnavailable, VersionConflict):
            game_id = await table.start_game()
            for version in range(1, 40):
                await table.append(game_id, version, play(0, "AH"))
        await asyncio.sleep(0.05)

async def main(url: str, ann: str, bob: str) -> None:
    measured = FeedMetrics(CollectorRegistry())
    now = lambda: datetime.now(UTC)
    reached = DatabaseUrls(url=url, role="carnet_service")
    async with (
        open_pool(url, "carnet_service", 1, 4) as pool,
        open_pool(reached.without_pooler, reached.role, 1, 1, name=SESSION) as straight,
    ):
        sequencer = Sequencer(Feed(straight, DEFAULT_CLUB), measured, now)
        table = SampleTable(EventStore(pool, DEFAULT_CLUB, sequencer.wake), (UUID(ann), UUID(bob)))
        await asyncio.gather(sequencer.run(), *(write(table) for _ in range(8)))

while True:
    # The server may be killed in the very moment in which they come.
    with suppress(StoreUnavailable):
        asyncio.run(main(*sys.argv[1:]))
"""


class Faults(Struct, frozen=True):
    """The number of faults of each kind; all should be 0."""

    missed: int
    doubled: int
    out_of_order: int
    gaps: int
    told_otherwise: int


class Crowd:
    def __init__(self, server: EmbeddedServer, players: tuple[UUID, ...]) -> None:
        self._server = server
        self._players = players
        self._processes: list[Process] = []

    async def start(self) -> None:
        while len(self._processes) < PROCESSES:
            self._processes.append(
                await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-c",
                    WRITERS,
                    self._server.url,
                    *map(str, self._players),
                    stderr=PIPE,
                )
            )

    async def kill(self, victim: str) -> None:
        if victim == "server":
            assert self._server.pid is not None
            os.kill(self._server.pid, signal.SIGKILL)
            await asyncio.to_thread(self._server.start)
        else:
            gone = self._processes.pop(0)
            if gone.returncode is None:
                gone.kill()
            _, said = await gone.communicate()
            # A process that ended before the kill prints the reason.
            assert gone.returncode == -signal.SIGKILL, said.decode()
            await self.start()

    async def end(self) -> None:
        for process in self._processes:
            process.kill()
            await process.communicate()


class Follower:
    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self.told: list[FeedEntryRow] = []

    async def look(self) -> None:
        try:
            self.told += await self._feed.page(len(self.told), 500)
        except StoreUnavailable:
            await asyncio.sleep(0.05)

    async def grown(self, entries: int) -> None:
        aim = len(self.told) + entries
        while len(self.told) < aim:
            await self.look()
            await asyncio.sleep(0.02)


@asynccontextmanager
async def laid(folder: Path) -> AsyncGenerator[tuple[EmbeddedServer, Pool, Crowd]]:
    with EmbeddedServer(folder) as server:
        await migrate(server.url)
        # One session for reading, so that all others belong to writers.
        async with open_pool(server.url, ROLE, 1, 1) as pool:
            players = (uuid4(), uuid4())
            for player in players:
                await Players(pool, DEFAULT_CLUB).create(player, f"Ann {player}")
            yield server, pool, Crowd(server, players)


@pytest.mark.timeout(14_400)
async def test_kills_at_any_moment_leave_a_feed_that_is_the_log(
    tmp_path: Path,
    prepared_clusters: PreparedClusters,
    record_property: Callable[[str, int], None],
) -> None:
    seed = random.randrange(2**32)  # noqa: S311 -- not a secret chosen games, not secrets
    chance = random.Random(seed)  # noqa: S311 chosen games, not secrets
    async with laid(prepared_clusters.copy_to(tmp_path)) as (_, pool, crowd):
        follower = Follower(Feed(pool, DEFAULT_CLUB))
        await crowd.start()
        try:
            for _ in range(run_size(6, deep=1_000, variable="CARNET_TESTS_FEED_KILLS")):
                await follower.grown(GROWN_ENTRIES)
                await asyncio.sleep(chance.uniform(0, MOMENT_SECONDS_MAX))
                await crowd.kill(chance.choice(["server", "writers", "writers"]))
            await follower.grown(GROWN_ENTRIES)
        finally:
            await crowd.end()
        faults = await count(pool, follower)
    told = {
        "kills": run_size(6, deep=1_000, variable="CARNET_TESTS_FEED_KILLS"),
        "entries followed": len(follower.told),
    }
    for name, number in {**told, **asdict(faults)}.items():
        record_property(name.replace("_", " "), number)
    assert faults == Faults(0, 0, 0, 0, 0), f"seed {seed}, {len(follower.told)} entries"


async def count(pool: Pool, follower: Follower) -> Faults:
    feed, events = Feed(pool, DEFAULT_CLUB), EventStore(pool, DEFAULT_CLUB)
    async with asyncio.timeout(SETTLED_SECONDS_MAX):
        await alone(pool)
        # The killed processes left entries without a position; assign them here.
        while (await feed.extend()).added != 0:
            pass
    log = Counter([(link.game_id, link.entry.version) async for link in events.walk()])
    fed: list[FeedEntryRow] = []
    while page := await feed.page(len(fed), 10_000):
        fed += page
    last: dict[UUID, int] = {}
    out_of_order = 0
    for one in fed:
        out_of_order += one.version != last.get(one.game_id, 0) + 1
        last[one.game_id] = one.version
    places = Counter((one.game_id, one.version) for one in fed)
    return Faults(
        missed=(log - places).total(),
        doubled=(places - log).total(),
        out_of_order=out_of_order,
        gaps=sum(one.position != place for place, one in enumerate(fed, 1)),
        told_otherwise=sum(a != b for a, b in zip(follower.told, fed, strict=False)),
    )


async def alone(pool: Pool) -> None:
    async with pool.connection() as conn:
        while True:
            others = await conn.execute(_OTHER_SESSIONS)
            if await others.fetchone() == (0,):
                return
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "standing-still"])
async def test_what_a_process_stored_last_another_one_gives_its_place(
    how: signal.Signals, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "one", CARNET_DATABASE_URL=url) as one,
        ServiceProcess.running(tmp_path / "other", CARNET_DATABASE_URL=url) as other,
    ):
        async with client_with_key(one.url, KEY) as http, client_with_key(other.url, KEY) as there:
            game = await Game.start(http)
            await game.record({"type": "note", "text": "the last word"})
            os.kill(one.pid, how)
            position = 0
            async with asyncio.timeout(time_limit(TAKEN_OVER_SECONDS_MAX)):
                while position < 2:
                    # A short poll; the limit above bounds the wait.
                    asked = {"Prefer": "wait=1"}
                    answer = await there.get(f"/api/feed?after={position}", headers=asked)
                    told = answer.json()["entries"]
                    position = told[-1]["position"] if told else position
        if how is signal.SIGSTOP:
            os.kill(one.pid, signal.SIGCONT)
