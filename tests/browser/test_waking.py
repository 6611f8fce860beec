"""A phone whose connection went silent compares its version once it wakes, or after 30 s."""

from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.line import lose_line
from tests.browser.silent_line import SilentLine
from tests.browser.table import Table
from tests.http.club import DEAL, Game
from tests.service_process import KEY, ServiceProcess

# Seconds of the page's clock.
QUIET = 31
MINUTES = 10
# Each kind of waking; the phone has slept before.
WAKES = {
    "seen again": "document.dispatchEvent(new Event('visibilitychange'))",
    "online": "dispatchEvent(new Event('online'))",
}


@pytest.fixture
async def line(service: ServiceProcess) -> AsyncGenerator[SilentLine]:
    async with SilentLine.to(service.url) as line:
        yield line


async def open_page(phone: Phone, line: SilentLine, path: str) -> Page:
    page = await (await phone(key=None)).new_page()
    await page.clock.install()
    await page.goto(f"{line.url}/login?key={KEY}")
    async with page.expect_response("**/live"):
        await page.goto(line.url + path)
    return page


@pytest.mark.parametrize("wake", WAKES)
async def test_table_is_compared_at_once_when_the_phone_wakes(
    phone: Phone, game: Game, line: SilentLine, wake: str
) -> None:
    page = await open_page(phone, line, f"/games/{game.id}")
    line.cut()
    await game.record(*DEAL)
    await page.evaluate(WAKES[wake])
    await expect(page.locator(".board")).to_have_attribute("data-version", "4")


async def test_quiet_stream_is_renewed(phone: Phone, game: Game, line: SilentLine) -> None:
    page = await open_page(phone, line, f"/games/{game.id}")
    line.cut()
    await game.record(*DEAL)
    await page.clock.run_for(QUIET * 1000)
    await expect(page.locator(".board")).to_have_attribute("data-version", "4")


async def test_screen_of_the_room_is_compared_at_once_when_it_wakes(
    phone: Phone, game: Game, line: SilentLine
) -> None:
    page = await open_page(phone, line, f"/games/{game.id}/screen")
    line.cut()
    await game.record(DEAL[0])
    await page.evaluate(WAKES["seen again"])
    await expect(page.locator(".moves li").first).to_contain_text("Ann deals")


async def test_table_from_the_back_forward_cache_is_compared(phone: Phone, game: Game) -> None:
    page = await (await phone()).new_page()
    async with page.expect_response("**/live"):
        await page.goto(f"/games/{game.id}")
    await page.goto("/history")
    await game.record(*DEAL)
    await page.go_back()
    await expect(page.locator(".board")).to_have_attribute("data-version", "4")


async def test_quiet_phone_asks_at_most_every_ten_seconds_where_nothing_answers(
    phone: Phone, game: Game, line: SilentLine
) -> None:
    page = await open_page(phone, line, f"/games/{game.id}")
    await Table(page, game.id).ready()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await lose_line(page.context)
    for _ in range(MINUTES * 6):
        await page.clock.run_for(10_000)
    assert 1 <= len(asked) <= MINUTES * 6
