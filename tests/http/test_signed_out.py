import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from tests.http.club import Game, anonymous_client
from tests.http.test_members import invited
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess
from tests.waiting import time_limit

TOLD_SECONDS = 2.0


@pytest.fixture
async def browser(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with anonymous_client(service.url) as client:
        yield client


async def opened(browser: httpx.AsyncClient, game: Game) -> str:
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    answer = await browser.get("/login", params={"key": made["token"]})
    assert answer.status_code == 303
    return str(made["id"])


@asynccontextmanager
async def follow_page(browser: httpx.AsyncClient, path: str) -> AsyncGenerator[AsyncIterator[str]]:
    async with browser.stream("GET", path) as answer:
        assert answer.status_code == 200
        lines = answer.aiter_lines()
        assert (await anext(lines)).startswith("retry")
        yield lines


async def until_signed_out(lines: AsyncIterator[str]) -> None:
    async with asyncio.timeout(time_limit(TOLD_SECONDS)):
        async for line in lines:
            if line == "event: signed-out":
                return
    raise AssertionError("the stream ended without a word")


PATHS = ["/api/games/{id}/live", "/api/signed-in?game={id}", "/api/signed-in"]


async def test_a_scorer_who_becomes_a_reader_is_told_and_follows_anew(
    browser: httpx.AsyncClient, game: Game
) -> None:
    member, key = await invited(game.http, "Cid", "scorer")
    assert (await browser.post("/join", data={"key": key})).status_code == 303
    async with follow_page(browser, PATHS[0].format(id=game.id)) as lines:
        changed = {"do": "change", "name": "Cid", "role": "reader"}
        assert (await game.http.post(f"/people/{member}", data=changed)).status_code == 303
        await until_signed_out(lines)
    async with follow_page(browser, PATHS[0].format(id=game.id)):
        pass


@pytest.mark.parametrize("path", PATHS)
async def test_who_follows_is_told_when_the_link_is_revoked(
    browser: httpx.AsyncClient, game: Game, path: str
) -> None:
    link = await opened(browser, game)
    async with follow_page(browser, path.format(id=game.id)) as lines:
        await game.http.delete(f"{game.path}/links/{link}")
        await until_signed_out(lines)


@pytest.mark.parametrize("path", PATHS)
async def test_who_follows_is_told_when_the_session_ends(
    browser: httpx.AsyncClient, service: ServiceProcess, game: Game, path: str
) -> None:
    await browser.get("/login", params={"key": KEY})
    async with follow_page(browser, path.format(id=game.id)) as lines:
        async with httpx.AsyncClient(
            base_url=service.url, cookies=dict(browser.cookies), timeout=60, verify=PLAIN_TLS
        ) as same:
            await same.post("/logout")
        await until_signed_out(lines)


async def test_who_keeps_a_right_is_told_of_the_game_that_is_closed_alone(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await opened(browser, await Game.start(game.http))
    link = await opened(browser, game)
    async with (
        follow_page(browser, f"/api/signed-in?game={game.id}") as closed,
        follow_page(browser, "/api/signed-in") as kept,
    ):
        await game.http.delete(f"{game.path}/links/{link}")
        await until_signed_out(closed)
        await browser.post("/logout")
        await until_signed_out(kept)


async def test_nobody_watches_a_game_that_is_not_theirs(
    browser: httpx.AsyncClient, game: Game
) -> None:
    other = await Game.start(game.http)
    await opened(browser, game)
    assert (await browser.get(f"/api/signed-in?game={other.id}")).status_code == 404
