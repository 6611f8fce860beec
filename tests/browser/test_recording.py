import asyncio

from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.table import DEAL, Table, plays
from tests.http.club import LOST_RESULT, MADE_RESULT, Game


async def test_whole_deal_is_recorded_card_by_card(table: Table, game: Game) -> None:
    await table.bid()
    await table.tap(*DEAL)
    assert await table.totals() == [0, 2]
    assert plays(await game.log()) == list(DEAL)


async def test_deal_is_recorded_by_its_result_in_two_taps(table: Table) -> None:
    await table.page.locator("[data-by=result]").click()
    await table.choose(type="result", maker=0, tricks=3)
    assert await table.totals() == [1, 0]


async def test_result_is_entered_again_and_again_without_choosing_it_anew(table: Table) -> None:
    await table.page.locator("[data-by=result]").click()
    await table.choose(type="result", maker=0, tricks=3)
    await table.agree()
    await table.choose(type="result", maker=1, tricks=5)
    assert await table.totals() == [1, 2]


async def test_deal_recorded_part_way_is_ended_by_its_result(dealt: Table) -> None:
    await dealt.tap("AS", "9S")
    await dealt.page.locator("[data-by=result]").click()
    await dealt.choose(type="result", maker=1, tricks=2)
    assert await dealt.totals() == [2, 0]


async def test_tapped_card_is_painted_before_any_answer(dealt: Table) -> None:
    await dealt.page.route("**/outbox*", lambda _route: asyncio.sleep(0))
    await dealt.key("AS").click()
    await expect(dealt.page.locator("[data-pending] .card")).to_have_count(1)
    await expect(dealt.key("AS")).to_be_hidden()


async def test_undo_names_what_it_takes_back_and_takes_it_back(table: Table, game: Game) -> None:
    await table.bid()
    await table.tap("AS")
    undo = table.page.locator("[data-undo]")
    await expect(undo).to_have_accessible_name("Undo: Bob plays the ace of spades")
    await expect(undo.locator(".card:visible")).to_be_in_viewport(ratio=1)
    before = await table.version()
    await undo.click()
    await table.moved_on(before)
    await expect(table.key("AS")).to_be_visible()
    await expect(undo).to_have_accessible_name("Undo: Ann takes the turned card")
    assert (await game.typed())[-1] == {"type": "take_back", "to": 4}


async def test_undo_after_undo_goes_further_back(table: Table) -> None:
    await table.bid()
    for _ in range(3):
        before = await table.version()
        await table.page.locator("[data-undo]").click()
        await table.moved_on(before)
    await expect(table.page.locator("[data-undo]")).to_be_hidden()
    await expect(table.key("QH")).to_be_visible()


async def test_same_key_twice_at_once_counts_once(dealt: Table, game: Game) -> None:
    before = await dealt.version()
    await dealt.key("AS").dblclick()
    await dealt.moved_on(before)
    assert plays(await game.log()) == ["AS"]


async def test_fast_taps_are_entered_in_order_by_the_right_seats(dealt: Table, game: Game) -> None:
    for card in DEAL[:6]:
        await dealt.key(card).click()
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == list(DEAL[:6])


async def test_card_played_leaves_the_keypad(dealt: Table) -> None:
    await dealt.tap("AS")
    await expect(dealt.key("AS")).to_have_count(0)


async def test_card_entered_as_unsure_is_marked(dealt: Table, game: Game) -> None:
    await dealt.page.locator("[name='with.unsure']").check()
    await dealt.tap("AS")
    assert (await game.typed())[-1]["unsure"] is True
    await expect(dealt.page.locator("[name='with.unsure']")).not_to_be_checked()


async def test_each_entry_is_announced(table: Table) -> None:
    await table.tap("QH")
    await expect(table.page.locator("[data-live]")).to_have_text(
        "Ann deals and turns up the queen of hearts"
    )


async def _focus(table: Table) -> str:
    focused = "() => document.activeElement.closest('.key')?.value ?? ''"
    return str(await table.page.evaluate(focused))


async def test_trick_is_recorded_with_the_keyboard_alone(dealt: Table, game: Game) -> None:
    page = dealt.page
    await page.reload()
    await dealt.ready()
    for _ in range(10):
        await page.keyboard.press("Tab")
        if await _focus(dealt):
            break
    assert await _focus(dealt) == "AS"
    await page.keyboard.press("Enter")
    await expect(dealt.key("AS")).to_have_count(0)
    await page.wait_for_function("() => document.activeElement.closest('.panel .keys')")
    for _ in range(5):
        await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowLeft")
    assert await _focus(dealt) == "9S"
    await page.keyboard.press("Space")
    await expect(dealt.key("9S")).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S"]


async def test_finished_game_offers_the_same_players_again(phone: Phone, game: Game) -> None:
    await game.record(MADE_RESULT, LOST_RESULT, {"type": "finish", "reason": ""})
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    await page.get_by_role("button", name="Same players again").click()
    await page.wait_for_url(lambda url: game.id not in url)
    await expect(page.locator(".seat .name")).to_have_text(["Ann", "Bob"])
