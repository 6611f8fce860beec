import asyncio

import httpx
from playwright.async_api import Route, expect

from tests.browser.conftest import Phone
from tests.browser.durak_table import DurakTable, durak_game, whole_deal
from tests.browser.line import lose_line
from tests.generation.durak_cards import Entry
from tests.http.club import Game

# Ann leads against Bob with hands unseen; spades are trumps.
BEGUN: list[Entry] = [
    {"type": "deal", "dealer": 2, "trump": "9S"},
    {"type": "lowest", "seat": 0},
]


async def _table(phone: Phone, game: Game) -> DurakTable:
    table = DurakTable(await phone.page(), game.id)
    await table.open()
    return table


async def _write(game: Game) -> list[Entry]:
    return [_order(entry) for entry in await game.typed()]


def _order(entry: Entry) -> Entry:
    return {**entry, "cards": sorted(entry["cards"])} if "cards" in entry else entry


async def _record(game: Game, table: DurakTable, deal: list[Entry], *by_finger: range) -> None:
    at = 0
    for part in by_finger:
        if at < part.start:
            game.version = await table.version()
            await game.record(*deal[at : part.start])
            await table.page.goto(table.path)
            if table.scripted:
                await table.ready()
        for entry in deal[part.start : part.stop]:
            await table.enter(entry)
        at = part.stop
    assert at == len(deal)


async def test_deal_of_six_german_players_is_recorded_to_the_last_card(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    deal = whole_deal(136, 6, rules="de")
    game = await durak_game(http, 6, rules="de")
    # Several cards at once, an attack passed on, cards laid away, the last ones.
    await _record(game, await _table(phone, game), deal, range(7), range(32, 45), range(58, 64))
    assert await _write(game) == [_order(entry) for entry in deal]
    assert sum((await game.view())["totals"]) <= 1
    assert (await game.view())["deal"] == 2


async def test_deal_of_french_teams_is_recorded_without_script(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    deal = whole_deal(61, 4, rules="fr")
    game = await durak_game(http, 4, rules="fr")
    page = await phone.page(java_script_enabled=False)
    table = DurakTable(page, game.id, scripted=False)
    await page.goto(table.path)
    await _record(game, table, deal, range(12), range(35, 45))
    assert await _write(game) == [_order(entry) for entry in deal]
    assert (await game.view())["deal"] == 2


async def test_card_answers_the_only_attack_it_can_in_one_tap(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN)
    table = await _table(phone, game)
    await table.tap("7H", "8H")
    assert (await game.typed())[-1] == {
        "type": "beat",
        "seat": 1,
        "card": "7H",
        "with": "8H",
    }


async def test_second_tap_picks_which_attack_a_card_answers(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H", "7D"]})
    table = await _table(phone, game)
    await table.key("8S").locator("summary").click()
    before = await table.version()
    await table.page.get_by_role("button", name="Bob beats the seven of diamonds").click()
    await table.moved_on(before)
    assert (await game.typed())[-1]["card"] == "7D"


async def test_second_tap_picks_between_passing_on_and_adding(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]})
    table = await _table(phone, game)
    await table.key("7C").locator("summary").click()
    before = await table.version()
    await table.page.get_by_role("button", name="Bob passes the attack on").click()
    await table.moved_on(before)
    assert (await game.view())["table"]["defender"] == 2


async def test_cards_tapped_faster_than_answers_come_mean_what_the_table_then_shows(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN)
    table = await _table(phone, game)
    for card in ("7H", "8H", "8D", "KD"):
        await table.key(card).click()
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "7")
    assert [line["type"] for line in await game.log()][-4:] == ["attack", "beat", "attack", "beat"]


async def test_throwing_in_after_a_take_goes_on_until_all_are_done(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]})
    table = await _table(phone, game)
    for entry in (
        {"type": "take", "seat": 1},
        {"type": "attack", "seat": 0, "cards": ["7D"]},
        {"type": "done", "seat": None},
    ):
        await table.enter(entry)
    assert (await game.view())["hand_counts"] == [6, 8, 6]


