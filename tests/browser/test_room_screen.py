"""A screen for the room: it follows by itself, is large, and has nothing to press."""

import httpx
import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.conftest import Phone
from tests.http.club import DEAL, Game

TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST = """() => Math.min(...[...document.querySelectorAll('main *')]
    .filter((one) => !one.closest('.sr') && [...one.childNodes].some(
        (node) => node.nodeType === 3 && node.textContent.trim()))
    .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


async def test_it_follows_the_game_by_itself(phone: Phone, game: Game) -> None:
    await game.record(DEAL[0])
    page = await (await phone(viewport=TELEVISION)).new_page()
    await page.goto(f"/games/{game.id}/screen")
    await expect(page.locator(".moves li").first).to_contain_text("Ann deals")
    await game.record(DEAL[1])
    await expect(page.locator(".moves li").first).to_contain_text("Bob orders")
    assert await page.locator("button, a:not(.skip), input, form").count() == 0


async def test_its_smallest_text_is_read_from_four_metres(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    page = await (await phone(viewport=TELEVISION)).new_page()
    await page.goto(f"/games/{game.id}/screen")
    assert await page.evaluate(SMALLEST) >= 28


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800), (800, 1280)])
async def test_nothing_is_cut_off(phone: Phone, game: Game, width: int, height: int) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    page = await (await phone(viewport={"width": width, "height": height})).new_page()
    await page.goto(f"/games/{game.id}/screen")
    section = page.locator(".tabled")
    assert await section.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    assert await section.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")


async def test_a_club_sees_the_tables_that_go_on_side_by_side(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    games = [await Game.started(http), await Game.started(http)]
    page = await (await phone(viewport=TELEVISION)).new_page()
    await page.goto("/screen")
    await expect(page.locator(".tabled").nth(1)).to_be_visible()
    before = await page.locator(".tabled").count()
    await games[0].record(DEAL[0])
    await expect(page.locator(".moves").get_by_text("Ann deals").first).to_be_visible()
    assert await page.locator(".tabled").count() == before
