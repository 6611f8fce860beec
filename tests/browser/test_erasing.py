import pytest
from playwright.async_api import Page, expect

from tests.browser.accessibility import LANGUAGES, UNFOLD, violations
from tests.browser.conftest import Phone
from tests.http.club import MADE_RESULT, Game

WRITTEN = "Zebedee peeked"


@pytest.fixture
async def noted(game: Game) -> Game:
    await game.record(
        {"type": "note", "text": WRITTEN},
        {"type": "adjust", "seat": 0, "points": -2, "reason": WRITTEN},
        MADE_RESULT,
    )
    return game


async def _erase(page: Page, version: int) -> None:
    entry = page.locator(f"#v{version}")
    await entry.locator("summary").first.click()
    await entry.locator("summary", has_text="Erase the text").click()
    await expect(entry.get_by_text("This cannot be undone")).to_be_visible()
    await entry.get_by_role("button", name="Erase for good").click()
    await expect(page.locator(f"#v{version}")).to_contain_text("(text erased)")


@pytest.mark.parametrize("script", [True, False])
async def test_text_is_erased_after_a_warning_and_the_points_stay(
    phone: Phone, noted: Game, *, script: bool
) -> None:
    page = await phone.page(java_script_enabled=script)
    await page.goto(f"/games/{noted.id}/log")
    for version in (3, 2):
        await _erase(page, version)
        await expect(page.locator(f"#v{version}").get_by_text("Erase the text")).to_have_count(0)
    await expect(page.get_by_text(WRITTEN)).to_have_count(0)
    await page.goto(f"/games/{noted.id}/sheet")
    await expect(page.get_by_text(WRITTEN)).to_have_count(0)
    await expect(page.get_by_text("(text erased)")).to_have_count(2)
    await expect(page.locator("tfoot .points")).to_have_text(["−1", "0"])


async def test_text_that_stands_in_place_of_another_is_told_as_erased(
    phone: Phone, noted: Game
) -> None:
    move = {"type": "note", "text": f"{WRITTEN} twice"}
    await noted.record({"type": "amend", "version": 2, "move": move})
    page = await phone.page()
    await page.goto(f"/games/{noted.id}/log")
    await _erase(page, 6)
    await expect(page.get_by_text("twice")).to_have_count(0)
    await expect(page.locator("#v2 del")).to_have_text(f"Note: {WRITTEN}")
    await expect(page.locator("#v2")).to_contain_text("Note: (text erased)")


async def test_correcting_an_erased_text_or_taking_it_back_tells_that_it_was_erased(
    phone: Phone, noted: Game
) -> None:
    page = await phone.page()
    await page.goto(f"/games/{noted.id}/log")
    for version in (2, 3):
        await _erase(page, version)
    await page.goto(f"/games/{noted.id}/correct/2")
    await expect(page.locator("main")).to_contain_text("Note: (text erased)")
    await page.goto(f"/games/{noted.id}/log")
    await page.locator("#v2 summary").first.click()
    await page.get_by_role("button", name="Back to here").locator("visible=true").click()
    await expect(page.locator("ol.list")).to_contain_text("(text erased)")


async def test_entries_without_a_text_offer_nothing_to_erase(phone: Phone, noted: Game) -> None:
    page = await phone.page()
    await page.goto(f"/games/{noted.id}/log")
    await expect(page.locator("summary", has_text="Erase the text")).to_have_count(2)


async def test_guest_is_offered_no_erasing(phone: Phone, noted: Game) -> None:
    made = await noted.http.post(f"{noted.path}/links", json={"role": "scorer"})
    page = await phone.page(key=made.json()["token"])
    await page.goto(f"/games/{noted.id}/log")
    await page.locator("#v2 summary").click()
    await expect(page.get_by_role("link", name="Correct: Note").first).to_be_visible()
    await expect(page.get_by_text("Erase")).to_have_count(0)


async def test_address_of_the_form_leads_to_the_entry(phone: Phone, noted: Game) -> None:
    page = await phone.page()
    await page.goto(f"/games/{noted.id}/erase/2")
    await expect(page).to_have_url(f"{page.url.split('/games')[0]}/games/{noted.id}/log?entry=2#v2")
    await expect(page.locator("#v2")).to_contain_text(WRITTEN)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_warning_is_accessible_and_fits_the_smallest_screen(
    phone: Phone, noted: Game, language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    await page.goto(f"/games/{noted.id}/log")
    await page.evaluate(UNFOLD, "main details")
    assert await violations(page) == []
    assert await page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
