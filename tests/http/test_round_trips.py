"""How often a request waits for the database: a tap at most twice, a page at most three times."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest

from service.play.following import POLL_SECONDS
from tests.http.club import DEAL, Game, as_somebody
from tests.http.follower import Follower
from tests.postgres import Cluster
from tests.round_trips import RoundTrips
from tests.service_process import KEY, ServiceProcess

TAP, PAGE = 2, 3
# Statements are prepared in the first requests.
WARMING = 12


@pytest.fixture(scope="module")
def proxy(embedded_cluster: Cluster) -> Iterator[RoundTrips]:
    with embedded_cluster.database() as url, RoundTrips.counted(url) as counting:
        yield counting


@pytest.fixture(scope="module")
def counted_service(
    proxy: RoundTrips, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("counted") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=proxy.url) as running:
        yield running


@pytest.fixture(scope="module")
async def game(counted_service: ServiceProcess) -> AsyncGenerator[Game]:
    """Start a game in which a deal has begun, with a note."""
    async with as_somebody(counted_service.url, KEY) as http:
        started = await Game.started(http)
        await started.record({"type": "note", "text": "by the window"}, *DEAL)
        yield started


@pytest.fixture(scope="module", params=["owner", "scorer"])
async def browser(
    request: pytest.FixtureRequest, counted_service: ServiceProcess, game: Game
) -> AsyncGenerator[httpx.AsyncClient]:
    """Let a browser in: with the owner's key, or by a link."""
    key = KEY
    if request.param != "owner":
        answer = await game.http.post(f"{game.path}/links", json={"role": request.param})
        key = answer.json()["token"]
    async with httpx.AsyncClient(base_url=counted_service.url, timeout=60) as client:
        await client.get("/login", params={"key": key})
        yield client


async def tap(browser: httpx.AsyncClient, game: Game, entry: dict[str, Any]) -> httpx.Response:
    """Enter something as the recorder's script does."""
    return await browser.post(
        f"/games/{game.id}/outbox",
        json={"entries": [entry]},
        headers={"If-Match": f'"{game.version}"', "Idempotency-Key": str(uuid4())},
    )


async def test_a_tap_waits_twice_at_most(
    browser: httpx.AsyncClient, game: Game, proxy: RoundTrips
) -> None:
    before = 0
    for number in range(WARMING):
        before = proxy.count
        answer = await tap(browser, game, {"type": "note", "text": f"number {number}"})
        assert answer.status_code == 201
        game.version += 1
    assert 0 < proxy.count - before <= TAP


async def test_a_tap_that_is_refused_waits_twice_at_most(
    browser: httpx.AsyncClient, game: Game, proxy: RoundTrips
) -> None:
    before = 0
    for _ in range(WARMING):
        before = proxy.count
        answer = await tap(browser, game, {"type": "play", "seat": 0, "card": "QH", "waive": []})
        assert answer.status_code == 422
    assert 0 < proxy.count - before <= TAP


async def test_an_append_by_the_api_waits_twice_at_most(game: Game, proxy: RoundTrips) -> None:
    before = 0
    for number in range(WARMING):
        before = proxy.count
        await game.record({"type": "note", "text": f"sent {number}"})
    assert 0 < proxy.count - before <= TAP


@pytest.mark.parametrize(
    "path", ["", "/board", "/log", "/sheet", "/at/2", "/more", "/correct/3", "/replay"]
)
async def test_a_page_of_a_game_waits_three_times_at_most(
    path: str, browser: httpx.AsyncClient, game: Game, proxy: RoundTrips
) -> None:
    before = 0
    for _ in range(WARMING):
        before = proxy.count
        answer = await browser.get(f"/games/{game.id}{path}")
        assert answer.status_code in {200, 303}, answer.text
    assert 0 < proxy.count - before <= PAGE


async def test_ten_followers_ask_no_more_than_one(game: Game, proxy: RoundTrips) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(Follower.of(game))
        await first.event()
        alone = await _asked_meanwhile(proxy)
        phones = [await stack.enter_async_context(Follower.of(game)) for _ in range(9)]
        for phone in phones:
            await phone.event()
        assert await _asked_meanwhile(proxy) <= alone + 2
        before = proxy.count
        await game.record({"type": "note", "text": "for all"})
        told = [await phone.event() for phone in (first, *phones)]
        assert {one["entry"]["text"] for one in told if one} == {"for all"}
        assert proxy.count - before <= TAP + 4


async def _asked_meanwhile(proxy: RoundTrips) -> int:
    before = proxy.count
    await asyncio.sleep(2 * POLL_SECONDS)
    return proxy.count - before
