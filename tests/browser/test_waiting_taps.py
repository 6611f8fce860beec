import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, ViewportSize, expect

from tests.browser.accessibility import LANGUAGES
from tests.browser.conftest import SMALL, Phone
from tests.browser.line import lose_line
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
        const key = holder.querySelector(`.panel:not(.offline-pad) .key[value="${card}"]`);
        key.click();
        resolve(key.classList.contains('unread') ? 'unread' : '');
    }).observe(holder, { childList: true });
    window.watching = true;
})"""


@pytest.fixture
async def table(phone: Phone, game: Game) -> Table:
    """Open a table in a new context: the tests change its clock and listeners."""
    opened = Table(await (await phone()).new_page(), game.id)
    await opened.open()
    return opened


async def away(table: Table, *cards: str) -> None:
    await lose_line(table.page.context)
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
async def refused(dealt: Table, game: Game) -> Table:
    await away(dealt, "AS", "9S", WRONG, "9C", "JH")
    dialog = await back(dealt)
    await expect(dialog.locator(".taps li")).to_contain_text(
        ["Bob · the queen of hearts", "Ann · the nine of clubs", "Bob · the jack of hearts"]
    )
    assert plays(await game.log()) == ["AS", "9S"]
    return dealt


async def test_first_answer_puts_the_right_card_in_the_place_of_the_wrong_one(
    refused: Table, game: Game
) -> None:
    await expect(refused.page.locator("dialog .stack > *").first).to_have_attribute(
        "data-way", "right"
    )
    await way(refused.page, "right").click()
    await refused.key("AC").click()
    await settle(refused)
    entries = (await game.typed())[-3:]
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


async def test_what_counts_offline_is_loaded_again_after_a_failure(
    phone: Phone, game: Game, bid: int
) -> None:
    context = await phone()
    page = await context.new_page()
    asked: list[str] = []

    async def lose_the_first(route: Route) -> None:
        asked.append(route.request.url)
        await (route.abort() if len(asked) == 1 else route.continue_())

    await page.route("**/euchre_turns.js", lose_the_first)
    await page.clock.install()
    table = Table(page, game.id)
    await table.open()
    assert await table.version() == bid
    # What it imports is fetched before the import itself, which then cannot fail.
    async with page.expect_response("**/tricks.js"):
        await page.clock.fast_forward(20_000)
    await page.evaluate("(script) => import(script)", asked[0])
    await away(table, "AS", "9S")


async def test_facts_of_another_phone_stop_all_that_waits(dealt: Table, game: Game) -> None:
    await away(dealt, *TRUE)
    game.version = await dealt.version()
    for seat, card in ((1, "KS"), (0, "TS")):
        await game.record({"type": "play", "seat": seat, "card": card})
    dialog = await back(dealt)
    await expect(dialog).to_contain_text("noted meanwhile: Bob plays the king of spades")
    await expect(dialog).to_contain_text("noted meanwhile: Ann plays the ten of spades")
    await expect(dialog.locator(".taps li")).to_have_count(len(TRUE))
    assert plays(await game.log()) == ["KS", "TS"]
    await way(dealt.page, "rest").click()
    await settle(dealt)
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
    dealt: Table, game: Game
) -> None:
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

    await dealt.page.route("**/outbox*", lose_the_first)
    await dealt.key("AS").click()
    await dealt.key("9S").click()
    tapped.set()
    await lost.wait()
    game.version = 5
    await game.record({"type": "play", "seat": 0, "card": "KS"})
    recorded.set()
    dialog = dealt.page.locator("dialog[open]")
    await expect(dialog).to_contain_text("noted meanwhile: Ann plays the king of spades")
    await expect(dialog.locator(".taps li")).to_have_count(1)
    assert plays(await game.log()) == ["AS", "KS"]


async def test_two_tabs_of_one_phone_send_each_tap_once(dealt: Table, game: Game) -> None:
    other = Table(await dealt.page.context.new_page(), game.id)
    await other.open()
    await away(dealt, "AS", "9S")
    await expect(other.page.locator("[data-pending] li")).to_have_count(2)
    await dealt.page.context.set_offline(offline=False)
    for one in (dealt, other):
        await settle(one)
    assert plays(await game.log()) == ["AS", "9S"]


async def test_key_that_another_phone_changes_is_not_tapped_at_once(
    dealt: Table, game: Game
) -> None:
    game.version = 4
    before = await dealt.key("KH").get_attribute("name")
    # Tap at once, although the board has just changed.
    tapped = asyncio.create_task(dealt.page.evaluate(TAPPED_ONCE_CHANGED, "KH"))
    await dealt.page.wait_for_function("() => window.watching")
    await game.record({"type": "play", "seat": 1, "card": "AS"})
    assert await tapped == "unread"
    assert plays(await game.log()) == ["AS"]
    await expect(dealt.key("KH")).to_have_count(1)
    assert await dealt.key("KH").get_attribute("name") != before
    await dealt.tap("KH")
    assert plays(await game.log()) == ["AS", "KH"]


async def test_turn_hands_and_prompt_go_on_without_a_network(dealt: Table) -> None:
    await away(dealt, "AS", "9S", "AC")
    seats = dealt.page.locator(".seat")
    await expect(seats.nth(0)).to_have_class("seat turn")
    await expect(seats.locator("[data-hand]")).to_have_text(["4 cards", "3 cards"])
    await expect(dealt.page.locator("[data-prompt]")).to_have_text("Ann answers.")


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["320", "390"])
async def test_no_state_of_what_waits_is_wider_than_the_screen(
    phone: Phone, game: Game, size: ViewportSize, language: str
) -> None:
    await game.record(*DEAL)
    context = await phone(language=language, viewport=size)
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


# Wrong clocks of phones, in hours.
CLOCKS = (-3, 2, 72, -72)
PAUSE = timedelta(seconds=20)


async def _with_clock(dealt: Table, error: timedelta) -> Page:
    page = dealt.page
    await page.clock.install(time=datetime.now(UTC) + error)
    async with page.expect_response("**/healthz"):
        await page.reload()
    await dealt.ready()
    return page


async def _come_back(page: Page) -> datetime:
    """Return the server's time of the last tap, `PAUSE` before the network returned."""
    await page.clock.fast_forward(int(PAUSE / timedelta(milliseconds=1)))
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-waiting]")).to_be_empty(timeout=60_000)
    return datetime.now(UTC) - PAUSE


