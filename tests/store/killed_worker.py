"""A node of a Citus cluster is killed under load: nothing acknowledged is lost, others continue."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from service.errors import CarnetError
from service.store.access.grants import GrantChanges, Grants
from service.store.access.members import Members
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from service.store.read_models.listing import GameFilter
from service.store.read_models.projections import GameIndex
from tests.postgres import server_url_of_club
from tests.store.samples import SampleTable, play
from tests.waiting import time_limit

CLUBS = 10
ACKNOWLEDGED_BEFORE = 40
_START_SECONDS_MAX = 60.0


class Node:
    def __init__(self, url: str) -> None:
        self.url = url
        with psycopg.connect(url) as conn:
            row = conn.execute("SHOW data_directory").fetchone()
        assert row is not None
        self.data = Path(str(row[0]))
        self.pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        self.program = Path(f"/proc/{self.pid}/exe").resolve()
        owner = self.data.stat()
        self.uid, self.gid = owner.st_uid, owner.st_gid

    def kill(self) -> None:
        told = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        for pid in (self.pid, *map(int, told)):
            with suppress(ProcessLookupError):  # a session that ended by itself meanwhile
                os.kill(pid, signal.SIGKILL)

    def start(self) -> None:
        deadline = time.monotonic() + _START_SECONDS_MAX
        while True:
            subprocess.run(
                [self.program.with_name("pg_ctl"), "-D", self.data, "-l", "/dev/null", "start"],
                user=self.uid,
                group=self.gid,
                extra_groups=[],
                cwd="/",
                check=False,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline
                time.sleep(0.2)
            else:
                return


@contextmanager
def killed_node(node: Node) -> Generator[None]:
    node.kill()
    try:
        yield
    finally:
        node.start()


class Writer:
    def __init__(self, table: SampleTable, game_id: UUID, node: str) -> None:
        self.table, self.game_id, self.node = table, game_id, node
        self.acknowledged = 1
        self.unavailable = 0

    async def write(self) -> None:
        """Play until cancelled; after a missing answer, read the version."""
        while True:
            try:
                await self.table.append(self.game_id, self.acknowledged, play(0, "AH"))
                self.acknowledged += 1
            except (CarnetError, psycopg.Error):
                self.unavailable += 1
                await asyncio.sleep(0.05)
                with_more = await self._stored()
                self.acknowledged = max(self.acknowledged, with_more or 0)

    async def _stored(self) -> int | None:
        try:
            return len(await self.table.events.read(self.game_id))
        except (CarnetError, psycopg.Error):
            return None


async def wait_for_acknowledged(writers: list[Writer], acknowledged: dict[UUID, int]) -> None:
    async with asyncio.timeout(time_limit(60)):
        while any(one.acknowledged < acknowledged[one.game_id] for one in writers):  # noqa: ASYNC110 others write the number
            await asyncio.sleep(0.02)


async def read_as_club(pool: Pool, one: Writer) -> None:
    """Read as a tap and a page of a club do: only its own node is needed."""
    club_id, events = one.table.events.club_id, one.table.events
    assert await events.read(one.game_id)
    assert (await events.news(one.game_id)).entries
    assert (await events.news(one.game_id, 1)).entries
    assert await events.of_games([one.game_id])
    assert (await GameIndex(pool, club_id).games(GameFilter())).games
    await Grants(pool, club_id).resolve([bytes(32)])
    await Members(pool, club_id, GrantChanges()).all()
    await Grants(pool, club_id).tokens()


async def writers_on_nodes(pool: Pool, url: str) -> list[Writer]:
    made: list[Writer] = []
    for _ in range(CLUBS):
        club_id = uuid4()
        table = await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
        made.append(Writer(table, await table.start_game(), server_url_of_club(url, club_id)))
    return made


@pytest.mark.timeout(300)
async def test_what_was_acknowledged_is_there_and_other_clubs_went_on(
    database_url: str, pool: Pool
) -> None:
    writers = await writers_on_nodes(pool, database_url)
    lost = Node(writers[0].node)
    struck = [one for one in writers if one.node == lost.url]
    others = [one for one in writers if one.node != lost.url]
    assert others
    writing = [asyncio.create_task(one.write()) for one in writers]
    try:
        await wait_for_acknowledged(writers, {one.game_id: ACKNOWLEDGED_BEFORE for one in writers})
        with killed_node(lost):
            for one in others:
                await read_as_club(pool, one)
            then = {one.game_id: one.acknowledged for one in others}
            await wait_for_acknowledged(others, {game: count + 20 for game, count in then.items()})
        now = {one.game_id: one.acknowledged for one in struck}
        await wait_for_acknowledged(struck, {game: count + 5 for game, count in now.items()})
    finally:
        for task in writing:
            task.cancel()
        await asyncio.gather(*writing, return_exceptions=True)
    for one in writers:
        stored = await one.table.events.read(one.game_id)
        assert len(stored) >= one.acknowledged
        assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))
    assert sum(one.unavailable for one in struck) > 0
