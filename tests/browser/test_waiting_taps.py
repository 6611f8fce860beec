import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, ViewportSize, expect

from tests.browser.accessibility import SCREENS
from tests.browser.conftest import SMALL, Phone
from tests.browser.table import Table, plays
from tests.browser.test_installed import dialogs_accepted
from tests.browser.test_rami import DEAL as RAMI
from tests.browser.test_rami import start, turn
from tests.browser.test_signed_out import sign_out
from tests.http.club import DEAL, Game
from tests.service_process import KEY, ServiceProcess

LARGE: ViewportSize = {"width": 390, "height": 844}
# Seat 1 leads; the queen of hearts, taken up by seat 0, is no card of seat 1.
TRUE = ("AS", "9S", "AC", "9C", "JH", "QH")
WRONG = "QH"
OVER = """() => [...document.querySelectorAll('dialog[open] :is(button, a.button), [data-undo]')]
    .filter((one) => one.getClientRects().length)
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.left < 0 || box.right > innerWidth).length
    + Math.max(0, document.documentElement.scrollWidth - innerWidth)"""

# Tap a key in the moment in which the board is replaced; return the reason why it ignores taps.
TAPPED_ONCE_CHANGED = """(card) => new Promise((resolve) => {
    const holder = document.querySelector('[data-board]');
    new MutationObserver((_, watch) => {
        watch.disconnect();
        const key = holder.querySelector(`.panel:not(.offline-pad) .key[data-card="${card}"]`);
        key.click();
        resolve(key.classList.contains('unread') ? 'unread' : '');
    }).observe(holder, { childList: true });
    window.watching = true;
})"""


async def away(table: Table, *cards: str) -> None:
    await table.page.context.set_offline(offline=True)
    first, *others = cards
    await table.key(first).click()
    await expect(table.page.locator(".offline-note")).to_be_visible()
    for card in others:
        await table.offline_key(card).click()


async def back(table: Table) -> Locator:
    await table.page.context.set_offline(offline=False)
    dialog = table.page.locator("dialog[open]")
    await expect(dialog).to_be_visible()
    return dialog


def way(page: Page, name: str) -> Locator:
    return page.locator(f"dialog[open] [data-way={name}]")


async def settle(table: Table) -> None:
    await expect(table.page.locator("[data-waiting]")).to_be_empty()
    await expect(table.page.locator("dialog")).to_be_hidden()


@pytest.fixture
async def refused(table: Table, game: Game) -> Table:
    await table.bid()
    await away(table, "AS", "9S", WRONG, "9C", "JH")
    dialog = await back(table)
    await expect(dialog.locator(".taps li")).to_contain_text(
        ["Bob · the queen of hearts", "Ann · the nine of clubs", "Bob · the jack of hearts"]
    )
    assert plays(await game.log()) == ["AS", "9S"]
    return table


async def test_first_answer_puts_the_right_card_in_the_place_of_the_wrong_one(
    refused: Table, game: Game
) -> None:
    await expect(refused.page.locator("dialog .stack > *").first).to_have_attribute(
        "data-way", "right"
    )
    await way(refused.page, "right").click()
    await refused.key("AC").click()
    await settle(refused)
    entries = [line["entry"] for line in await game.log()][-3:]
    assert [(one["seat"], one["card"]) for one in entries] == [(1, "AC"), (0, "9C"), (1, "JH")]


async def test_rest_is_sent_for_the_players_it_was_tapped_for(refused: Table, game: Game) -> None:
    await way(refused.page, "rest").click()
    dialog = refused.page.locator("dialog[open]")
    # Ann's nine is no lead: it is refused for Ann, and not recorded for Bob.
    await expect(dialog).to_contain_text("Ann plays the nine of clubs")
    assert plays(await game.log()) == ["AS", "9S"]


async def test_taps_are_looked_at_one_by_one(refused: Table, game: Game) -> None:
    await way(refused.page, "each").click()
    for answer in ("drop", "rest"):
        await expect(refused.page.locator("dialog[open] .taps li")).to_have_count(1)
        await way(refused.page, answer).click()
    await settle(refused)
    entries = [line["entry"] for line in await game.log()]
    assert (entries[-1]["seat"], plays(await game.log())) == (1, ["AS", "9S", "JH"])


async def test_all_that_waits_can_be_thrown_away(refused: Table, game: Game) -> None:
    await way(refused.page, "none").click()
    await settle(refused)
    assert plays(await game.log()) == ["AS", "9S"]


async def test_question_without_an_answer_outlives_a_reload_and_sends_nothing(
    refused: Table, game: Game
) -> None:
    await refused.page.keyboard.press("Escape")
    await refused.key("AC").click()
    await expect(refused.page.locator("dialog[open] .taps li")).to_have_count(3)
    refused.page.on("dialog", lambda dialog: dialog.accept())
    await refused.page.reload()
    await expect(refused.page.locator("dialog[open] .taps li")).to_have_count(3)
    assert plays(await game.log()) == ["AS", "9S"]


