import asyncio
from collections.abc import AsyncGenerator, Iterator
from uuid import uuid4

import httpx
import pytest

from tests.http.club import DEAL, MADE_RESULT, Game, client_with_key
from tests.http.follower import Follower
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit


@pytest.fixture(scope="module")
def other_service(
    service: ServiceProcess, service_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    del service
    log = tmp_path_factory.mktemp("other") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database) as running:
        yield running


@pytest.fixture
async def elsewhere(
    other_service: ServiceProcess, game: Game
) -> AsyncGenerator[tuple[Game, httpx.AsyncClient]]:
    async with client_with_key(other_service.url, KEY) as http:
        there = Game(http, await game.view())
        await there.view()
        yield there, http


Elsewhere = tuple[Game, httpx.AsyncClient]


async def test_an_entry_made_by_one_process_reaches_the_followers_of_the_other(
    game: Game, elsewhere: Elsewhere
) -> None:
    there, _ = elsewhere
    async with Follower.of(game, last=1) as phone:
        await game.record({"type": "note", "text": "the stream is open"})
        await phone.event()
        there.version = game.version
        await there.record(MADE_RESULT)
        events = await phone.events(2)
    assert [event["type"] for event in events] == ["result", "deal_ended"]


async def test_what_one_process_stored_the_other_shows(game: Game, elsewhere: Elsewhere) -> None:
    there, _ = elsewhere
    await game.record(*DEAL)
    assert await there.view() == await game.view()
    assert await there.log() == await game.log()


async def test_a_writer_goes_on_in_the_other_process(game: Game, elsewhere: Elsewhere) -> None:
    there, _ = elsewhere
    await game.record(*DEAL)
    there.version = game.version
    await there.record({"type": "play", "seat": 1, "card": "AS"})
    assert (await game.view())["version"] == 5


async def test_a_writer_who_saw_less_than_the_other_process_is_told(
    game: Game, elsewhere: Elsewhere
) -> None:
    there, _ = elsewhere
    await game.record(*DEAL)
    for entry in (MADE_RESULT, {"type": "pass", "seat": 0}):
        answer = await there.send(entry, version=1)
        assert answer.status_code == 409
        assert answer.json()["version"] == 4


async def test_a_command_that_one_process_stored_the_other_answers_as_at_first(
    game: Game, elsewhere: Elsewhere
) -> None:
    there, _ = elsewhere
    key = str(uuid4())
    first = await game.send(*DEAL, key=key)
    assert (await there.send(*DEAL, key=key, version=1)).content == first.content


async def test_a_link_that_is_revoked_in_one_process_opens_nothing_in_the_other_a_second_later(
    game: Game, elsewhere: Elsewhere
) -> None:
    _, http = elsewhere
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert (await http.get(game.path, headers=headers)).status_code == 200
    await game.http.delete(f"{game.path}/links/{made['id']}")
    async with asyncio.timeout(time_limit(1.0)):
        while (await http.get(game.path, headers=headers)).status_code != 401:
            pass
