"""What nobody was sure of waits for the end of the deal, and is settled there by a tap."""

from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.table import Table
from tests.http.club import DEAL, Game

END = {"type": "result", "maker": 1, "tricks": 3}


async def test_unsure_card_is_settled_at_the_end_of_the_deal_by_one_tap(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS", "unsure": True}, END)
    page = await (await phone()).new_page()
    await Table(page, game.id).open()
    await page.get_by_role("button", name="It was so").tap()
    await expect(page.locator(".doubts")).to_have_count(0)
    (amend,) = [line["entry"] for line in await game.log() if line["type"] == "amend"]
    assert amend["move"] == {"type": "play", "seat": 1, "card": "AS"}


async def test_place_where_something_is_missing_leads_to_what_is_inserted(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {"type": "note", "text": "Pause", "unsure": True}, END)
    page = await (await phone()).new_page()
    await Table(page, game.id).open()
    link = page.locator(".doubts").get_by_role("link")
    await expect(link).to_have_attribute("href", f"/games/{game.id}/correct/5?part=0&before=1")