async def test_facts_of_another_phone_stop_all_that_waits(table: Table, game: Game) -> None:
    await table.bid()
    await away(table, *TRUE)
    game.version = await table.version()
    for seat, card in ((1, "KS"), (0, "TS")):
        await game.record({"type": "play", "seat": seat, "card": card})
    dialog = await back(table)
    await expect(dialog).to_contain_text("noted meanwhile: Bob plays the king of spades")
    await expect(dialog).to_contain_text("noted meanwhile: Ann plays the ten of spades")
    await expect(dialog.locator(".taps li")).to_have_count(len(TRUE))
    assert plays(await game.log()) == ["KS", "TS"]
    await way(table.page, "rest").click()
    await settle(table)
    told = [line["entry"] for line in await game.log() if line["type"] == "play"][2:]
    assert [(one["seat"], one["card"]) for one in told] == [
        (1, "AS"),
        (0, "9S"),
        (1, "AC"),
        (0, "9C"),
        (1, "JH"),
        (0, "QH"),
    ]


async def test_lost_acknowledgement_hides_no_fact_of_another_phone(
    table: Table, game: Game
) -> None:
    await table.bid()
    tapped, lost, recorded = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def lose_the_first(route: Route) -> None:
        if lost.is_set():
            await recorded.wait()
            await route.continue_()
            return
        await route.fetch()
        # Once the answer is lost, the page shows the keypad for taps without a network.
        await tapped.wait()
        lost.set()
        await route.abort()

    await table.page.route("**/outbox*", lose_the_first)
    await table.key("AS").click()
    await table.key("9S").click()
    tapped.set()
    await lost.wait()
    game.version = 5
    await game.record({"type": "play", "seat": 0, "card": "KS"})
    recorded.set()
    dialog = table.page.locator("dialog[open]")
    await expect(dialog).to_contain_text("noted meanwhile: Ann plays the king of spades")
    await expect(dialog.locator(".taps li")).to_have_count(1)
    assert plays(await game.log()) == ["AS", "KS"]


async def test_two_tabs_of_one_phone_send_each_tap_once(table: Table, game: Game) -> None:
    await table.bid()
    other = Table(await table.page.context.new_page(), game.id)
    await other.open()
    await away(table, "AS", "9S")
    await expect(other.page.locator("[data-pending] li")).to_have_count(2)
    await table.page.context.set_offline(offline=False)
    for one in (table, other):
        await settle(one)
    assert plays(await game.log()) == ["AS", "9S"]


async def test_key_that_another_phone_changes_is_not_tapped_at_once(
    table: Table, game: Game
) -> None:
    await table.bid()
    game.version = 4
    before = await table.key("KH").get_attribute("value")
    # Tap at once, although the board has just changed.
    tapped = asyncio.create_task(table.page.evaluate(TAPPED_ONCE_CHANGED, "KH"))
    await table.page.wait_for_function("() => window.watching")
    await game.record({"type": "play", "seat": 1, "card": "AS"})
    assert await tapped == "unread"
    assert plays(await game.log()) == ["AS"]
    await expect(table.key("KH")).to_have_count(1)
    assert await table.key("KH").get_attribute("value") != before
    await table.tap("KH")
    assert plays(await game.log()) == ["AS", "KH"]


async def test_turn_hands_and_prompt_go_on_without_a_network(table: Table) -> None:
    await table.bid()
    await away(table, "AS", "9S", "AC")
    seats = table.page.locator(".seat")
    await expect(seats.nth(0)).to_have_class("seat turn")
    await expect(seats.locator("[data-hand]")).to_have_text(["4 cards", "3 cards"])
    await expect(table.page.locator("[data-prompt]")).to_have_text("Ann answers.")


async def test_bids_are_in_sight_without_a_network(table: Table, game: Game) -> None:
    await away(table, "QH")
    page = table.page
    for name in ("Orders", "Passes"):
        button = page.locator(".offline-pad").get_by_role("button", name=name)
        await expect(button).to_be_in_viewport(ratio=1)
    await page.locator(".offline-pad").get_by_role("button", name="Orders").click()
    await page.locator(".offline-pad").get_by_role("button", name="Takes it").click()
    await table.offline_key("AS").click()
    await page.context.set_offline(offline=False)
    await settle(table)
    assert plays(await game.log()) == ["AS"]


@pytest.mark.parametrize(("language", "theme"), SCREENS)
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["320", "390"])
async def test_no_state_of_what_waits_is_wider_than_the_screen(
    phone: Phone, game: Game, size: ViewportSize, language: str, theme: str
) -> None:
    await game.record(*DEAL)
    context = await phone(language=language, theme=theme, viewport=size)
    table = Table(await context.new_page(), game.id)
    await table.open()
    found: dict[str, int] = {}

    async def look(state: str) -> None:
        found[state] = await table.page.evaluate(OVER)

    await away(table, "AS", "9S", WRONG, "9C", "JH", "KC", "TD", "AD", "9D")
    await look("away")
    await back(table)
    await look("refused")
    await way(table.page, "each").click()
    await expect(table.page.locator("dialog[open] .taps li")).to_have_count(1)
    await look("one by one")
    await table.page.keyboard.press("Escape")
    await look("put off")
    await table.page.locator(".panel .key:visible").first.click()
    await expect(way(table.page, "drop")).to_be_in_viewport(ratio=1)
    assert {state: over for state, over in found.items() if over} == {}


