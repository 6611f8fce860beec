import asyncio
from pathlib import Path
from uuid import uuid4

import httpx

from service.store.connection.pool import open_pool
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from tests.http.club import Game, Json, client_with_key
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

CLIENTS = 8
ACKNOWLEDGED_MIN = 15
PAUSE_SECONDS = 0.05


class Scorer:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.acknowledged: list[Json] = []
        self.enough = asyncio.Event()
        self._key = str(uuid4())

    async def write_until_it_is_gone(self) -> None:
        while True:
            try:
                await self.write()
            except httpx.TransportError:
                return

    async def write(self) -> None:
        note = {"type": "note", "text": f"{len(self.acknowledged)}"}
        answer = await self.game.send(note, key=self._key)
        assert answer.status_code == 201, answer.text
        answered = answer.json()
        self.acknowledged += answered["entries"]
        self.game.version = answered["version"]
        self._key = str(uuid4())
        if len(self.acknowledged) >= ACKNOWLEDGED_MIN:
            self.enough.set()

    async def write_once_it_answers(self) -> None:
        while True:
            try:
                await self.write()
            except httpx.TransportError:
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                return


async def test_a_killed_service_loses_and_doubles_nothing(
    embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as service,
    ):
        async with client_with_key(service.url, KEY) as http:
            scorers = [Scorer(await Game.start(http)) for _ in range(CLIENTS)]
            writing = [asyncio.create_task(one.write_until_it_is_gone()) for one in scorers]
            for scorer in scorers:
                await scorer.enough.wait()
            service.kill()
            await asyncio.gather(*writing)

            service.start()
            await asyncio.gather(*(scorer.write_once_it_answers() for scorer in scorers))
            for scorer in scorers:
                assert (await scorer.game.log())[1:] == scorer.acknowledged
        async with open_pool(url, "carnet_service") as pool:
            verdicts = [one async for one in EventStore(pool, DEFAULT_CLUB).verify()]
    assert [verdict.broken for verdict in verdicts] == [None] * CLIENTS


async def test_a_service_on_its_own_data_directory_keeps_its_games_over_a_kill(
    tmp_path: Path,
) -> None:
    data = str(tmp_path / "data")
    with ServiceProcess.running(tmp_path / "log", CARNET_DATA_DIR=data) as service:
        async with client_with_key(service.url, KEY) as http:
            game = await Game.start(http)
            await game.record({"type": "note", "text": "before"})
            service.kill()
            service.start()
            assert [entry["version"] for entry in await game.log()] == [1, 2]
