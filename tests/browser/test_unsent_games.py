"""Taps that wait on this phone are found again after their page was closed."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone, ServiceWorkers
from tests.browser.line import find_line, lose_line
from tests.browser.table import Table, plays
from tests.browser.test_an_hour_away import CONTROLLED
from tests.browser.test_connection import STORED
from tests.http.club import DEAL, Game

WAIT = {
    "en": ("1 tap waits on this phone", "3 taps wait on this phone"),
    "fr": ("1 entrée attend sur ce téléphone", "3 entrées attendent sur ce téléphone"),
    "de": ("1 Eingabe wartet auf diesem Telefon", "3 Eingaben warten auf diesem Telefon"),
}


@pytest.fixture
def service_workers() -> ServiceWorkers:
    return "allow"


async def _home_kept(phone: Phone, language: str) -> Page:
    page = await (await phone(language=language)).new_page()
    await page.goto("/")
    await expect(page.locator("html")).to_have_attribute("data-kept", "")
    await page.evaluate(CONTROLLED)
    return page


@pytest.mark.parametrize(("language", "count"), [("en", 1), ("en", 3), ("fr", 3), ("de", 3)])
async def test_home_lists_what_waits_with_and_without_a_network(
    phone: Phone, game: Game, language: str, count: int
) -> None:
    await game.record(*DEAL)
    page = await _home_kept(phone, language)
    context = page.context
    table = Table(page, game.id)
    await table.open()
    await lose_line(context)
    first, *others = ("AS", "9S", "AC")[:count]
    await table.key(first).click()
    await expect(page.locator(".offline-note")).to_be_visible()
    for card in others:
        await table.offline_key(card).click()
    await page.evaluate(STORED, count)
    await page.close()
    page = await context.new_page()
    link = page.locator(f'[data-unsent] a[href="/games/{game.id}"]')
    await page.goto("/")
    words = WAIT[language][count > 1]
    await expect(link).to_contain_text(["Ann – Bob"])
    await expect(link).to_contain_text([words])
    await find_line(context)
    for path in (f"/games/{game.id}/sheet", "/"):
        await page.goto(path)
        await expect(link).to_contain_text([words])
    assert plays(await game.log()) == []
    await link.click()
    await expect(page.locator(".board")).to_have_attribute("data-version", str(4 + count))
    await page.goto("/")
    await expect(link).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S", "AC"][:count]
