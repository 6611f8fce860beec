import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.browser.accessibility import UNFOLD
from tests.browser.conftest import Phone, in_network
from tests.http.club import Game


async def _invite(context: BrowserContext, address: str) -> tuple[Page, str]:
    page = await context.new_page()
    await page.goto(address)
    await page.get_by_role("button", name="Invite to watch").click()
    return page, str(await page.locator(".address a").get_attribute("href"))


@pytest.mark.parametrize("secure", [True, False])
async def test_a_link_is_copied_with_and_without_https(
    phone: Phone, game: Game, *, secure: bool
) -> None:
    own = str(game.http.base_url)
    host = own if secure else in_network(own)
    page, address = await _invite(await phone(), f"{host}/games/{game.id}/share")
    assert await page.evaluate("isSecureContext") is secure
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("status")).to_have_text("Copied")
    await page.evaluate(UNFOLD, "main details")
    field = page.locator("input[name=sites]")
    await field.focus()
    await page.keyboard.press("Control+V")
    await expect(field).to_have_value(address)


async def test_there_is_no_share_button_without_a_share_sheet(phone: Phone, game: Game) -> None:
    context = await phone()
    page, _ = await _invite(context, f"{in_network(str(game.http.base_url))}/games/{game.id}/share")
    await expect(page.get_by_role("button", name="Copy")).to_be_visible()
    assert not await page.evaluate("'share' in navigator")
    await expect(page.get_by_role("button", name="Share")).to_be_hidden()


async def test_an_invitation_to_the_club_is_copied_too(phone: Phone, game: Game) -> None:
    page = await phone.page()
    await page.goto(f"{game.http.base_url}/people")
    await page.locator("form[action='/people'] input[name=name]").fill("Zebedee")
    await page.get_by_role("button", name="Invite", exact=True).click()
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("status")).to_have_text("Copied")
