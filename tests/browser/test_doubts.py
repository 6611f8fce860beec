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
    await page.get_by_role("button", name="That is right").tap()
    await expect(page.locator(".doubts")).to_have_count(0)
    (amend,) = [line["entry"] for line in await game.log() if line["type"] == "amend"]
    assert amend["move"] == {"type": "play", "seat": 1, "card": "AS"}


async def test_unsure_card_is_put_right_at_the_end_of_the_deal_by_two_taps(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS", "unsure": True}, END)
    page = await (await phone()).new_page()
    await Table(page, game.id).open()
    await page.locator(".doubts").get_by_role("link").tap()
    await page.wait_for_url("**/correct/*")
    await page.locator('.key[data-card="KS"]').tap()
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.locator(".doubts")).to_have_count(0)
    (amend,) = [line["entry"] for line in await game.log() if line["type"] == "amend"]
    assert amend["move"] == {"type": "play", "seat": 1, "card": "KS"}


async def test_missing_move_takes_the_place_that_was_kept_for_it(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "note", "text": "", "unsure": True}, END)
    page = await (await phone()).new_page()
    await Table(page, game.id).open()
    await page.locator(".doubts").get_by_role("link").tap()
    await page.wait_for_url("**/correct/*")
    await page.locator('.key[data-card="KS"]').tap()
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.locator(".doubts")).to_have_count(0)
    standing = await game.get("/entries", effective="true")
    kinds = [line["type"] for line in standing["entries"]]
    assert ("note" in kinds, kinds.count("play")) == (False, 1)


async def test_correction_that_changes_the_points_is_shown_first(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {**END, "unsure": True})
    page = await (await phone()).new_page()
    await Table(page, game.id).open()
    await page.locator(".doubts").get_by_role("link").tap()
    await page.wait_for_url("**/correct/*")
    await page.get_by_role("link", name="Result").tap()
    await page.wait_for_url("**by=result*")
    await page.locator(".key[value*='\"tricks\":5']").first.tap()
    await page.wait_for_url("**/preview*")
    assert [line for line in await game.log() if line["type"] == "amend"] == []


async def test_what_was_missed_is_said_by_two_taps(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    page = await (await phone()).new_page()
    table = Table(page, game.id)
    await table.open()
    before = await table.version()
    await page.locator('[name="with.unsure"]').tap()
    await page.get_by_role("button", name="Something is missing here").tap()
    await table.moved_on(before)
    assert (await game.log())[-1]["entry"] == {"type": "note", "text": "", "unsure": True}


async def test_place_where_something_was_missed_may_stay_open(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "note", "text": "", "unsure": True}, END)
    page = await (await phone()).new_page()
    table = Table(page, game.id)
    await table.open()
    before = await table.version()
    # Nobody says of what is missing that it was so.
    await expect(page.get_by_role("button", name="That is right")).to_have_count(0)
    await page.locator(".doubts").get_by_role("button", name="Leave it open").tap()
    await table.moved_on(before)
    await expect(page.locator(".doubts")).to_have_count(0)
