import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.errors import StoreUnavailable, VersionConflict
from service.store.club.players import Players
from service.store.connection.pool import open_pool
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB, StoredEntry
from service.store.server.embedded import EmbeddedServer
from service.store.server.migrate import migrate
from tests.postgres import installed_programs
from tests.prepared_clusters import PreparedClusters
from tests.store.samples import SampleTable, play

CLIENTS = 8
ACKNOWLEDGED_MIN = 25
PROGRAMS = list(dict.fromkeys([None, installed_programs()]))  # in one order for all processes

# A writer that prints acknowledged versions until it is killed.
WRITER = """
import asyncio, sys
from uuid import UUID, uuid4
from service.store.log.events import EventStore
from service.store.connection.pool import open_pool
from service.store.records import DEFAULT_CLUB
from tests.store.samples import SampleTable, play

async def write(url: str, game_id: UUID) -> None:
    async with open_pool(url, "carnet_service", 1, 1) as pool:
        table, version = SampleTable(EventStore(pool, DEFAULT_CLUB), (uuid4(),)), 1
        while True:
            await table.append(game_id, version, play(0, "AH"))
            version += 1
            print(version, flush=True)

asyncio.run(write(sys.argv[1], UUID(sys.argv[2])))
"""


class Client:
    def __init__(self, table: SampleTable, game_id: UUID) -> None:
        self.table = table
        self.game_id = game_id
        self.acknowledged: list[StoredEntry] = []
        self.enough = asyncio.Event()
        self._command_id = uuid4()

    async def write(self) -> None:
        while True:
            try:
                await self.write_one()
            except StoreUnavailable:
                self.enough.set()
                return

    async def write_one(self) -> None:
        version = len(self.acknowledged) + 1
        appended = await self.table.append(
            self.game_id, version, play(0, f"{version}"), command_id=self._command_id
        )
        self.acknowledged += appended.entries
        self._command_id = uuid4()
        if len(self.acknowledged) >= ACKNOWLEDGED_MIN:
            self.enough.set()


@pytest.mark.parametrize("programs", PROGRAMS, ids=str)
async def test_a_killed_server_loses_and_doubles_nothing(
    programs: Path | None, tmp_path: Path, prepared_clusters: PreparedClusters
) -> None:
    server = EmbeddedServer(prepared_clusters.copy_to(tmp_path, programs), programs)
    with server:
        await migrate(server.url)
        async with open_pool(server.url, "carnet_service") as pool:
            events = EventStore(pool, DEFAULT_CLUB)
            table = await SampleTable.with_players(events, Players(pool, DEFAULT_CLUB))
            clients = [Client(table, await table.start_game()) for _ in range(CLIENTS)]
            writing = [asyncio.create_task(client.write()) for client in clients]
            for client in clients:
                await client.enough.wait()
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            await asyncio.gather(*writing)

            server.start()
            await asyncio.gather(*(retry_until_answered(client) for client in clients))
            for client in clients:
                assert await events.read(client.game_id, after=1) == client.acknowledged
            assert [verdict.broken async for verdict in events.verify()] == [None] * CLIENTS


async def retry_until_answered(client: Client) -> None:
    while True:
        try:
            await client.write_one()
        except StoreUnavailable:
            await asyncio.sleep(0.05)
        else:
            return


async def test_a_killed_writer_leaves_what_it_was_told_is_stored(database_url: str) -> None:
    async with open_pool(database_url, "carnet_service") as own:
        events = EventStore(own, DEFAULT_CLUB)
        game_id = await (
            await SampleTable.with_players(events, Players(own, DEFAULT_CLUB))
        ).start_game()
        command = [sys.executable, "-c", WRITER, database_url, str(game_id)]
        writer = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
        assert writer.stdout is not None
        told = 1
        while told < ACKNOWLEDGED_MIN:
            told = int(await writer.stdout.readline())
        writer.kill()
        async for line in writer.stdout:
            told = int(line)
        await writer.wait()
        stored = await events.read(game_id)
        # The kill may have been between commit and answer.
        assert len(stored) - told in {0, 1}
        with pytest.raises(VersionConflict):
            await SampleTable(events, (uuid4(),)).append(game_id, told - 1, play(0, "AH"))