async def _times(game: Game) -> list[datetime]:
    entries = [line["entry"] for line in await game.log() if line["type"] == "play"]
    return [datetime.fromisoformat(entry["at"]) for entry in entries]


def _assert_near(found: datetime, expected: datetime) -> None:
    assert abs(found - expected) < PAUSE / 2, (found, expected)


@pytest.mark.parametrize("hours", CLOCKS)
async def test_each_tap_of_an_outage_has_its_time_by_the_servers_clock(
    dealt: Table, game: Game, hours: int
) -> None:
    page = await _with_clock(dealt, timedelta(hours=hours))
    await away(dealt, "AS")
    await page.clock.fast_forward(int(PAUSE / timedelta(milliseconds=1)))
    await dealt.offline_key("9S").click()
    last = await _come_back(page)
    first, second = await _times(game)
    _assert_near(first, last - PAUSE)
    _assert_near(second, last)


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
    dealt: Table, game: Game, service: ServiceProcess
) -> None:
    page = dealt.page
    dialogs_accepted(page)
    await away(dealt, "AS", "9S")
    await sign_out(page.context, service)
    await page.context.set_offline(offline=False)
    await page.wait_for_url("**/login*")
    assert plays(await game.log()) == []
    await page.goto(f"/login?key={KEY}")
    await dealt.open()
    await settle(dealt)
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
    await lose_line(page.context)
    await page.locator('.panel:not(.offline-pad) .key[value="6S"]').click()
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


async def test_taps_of_a_phone_whose_clock_is_set_right_meanwhile_have_their_times(
    dealt: Table, game: Game
) -> None:
    page = await _with_clock(dealt, timedelta(hours=-3))
    await away(dealt, "AS")
    await page.clock.fast_forward(int(PAUSE / timedelta(milliseconds=1)))
    await page.clock.set_system_time(datetime.now(UTC))
    await dealt.offline_key("9S").click()
    last = await _come_back(page)
    first, second = await _times(game)
    _assert_near(first, last - PAUSE)
    _assert_near(second, last)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"body": "<h1>Welcome on board</h1>"}, id="captive portal"),
        pytest.param({"status": 404, "body": "404 page not found"}, id="proxy without a service"),
        pytest.param({"status": 422, "body": "no"}, id="filter"),
    ],
)
async def test_answer_of_anybody_else_acknowledges_nothing(
    dealt: Table, game: Game, answer: dict[str, Any]
) -> None:
    page = dealt.page
    asked = page.expect_request("**/outbox*")
    await page.route("**/outbox*", lambda route: route.fulfill(**answer))
    async with asked:
        await dealt.key("AS").click()
    await expect(page.locator(".offline-note")).to_be_visible()
    await expect(page.locator("[data-pending] li")).to_have_count(1)
    await page.unroute("**/outbox*")
    await settle(dealt)
    assert plays(await game.log()) == ["AS"]
