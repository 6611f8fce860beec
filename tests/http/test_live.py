from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from service.http.games.live import STREAMS_MAX
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, client_with_key
from tests.http.follower import Follower
from tests.service_process import KEY, ServiceProcess


async def test_a_follower_begins_with_the_last_entry_and_the_game_as_it_stands(game: Game) -> None:
    await game.record(*DEAL)
    async with Follower.of(game) as phone:
        event = await phone.event()

    assert event is not None
    assert event["entry"] == DEAL[-1]
    assert event["state"] == await game.view()


async def test_every_entry_is_an_event_and_the_last_of_a_change_carries_the_game(
    game: Game,
) -> None:
    async with Follower.of(game, last=1) as phone:
        await game.record(*DEAL, LOST_RESULT)
        events = await phone.events(5)

    stored = (await game.log())[1:]
    assert [{**event, "state": None} for event in events] == [{**e, "state": None} for e in stored]
    assert [event["version"] for event in events if "state" in event] == [6]
    assert events[-1]["state"] == await game.view()


async def test_a_follower_that_comes_back_misses_nothing_and_gets_nothing_twice(
    game: Game,
) -> None:
    seen: list[int] = [1]
    for entry in (*DEAL, LOST_RESULT):
        async with Follower.of(game, last=seen[-1]) as phone:
            await game.record(entry, {"type": "note", "text": "a batch"})
            seen += [event["version"] for event in await phone.events(1)]
        await game.record({"type": "note", "text": "while nobody follows"})
    async with Follower.of(game, last=seen[-1]) as phone:
        seen += [event["version"] for event in await phone.events(game.version - seen[-1])]

    assert seen == [entry["version"] for entry in await game.log()]


async def test_a_viewer_follows_until_the_link_is_revoked(game: Game) -> None:
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    async with client_with_key(str(game.http.base_url), made["token"]) as guest:
        theirs = Game(guest, await game.view())
        async with Follower.of(theirs) as phone:
            await phone.event()
            await game.http.delete(f"{game.path}/links/{made['id']}")
            await game.record(MADE_RESULT)
            assert await phone.event() is None


@pytest.mark.parametrize("last", [7, 2**31])
async def test_a_follower_that_saw_what_is_not_there_begins_with_the_last_entry(
    game: Game, last: int
) -> None:
    async with Follower.of(game, last=last) as phone:
        event = await phone.event()
    assert event is not None
    assert event["version"] == 1


async def test_a_service_that_is_told_to_stop_ends_its_streams_and_stops(
    service_database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=service_database) as other:
        async with client_with_key(other.url, KEY) as http:
            game = await Game.start(http)
            async with Follower.of(game) as phone:
                await phone.event()
                other.signal_stop()
                assert await phone.event() is None
        other.stop()
    assert "Cancel" not in log.read_text()
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("path", ["{game}/live", "/api/signed-in", "/api/feed"])
async def test_a_stream_has_its_connection_to_itself_and_no_proxy_collects_it(
    game: Game, path: str
) -> None:
    events = {"Accept": "text/event-stream"}
    address = path.format(game=game.path)
    async with game.http.stream("GET", address, headers=events) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["connection"] == "close"
        assert stream.headers["x-accel-buffering"] == "no"
    assert not {"connection", "x-accel-buffering"} & (await game.http.get(game.path)).headers.keys()


async def test_a_link_holds_no_more_streams_than_anybody_needs(game: Game) -> None:
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    async with AsyncExitStack() as stack:
        guest = await stack.enter_async_context(
            client_with_key(str(game.http.base_url), made["token"])
        )
        theirs = Game(guest, await game.view())
        phones = [await stack.enter_async_context(Follower.of(theirs)) for _ in range(STREAMS_MAX)]
        assert all([await phone.event() for phone in phones])
        async with guest.stream("GET", f"{game.path}/live") as refused:
            assert refused.status_code == 429
        async with Follower.of(game) as owners:
            assert await owners.event() is not None