async def _with_an_old_clock(table: Table) -> Page:
    await table.bid()
    await table.page.clock.set_system_time("2019-05-04T12:00:00Z")
    async with table.page.expect_response("**/healthz"):
        await table.page.reload()
    return table.page


async def test_taps_of_a_phone_years_behind_have_the_time_of_the_service(
    table: Table, game: Game
) -> None:
    page = await _with_an_old_clock(table)
    await away(table, "AS", "9S")
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-waiting]")).to_be_empty(timeout=60_000)
    assert plays(await game.log()) == ["AS", "9S"]
    moments = [entry["entry"]["at"] for entry in await game.log() if "at" in entry["entry"]]
    assert len(moments) == 1
    assert abs(datetime.now(UTC) - datetime.fromisoformat(moments[0])) < timedelta(minutes=5)


RACE = """async (game) => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const { Outbox } = await import(loaded.find((name) => name.endsWith('/outbox.js')));
    const outbox = new Outbox(game, () => {});
    await outbox.open(1);
    const tap = (command) => ({ game, command, entries: [], label: '' });
    await outbox.add(tap('undone'));
    const [undone] = outbox.taps;
    const heard = outbox.tabs.onmessage({ data: game });
    const changes = [outbox.remove([undone]), outbox.add(tap('tapped')), outbox.add(tap('wrong'))];
    const wrong = outbox.taps.at(-1);
    await Promise.all([heard, ...changes]);
    await outbox.tabs.onmessage({ data: game });
    await outbox.replace(wrong, tap('right'));
    return outbox.taps.map(({ command }) => command);
}"""


async def test_taps_change_while_another_tab_is_heard_of(table: Table) -> None:
    found = await table.page.evaluate(RACE, "another game")
    assert found == ["tapped", "right"]


async def test_taps_outlive_the_end_of_the_session(
    table: Table, game: Game, service: ServiceProcess
) -> None:
    page = table.page
    dialogs_accepted(page)
    await table.bid()
    await away(table, "AS", "9S")
    await sign_out(page.context, service)
    await page.context.set_offline(offline=False)
    await page.wait_for_url("**/login*")
    assert plays(await game.log()) == []
    await page.goto(f"/login?key={KEY}")
    await table.open()
    await settle(table)
    entries = [line["entry"] for line in await game.log() if line["type"] == "play"]
    assert [(one["seat"], one["card"]) for one in entries] == [(1, "AS"), (0, "9S")]


async def test_no_tap_changes_hands_where_another_phone_puts_a_turn_in(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http, 3, opening=0)
    await game.record(RAMI, *turn(1, "9S"), *turn(2, "7S"))
    page = await (await phone()).new_page()
    table = Table(page, game.id)
    await table.open()
    await page.context.set_offline(offline=True)
    await page.locator('.panel:not(.offline-pad) .key[data-turn=key][data-card="6S"]').click()
    await expect(page.locator(".offline-note")).to_be_visible()
    await table.offline_key("5S").click()
    moves = [*turn(2, "8S"), *turn(0, "7S")]
    await game.record({"type": "splice", "version": 5, "drop": 2, "moves": moves})
    before = await game.log()
    dialog = await back(table)
    await expect(dialog.locator(".taps li")).to_contain_text(["Ann", "Bob"])
    await way(table.page, "rest").click()
    await expect(dialog).to_contain_text("Ann")
    await expect(dialog.locator(".refused")).to_be_visible()
    assert await game.log() == before
    await way(table.page, "none").click()
    await settle(table)
    assert await game.log() == before


async def test_taps_of_a_phone_whose_clock_is_set_right_meanwhile_are_recorded(
    table: Table, game: Game
) -> None:
    page = await _with_an_old_clock(table)
    await away(table, "AS")
    await page.clock.set_system_time(datetime.now(UTC))
    await table.offline_key("9S").click()
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-waiting]")).to_be_empty(timeout=60_000)
    assert plays(await game.log()) == ["AS", "9S"]
    assert [entry for entry in await game.log() if "at" in entry["entry"]] == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"body": "<h1>Welcome on board</h1>"}, id="captive portal"),
        pytest.param({"status": 404, "body": "404 page not found"}, id="proxy without a service"),
        pytest.param({"status": 422, "body": "no"}, id="filter"),
    ],
)
async def test_answer_of_anybody_else_acknowledges_nothing(
    table: Table, game: Game, answer: dict[str, Any]
) -> None:
    await table.bid()
    page = table.page
    asked = page.expect_request("**/outbox*")
    await page.route("**/outbox*", lambda route: route.fulfill(**answer))
    async with asked:
        await table.key("AS").click()
    await expect(page.locator(".offline-note")).to_be_visible()
    await expect(page.locator("[data-pending] li")).to_have_count(1)
    await page.unroute("**/outbox*")
    await settle(table)
    assert plays(await game.log()) == ["AS"]