async def test_deal_is_recorded_by_tapping_who_goes_out(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    page = await phone.page()
    table = DurakTable(page, game.id)
    await table.open("?by=result")
    await page.get_by_role("button", name="Chloé", exact=True).click()
    before = await table.version()
    await page.get_by_role("button", name="Ann", exact=True).click()
    await table.moved_on(before)
    assert (await game.typed())[0] == {
        "type": "result",
        "places": [[2], [0], [1]],
        "durak": 1,
    }


async def test_drawn_deal_is_recorded_by_result(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await durak_game(http, 3, rules="de")
    page = await phone.page()
    table = DurakTable(page, game.id)
    await table.open("?by=result")
    await page.get_by_role("button", name="Bob", exact=True).click()
    before = await table.version()
    await page.get_by_role("button", name="Nobody is durak: Ann, Chloé").click()
    await table.moved_on(before)
    assert (await game.typed())[0]["places"] == [[1], [0, 2]]


async def test_losing_team_with_cards_on_both_sides_says_who_is_durak(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 4, rules="fr")
    page = await phone.page()
    table = DurakTable(page, game.id)
    await table.open("?by=result")
    for name in ("Ann", "Chloé"):
        await page.get_by_role("button", name=name, exact=True).click()
    before = await table.version()
    await page.get_by_role("button", name="Dieter is durak").click()
    await table.moved_on(before)
    assert await table.totals() == [0, 1, 0, 1]


async def test_result_is_a_form_without_script(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await durak_game(http, 3, rules="fr")
    page = await phone.page(java_script_enabled=False)
    await page.goto(f"/games/{game.id}?by=result")
    await page.get_by_label("Place 1").select_option("Bob")
    await page.get_by_label("Place 2").select_option("Chloé")
    await page.get_by_label("Last place").select_option("Ann")
    await page.locator("[name='open.durak']").select_option("Ann")
    await page.get_by_role("button", name="Enter it").click()
    await expect(page.locator(".seat .total")).to_have_text(["1", "0", "0"])


async def test_card_that_does_not_beat_is_refused_with_its_clause_and_may_be_let_pass(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["TH"]})
    table = await _table(phone, game)
    await table.key("9H").click()
    await expect(table.page.locator("dialog")).to_contain_text("Not recorded: Bob beats")
    before = await table.version()
    await table.page.get_by_role("button", name="It happened").click()
    await table.moved_on(before)
    assert (await game.typed())[-1]["waive"] == ["durak.beats"]


async def test_sheet_tells_places_and_every_way_to_name_a_winner(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(
        {"type": "result", "places": [[2], [0], [1]], "durak": 1},
        {"type": "result", "places": [[0], [2], [1]], "durak": 1},
    )
    page = await phone.page()
    await page.goto(f"/games/{game.id}/sheet")
    rows = await page.locator("tfoot tr:not(.words)").all_inner_texts()
    assert [row.split("\t")[1:] for row in rows] == [
        ["0", "2", "0"],
        ["3", "6", "3"],
        ["1", "0", "1"],
        ["1", "0", "1"],
        ["0", "2", "0"],
        ["0", "2", "0"],
    ]
    await expect(page.get_by_role("img", name="Totals in the course of the game")).to_be_visible()


async def test_new_game_takes_the_options_a_table_says(phone: Phone) -> None:
    page = await phone.page(java_script_enabled=False)
    await page.goto("/games/new?ruleset=durak")
    for place, name in enumerate(("Ute", "Jan", "Mia"), 1):
        await page.get_by_label(f"Name {place}").fill(name)
    await page.get_by_text("Rules of this table").click()
    await page.get_by_role("radio", name="German").check()
    await page.get_by_label("Who may add").select_option("everybody but the defender")
    await page.get_by_label("Attack cards in a bout").select_option("only the hand limits")
    await page.get_by_role("button", name="Start").click()
    game_id = page.url.rpartition("/")[2]
    answer = await page.request.get(f"/api/games/{game_id}")
    options = (await answer.json())["options"]
    assert (options["throwers"], options["max_bout"], options["transfer"]) == ("all", None, True)


async def test_play_out_of_turn_is_recorded_when_the_table_let_it_pass(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN)
    table = DurakTable(await phone.page(), game.id)
    await table.open("?seat=2")
    await table.key("7H").click()
    before = await table.version()
    await table.page.get_by_role("button", name="It happened").click()
    await table.moved_on(before)
    last = (await game.typed())[-1]
    assert (last["seat"], last["cards"]) == (2, ["7H"])
    assert last["waive"]


async def test_taps_without_connection_are_sent_later_as_the_table_then_reads_them(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN)
    table = await _table(phone, game)
    await lose_line(table.page.context)
    await table.key("7H").click()
    await expect(table.page.locator(".offline-note")).to_be_visible()
    await table.page.locator('.offline-pad .key[value="8H"]').click()
    await table.page.locator('.offline-pad [data-does="done"]').click()
    await table.page.context.set_offline(offline=False)
    await expect(table.page.locator("[data-pending] li")).to_have_count(0)
    written = (await game.typed())[-3:]
    assert [(entry["type"], entry["seat"]) for entry in written] == [
        ("attack", 0),
        ("beat", 1),
        ("done", 0),
    ]


async def test_fast_tap_that_means_several_things_is_asked_about_and_not_lost(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(*BEGUN)
    table = await _table(phone, game)
    both_tapped = asyncio.Event()

    async def hold(route: Route) -> None:
        await both_tapped.wait()
        await route.continue_()

    await table.page.route("**/outbox*", hold)
    await table.key("7H").click()
    await table.key("7C").click()
    both_tapped.set()
    way = table.page.locator("dialog").get_by_role("button", name="Bob passes the attack on")
    await way.click()
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "5")
    assert [line["type"] for line in await game.log()][-2:] == ["attack", "pass_on"]


async def test_new_deal_for_a_long_suit_stands_under_more(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(BEGUN[0])
    table = await _table(phone, game)
    more = table.page.locator("details.more").last
    await more.locator("summary").click()
    await more.locator('label:has([name="open.seat"][value="1"])').click()
    before = await table.version()
    await more.get_by_role("button", name="hearts").click()
    await table.moved_on(before)
    assert (await game.typed())[-1]["suit"] == "H"


async def test_new_deal_for_want_of_trumps_is_one_tap(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(BEGUN[0])
    table = await _table(phone, game)
    await table.choose(type="redeal", reason="no_trump")
    assert (await game.view())["phase"] == "deal"


async def test_prompt_and_badges_follow_an_attack_that_is_passed_on_without_a_network(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]})
    page = await (await phone(viewport={"width": 390, "height": 844})).new_page()
    await DurakTable(page, game.id).open()
    await expect(page.locator(".ask:visible")).to_have_text("Bob beats, passes on, or takes.")
    await lose_line(page.context)
    await page.locator('.panel:not(.offline-pad) .key[data-card="7C"] summary').click()
    await page.get_by_role("button", name="Bob passes the attack on").click()
    await expect(page.locator("[data-prompt]")).to_have_text("Chloé beats, passes on, or takes.")
    seats = page.locator(".seat")
    await expect(seats.nth(2).locator(".shield")).to_be_visible()
    await expect(seats.nth(1).locator(".shield")).to_be_hidden()


async def test_beat_that_the_table_let_pass_is_marked(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    beat = {"type": "beat", "seat": 1, "card": "7H", "with": "6C", "waive": ["durak.beats"]}
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]}, beat)
    table = await _table(phone, game)
    await expect(table.page.locator(".trick .pair:not(.trump)")).to_contain_text(
        "let pass against the rules"
    )
