"""Five tasks of a household, done with the texts on the screen and without a wrong turn."""

import re

import httpx
import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.conftest import SMALL, Phone
from tests.browser.newcomer import Newcomer, plain
from tests.http.club import add_player

LARGE: ViewportSize = {"width": 390, "height": 844}
NAMES = ("Zoé", "Émile", "Jürgen", "Oma")


class Household(Newcomer):
    async def go(self, words: str) -> None:
        await self.page.get_by_role("link", name=plain(self.word(words)), exact=True).first.tap()
        await self.page.wait_for_load_state()

    async def result(self, points: dict[int, int]) -> None:
        """Enter that the first player went out, and what others count, by seat."""
        panel = self.page.locator(".numbers:visible")
        if not await panel.get_by_role("radio", name=self.names[0]).is_checked():
            await panel.locator(".asked label", has_text=self.names[0]).first.tap()
        for seat, number in points.items():
            await panel.locator(f'[data-loser="{seat}"] input').tap()
            for digit in str(number):
                await panel.get_by_role("button", name=digit, exact=True).tap()
        await self.press(self.word("Enter it"))


@pytest.mark.parametrize(
    ("language", "viewport"), [("fr", SMALL), ("de", LARGE), ("en", SMALL)], ids=["fr", "de", "en"]
)
async def test_a_household_finds_its_way(
    phone: Phone, http: httpx.AsyncClient, language: str, viewport: ViewportSize
) -> None:
    page = await phone.page(language=language, viewport=viewport)
    names = tuple(f"{name} {language}" for name in NAMES)
    for name in names:
        await add_player(http, name)
    home = Household(page, language, "rami", names)
    rami = home.words("name|game_name", name="rami")

    # A game for four, and how its first deal ended.
    await page.goto("/")
    await home.go("New game")
    game = await home.sit_down(afresh=False)
    await home.go("Result")
    await home.result({1: 100, 2: 120, 3: 9})
    await expect(page.locator("[data-agree]")).to_be_visible()

    # The score was wrong: Jürgen counted 20.
    await page.goto("/history")
    await page.locator(".line.past").first.tap()
    # The row of an open game leads to its table.
    await expect(page).to_have_url(re.compile(rf"/games/{game}$"))
    await page.goto(f"/games/{game}/sheet")
    await page.locator("label:has([data-details])").first.tap()
    await page.get_by_role("link", name=plain(f"{home.word('Correct')} 1"), exact=True).tap()
    await home.result({2: 20})
    await expect(page).to_have_url(re.compile(rf"/games/{game}$"))
    await page.goto("/history")
    await expect(page.locator(".line.past").first).to_contain_text(
        re.compile(r"Jürgen \w\w\s+20\b")
    )

    # Who leads this month at Rami.
    await home.go("Standings")
    await home.go("This month")
    await expect(page.locator("summary").get_by_text(plain(rami), exact=True)).to_be_visible()

    # How the game goes.
    await home.go("More")
    await page.get_by_role("link", name=plain(rami), exact=True).tap()
    await expect(page.locator(".guide h2").first).to_be_visible()

    # The evening on paper.
    await page.goto(f"/evenings/{game}")
    link = page.get_by_role("link", name=plain(home.word("For the fridge (PDF, A4)")), exact=True)
    paper = await page.request.get(str(await link.get_attribute("href")))
    assert (paper.status, paper.headers["content-type"]) == (200, "application/pdf")
