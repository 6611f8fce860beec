import asyncio

import httpx
from playwright.async_api import Route, expect

from tests.browser.conftest import Phone
from tests.browser.dutch_table import DutchTable, Json, dutch_game
from tests.http.club import Game

DEAL: Json = {"type": "deal", "dealer": 2, "up": "5C"}
# Ann begins. A wrong and a right snap, both powers, Dutch and Contre Dutch, all three reveal.
WHOLE: list[Json] = [
    DEAL,
    {"type": "draw", "seat": 0},
    {"type": "swap", "seat": 0, "slot": 1, "card": "QS"},
    {"type": "snap", "seat": 2, "slot": 0, "card": "7H"},
    {"type": "snap", "seat": 1, "slot": 2, "card": "QD"},
    {"type": "peek", "seat": 0, "place": [2, 3]},
    {"type": "take", "seat": 1},
    {"type": "swap", "seat": 1, "slot": 0, "card": "JC"},
    {"type": "trade", "seat": 1, "a": [0, 0], "b": [2, 0]},
    {"type": "draw", "seat": 2},
    {"type": "drop", "seat": 2, "card": "9S"},
    {"type": "dutch", "seat": 0},
    {"type": "counter", "seat": 1},
    {"type": "draw", "seat": 2},
    {"type": "swap", "seat": 2, "slot": 1, "card": "8D"},
    {"type": "reveal", "seat": 0, "points": 30},
    {"type": "reveal", "seat": 1, "cards": ["QD", "2S", "3S"]},
    {"type": "reveal", "seat": 2, "points": 20},
]


async def _table(phone: Phone, game: Game, *, script: bool = True) -> DutchTable:
    page = await phone.page(java_script_enabled=script)
    table = DutchTable(page, game.id)
    table.scripted = script
    await (table.open() if script else page.goto(table.path))
    return table


async def _begin(table: DutchTable) -> None:
    await table.page.get_by_role("radio", name="Chloé").check()
    await table.card("5C")


async def _play(table: DutchTable) -> None:
    await _begin(table)
    await table.swap(0, 1, "QS")
    await table.wrong(2, 0, "7H")
    await table.throw(1, 2, "QD")
    await table.slot(2, 3).click()
    await table.say("Ann looks at it")
    await table.say("Takes up")
    await table.throw(1, 0, "JC")
    await table.slot(0, 0).click()
    await table.panel.get_by_text("Bob exchanges it with").click()
    await table.say("card 1 of Chloé")
    await table.say("Draws")
    await table.card("9S")
    await table.say("Ann Dutch!")
    await table.say("Bob Contre Dutch!")
    await table.swap(2, 1, "8D")


