import httpx
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Phone
from tests.browser.dutch_table import DutchTable, dutch_game
from tests.browser.test_rami import LAST_HAND, OPENED, opened, start
from tests.browser.test_rami import entries as written


async def _result(page: Page, game_id: str) -> Locator:
    await page.goto(f"/games/{game_id}?by=result")
    return page.locator('.panel[data-panel="result"]')


async def _fill(panel: Locator, *totals: str) -> None:
    for field, total in enumerate(totals):
        await panel.locator(f'[name="open.totals.{field}"]').fill(total)


async def _have(panel: Locator, *totals: str) -> None:
    for field, total in enumerate(totals):
        await expect(panel.locator("[data-number]").nth(field)).to_have_value(total)


async def test_missing_total_is_named_and_the_others_stay(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    for script in (True, False):
        page = await (await phone(java_script_enabled=script)).new_page()
        panel = await _result(page, game.id)
        await panel.get_by_role("radio", name="Bob").check()
        await _fill(panel, "12", "", "7")
        await panel.get_by_role("button", name="Enter it").click()
        await expect(page.locator(".lacks")).to_have_text("Points are missing: Bob.")
        await _have(panel, "12", "", "7")
        await expect(panel.get_by_role("radio", name="Bob")).to_be_checked()
    assert len(await game.log()) == 1


async def test_missing_caller_is_asked_for(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    page = await (await phone()).new_page()
    panel = await _result(page, game.id)
    await panel.get_by_role("button", name="Enter it").click()
    await expect(page.locator("dialog")).to_be_hidden()
    await expect(panel.locator("[data-digit]").first).to_be_hidden()
    await panel.get_by_role("radio", name="Bob").check()
    await expect(panel.locator("[data-digit]").first).to_be_visible()


async def test_refused_result_keeps_every_number_and_choice(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    for script in (True, False):
        page = await (await phone(java_script_enabled=script)).new_page()
        panel = await _result(page, game.id)
        await panel.get_by_role("radio", name="a row ran empty").check()
        await _fill(panel, "12", "5", "7")  # "nobody": no row ran empty
        await panel.get_by_role("button", name="Enter it").click()
        await expect(page.locator(".refusal")).to_be_visible()
        if script:
            await page.locator("dialog [data-way=drop]").click()
        await _have(panel, "12", "5", "7")
        await expect(panel.get_by_role("radio", name="a row ran empty")).to_be_checked()


async def test_what_is_no_number_is_said_to_be_none(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    page = await (await phone()).new_page()
    panel = await _result(page, game.id)
    await panel.get_by_role("radio", name="Bob").check()
    await _fill(panel, "1x", "2", "3")
    await panel.get_by_role("button", name="Enter it").click()
    await expect(page.locator(".lacks")).to_have_text("This is not a number.")


async def test_uncounted_hand_is_missed_by_its_name(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    await game.record(*LAST_HAND)
    table = await opened(phone, game)
    await table.button(type="count").click()
    await expect(table.page.locator(".lacks")).to_have_text("Points are missing: Ann.")


async def test_not_opened_is_tapped_and_shows_what_it_counts(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http, seats=3, not_opened=80, dry=150)
    page = await (await phone()).new_page()
    await page.goto(f"/games/{game.id}?by=result")
    await page.get_by_role("radio", name="Ann").check(force=True)
    totals = page.locator(".field:not([data-loser='0']) .total:visible")
    await page.get_by_role("button", name="Rami sec").click()
    await expect(totals).to_have_text(["150", "150"])
    await page.locator('[name="open.hands.2.points"]').fill("7")
    await expect(totals).to_have_text(["80", "7"])


async def test_loser_known_to_have_opened_must_be_counted(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http)
    await game.record(*OPENED)
    table = await opened(phone, game, "?by=result")
    await table.page.get_by_role("radio", name="Ann").check(force=True)
    await table.button(type="result").click()
    await expect(table.page.locator(".lacks")).to_have_text("Points are missing: Bob.")
    assert (await written(game))[-1]["type"] == "discard"


async def test_reload_keeps_what_was_typed(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    page = await (await phone()).new_page()
    panel = await _result(page, game.id)
    await page.wait_for_selector("html[data-ready]", state="attached")
    await panel.get_by_role("radio", name="Bob").check()
    await _fill(panel, "12", "", "7")
    await page.reload()
    await page.wait_for_selector("html[data-ready]", state="attached")
    await _have(panel, "12", "", "7")
    await expect(panel.get_by_role("radio", name="Bob")).to_be_checked()


async def test_reload_keeps_the_cards_chosen_for_a_laying(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await start(http)
    await game.record({"type": "deal", "dealer": 1, "up": "5C"}, {"type": "draw", "seat": 0})
    table = await opened(phone, game)
    await table.page.locator(".modes label").nth(1).click()
    await table.pick("3H", "4H", "5H")
    shown = table.page.locator(".panel:not(.offline-pad) .groups li")
    before = await shown.all_inner_texts()
    assert before
    await table.page.reload()
    await expect(shown).to_have_text(before, use_inner_text=True)


async def test_count_is_entered_without_scrolling_on_the_smallest_phone(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http)
    await game.record(*LAST_HAND)
    table = await opened(phone, game)
    await expect(table.button(type="count")).to_be_in_viewport(ratio=1)
    await expect(table.page.locator("[data-undo]")).to_be_in_viewport(ratio=1)


async def test_what_is_chosen_while_no_answer_comes_outlives_a_board_and_a_reload(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record({"type": "deal", "dealer": 0, "up": "5C"})
    table = DutchTable(await (await phone()).new_page(), game.id)
    await table.open()
    pad, note = table.page.locator(".offline-pad"), table.page.locator(".offline-note")
    chosen = pad.get_by_role("radio", name="2", include_hidden=True)
    await expect(pad).to_be_empty()
    await table.page.route("**/outbox*", lambda route: route.abort())
    await table.panel.get_by_role("button", name="Draws").click()
    await expect(note).to_be_visible()
    await pad.locator(".slot", has_text="2").click()
    await table.page.unroute("**/outbox*")
    await table.moved_on(2)
    await expect(note).to_be_hidden()
    await expect(chosen).to_be_checked()
    await table.page.reload()
    await table.ready()
    await expect(chosen).to_be_checked()