async def test_rows_are_counted_by_points_and_by_cards(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    # A whole deal is tapped by test_true_games.py, and without a script below.
    game = await dutch_game(http)
    await game.record(*(one for one in WHOLE if one["type"] != "reveal"))
    table = await _table(phone, game)
    await table.panel.get_by_role("radio", name="Points").check()
    for digit in "30":
        await table.panel.locator(f'[data-digit="{digit}"]').click()
    await table.say("Count them")
    await table.panel.get_by_role("radio", name="Cards").check()
    await table.pick("2S")
    await table.pick("3S")
    await table.say("These cards")
    await table.panel.get_by_role("radio", name="Points").check()
    for digit in "20":
        await table.panel.locator(f'[data-digit="{digit}"]').click()
    await table.say("Count them")
    assert await game.typed() == WHOLE
    assert await table.totals() == [60, 0, 20]


async def test_whole_deal_is_recorded_without_script(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    table = await _table(phone, game, script=False)
    await _play(table)
    await table.panel.get_by_role("radio", name="Points").check()
    await table.panel.get_by_label("Points of the whole row").fill("30")
    await table.say("Count them")
    await table.panel.get_by_role("radio", name="Cards").check()
    await table.panel.get_by_label("Bob, card 2").select_option("2 spades")
    await table.panel.get_by_label("Bob, card 4").select_option("3 spades")
    await table.say("These cards")
    await table.panel.get_by_label("Points of the whole row").fill("20")
    await table.say("Count them")
    assert await game.typed() == WHOLE


async def test_deal_is_recorded_by_its_result(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    table = await _table(phone, game)
    await table.page.locator("[data-by=result]").click()
    panel = table.page.locator('.panel[data-panel="result"]')
    await panel.get_by_role("radio", name="Bob").check()
    before = await table.version()
    for field, digits in enumerate(("12", "5", "0")):
        await panel.locator("[data-number]").nth(field).click()
        for digit in digits:
            await panel.locator(f'[data-digit="{digit}"]').click()
    await panel.get_by_role("button", name="Enter it").click()
    await table.moved_on(before)
    assert await table.totals() == [12, 10, 0]


async def test_last_discard_is_thrown_on_used_and_countered(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http, seats=2)
    await game.record({"type": "deal", "dealer": 1, "up": "5C"}, {"type": "dutch", "seat": 0})
    await game.record({"type": "draw", "seat": 1}, {"type": "drop", "seat": 1, "card": "QS"})
    table = await _table(phone, game)
    await table.throw(0, 2, "QD")
    await table.slot(0, 1).click()
    await table.say("Bob looks at it")
    await table.say("Bob Contre Dutch!")
    assert (await game.typed())[-3:] == [
        {"type": "snap", "seat": 0, "slot": 2, "card": "QD"},
        {"type": "peek", "seat": 1, "place": [0, 1]},
        {"type": "counter", "seat": 1},
    ]


async def test_result_is_a_form_without_script(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    page = await phone.page(java_script_enabled=False)
    await page.goto(f"/games/{game.id}?by=result")
    await page.get_by_role("radio", name="Ann").check()
    await page.locator("summary", has_text="Contre Dutch").click()
    await page.get_by_label("Contre Dutch").select_option("Chloé")
    panel = page.locator('.panel[data-panel="result"]')
    for name, total in (("Ann", "9"), ("Bob", "3"), ("Chloé", "8")):
        await panel.get_by_role("textbox", name=name).fill(total)
    await page.get_by_role("button", name="Enter it").click()
    await expect(page.locator(".seat .total")).to_have_text(["18", "3", "0"])


async def test_snap_out_of_its_time_is_recorded_when_it_happened(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    await table.slot(1, 0).click()
    await table.pick("5D")
    await table.page.locator("dialog[open] [data-way=waive]").first.click()
    await expect(table.slot(1, 0)).to_have_count(0)
    assert (await game.typed())[-1]["waive"] == ["dutch.snap-window"]


async def test_card_that_lies_open_and_fits_is_thrown_in_one_tap(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(*WHOLE[:4], {"type": "draw", "seat": 1})
    await game.record({"type": "drop", "seat": 1, "card": "7C"})
    table = await _table(phone, game)
    before = await table.version()
    await table.page.get_by_role("button", name="Chloé, card 1: thrown on the pile").click()
    await table.moved_on(before)
    assert (await game.typed())[-1] == {"type": "snap", "seat": 2, "slot": 0, "card": "7H"}


async def test_discard_implies_the_draw_and_undo_takes_both_back(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    await table.card("9S")
    assert (await game.typed())[1:] == [
        {"type": "draw", "seat": 0},
        {"type": "drop", "seat": 0, "card": "9S"},
    ]
    await table.page.locator("[data-undo]").click()
    await table.moved_on(4)
    assert (await game.typed())[-1] == {"type": "take_back", "to": 2}


async def test_slot_swapped_implies_the_draw(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    await table.throw(0, 1, "QS")
    assert (await game.typed())[1:] == WHOLE[1:3]


async def test_draw_that_is_on_its_way_is_not_entered_again(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    tapped = asyncio.Event()

    async def late(route: Route) -> None:
        await tapped.wait()
        await route.continue_()

    await table.page.route("**/outbox*", late)
    await table.panel.get_by_role("button", name="Draws").click()
    await table.slot(0, 1).click()
    await table.pick("QS")
    tapped.set()
    await expect(table.page.locator("[data-pending] li")).to_have_count(0)
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "4")
    assert (await game.typed())[1:] == WHOLE[1:3]


async def test_slot_chosen_while_a_draw_is_on_its_way_stays_chosen(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    answered = asyncio.Event()

    async def late(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    await table.page.route("**/outbox*", late)
    async with table.page.expect_request("**/outbox*"):
        await table.panel.get_by_role("button", name="Draws").click()
    await table.slot(0, 1).click()
    answered.set()
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "3")
    await expect(table.page.locator("[data-pending] li")).to_have_count(0)
    await table.pick("QS")
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "4")
    assert (await game.typed())[1:] == WHOLE[1:3]


async def test_two_slots_tapped_change_places_by_a_jack(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL, {"type": "draw", "seat": 0}, {"type": "drop", "seat": 0, "card": "JC"})
    table = await _table(phone, game)
    before = await table.version()
    await table.slot(1, 0).click()
    await expect(table.panel.locator(".second")).to_be_visible()
    await table.slot(2, 3).click()
    await table.moved_on(before)
    trade = {"type": "trade", "seat": 0, "a": [1, 0], "b": [2, 3]}
    assert (await game.typed())[-1] == trade


async def test_second_tap_on_a_rank_leaves_its_suits(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    rank = table.panel.locator(".rank").filter(has=table.page.locator('[value="7S"]'))
    await rank.locator("summary").click()
    await rank.locator("summary").click()
    await expect(rank.locator('[value="7S"]')).to_be_visible()


async def test_slot_thrown_leaves_a_gap(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    await game.record(DEAL, {"type": "draw", "seat": 0}, {"type": "drop", "seat": 0, "card": "9S"})
    await game.record({"type": "snap", "seat": 1, "slot": 1, "card": "9D"})
    table = await _table(phone, game)
    row = table.page.locator(".seat").nth(1).locator(".slot")
    await expect(row.nth(1)).to_have_class("slot thrown")


async def test_replay_shows_known_slots_face_up(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    await game.record(*WHOLE[:4])
    page = await phone.page()
    await page.goto(f"/games/{game.id}/at/5")
    await expect(page.locator(".slots .slot:not(.back)")).to_have_text(
        ["Chloé, card 1 7the seven of hearts"]
    )
    await expect(page.locator(".slots .slot.back")).to_have_count(12)


async def test_sheet_marks_who_called_and_whose_points_were_doubled(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record({"type": "result", "caller": 1, "counter": None, "totals": [12, 5, 0]})
    page = await phone.page()
    await page.goto(f"/games/{game.id}/sheet")
    await expect(page.locator("tbody .words").first).to_contain_text("Dutch by Bob")
    await expect(page.locator("tbody .mark")).to_have_count(1)
    await expect(page.locator("tfoot .words").last).to_contain_text("To the limit of 100")


async def test_slot_is_corrected_in_the_rows(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    await game.record(*WHOLE[:3])
    page = await phone.page()
    table = DutchTable(page, game.id)
    await page.goto(f"/games/{game.id}/correct/4")
    await table.slot(0, 2).click()
    await page.locator('.chosen .key[value="KS"]').click()
    await page.get_by_role("button", name="Correct it").click()
    await page.wait_for_url(f"**/games/{game.id}")
    amended = (await game.typed())[-1]["move"]
    assert amended == {"type": "swap", "seat": 0, "slot": 2, "card": "KS"}


async def test_new_game_takes_the_options_a_table_says(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await phone.page()
    await page.goto("/games/new?ruleset=dutch")
    for place, name in enumerate(("Ute", "Jan", "Mia"), 1):
        await page.get_by_label(f"Name {place}").fill(name)
    await page.get_by_text("Rules of this table").click()
    await page.get_by_label("no limit of points").check()
    await page.get_by_label("the others").check()
    await page.get_by_role("button", name="Start").click()
    await page.wait_for_selector("html[data-ready]", state="attached")
    view = (
        await http.get(
            f"/api{page.url.partition(':')[2].partition('/games')[1]}/{page.url.rsplit('/', 1)[1]}"
        )
    ).json()
    assert view["options"]["target"] is None
    assert view["options"]["tie"] == "others"


async def test_turn_is_kept_while_no_answer_comes_and_sent_later(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    page = table.page
    await page.route("**/outbox*", lambda route: route.abort())
    await table.panel.get_by_role("button", name="Draws").click()
    offline = page.locator(".offline-pad")
    await offline.locator(".slot").nth(1).click()
    rank = offline.locator(".by-slot .rank").filter(has=page.locator('[value="QS"]'))
    await rank.locator("summary").click()
    await rank.locator('[value="QS"]').click()
    await page.unroute("**/outbox*")
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    assert await game.typed() == WHOLE[:3]


async def test_some_seven_is_entered_by_its_rank_alone(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    table = await _table(phone, game)
    await _begin(table)
    await table.say("Draws")
    await table.card("7?")
    written = await game.typed()
    assert written[-1] == {"type": "drop", "seat": 0, "card": "7?"}
    await expect(table.page.get_by_text("a seven").first).to_be_attached()


async def test_lots_drawn_choose_who_deals(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http)
    table = await _table(phone, game)
    await table.page.get_by_role("button", name="Draw the dealer at random").click()
    lot = table.page.locator(".drawn")
    await expect(lot).to_contain_text("The lot falls on")
    drawn = await lot.inner_text()
    await table.card("5C")
    dealer = (await game.typed())[-1]["dealer"]
    assert drawn == f"The lot falls on {('Ann', 'Bob', 'Chloé')[dealer]}"


async def test_lots_are_not_offered_without_a_script(http: httpx.AsyncClient, phone: Phone) -> None:
    table = await _table(phone, await dutch_game(http), script=False)
    lots = table.page.get_by_role("button", name="Draw the dealer at random")
    await expect(lots).to_have_count(0)


async def test_button_of_two_entries_enters_both_in_its_order(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http, 2)
    await game.record(DEAL | {"dealer": 1, "hands": [["7H", "2S", "3S", "4S"], None]})
    table = await _table(phone, game)
    button = table.panel.get_by_role("button", name="Draws, and swaps the card that lies there")
    await table.slot(0, 0).click()
    before = await table.version()
    await button.click()
    await table.moved_on(before)
    assert (await game.typed())[1:] == [
        {"type": "draw", "seat": 0},
        {"type": "swap", "seat": 0, "slot": 0, "card": "7H"},
    ]


async def test_card_thrown_too_late_goes_back_after_everybody_saw_it(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http)
    await game.record(DEAL)
    table = await _table(phone, game)
    seen: Json = {"type": "peek", "waive": ["dutch.powers"]}
    # There is no discard to match.
    await table.slot(1, 0).click()
    await table.panel.locator('.fit .key[value="5H"]').click()
    before = await table.version()
    await table.page.locator("dialog[open] button", has_text="Thrown too late").click()
    await table.moved_on(before)
    await table.slot(0, 2).click()
    before = await table.version()
    await table.panel.get_by_text("Seen by everybody, no penalty").click()
    await table.panel.locator('[open].wrong .key[value="7H"]').click()
    await table.moved_on(before)
    assert (await game.typed())[1:] == [
        seen | {"seat": 1, "place": [1, 0], "card": "5H"},
        seen | {"seat": 0, "place": [0, 2], "card": "7H"},
    ]
    undo = table.page.locator("[data-undo]")
    await expect(undo).to_have_accessible_name("Undo: Card 3 of Ann is seen: the seven of hearts")
