import pytest
from playwright.async_api import Route, expect

from tests.browser.conftest import Phone, ServiceWorkers
from tests.browser.line import lose_line
from tests.browser.table import Table, plays
from tests.http.club import DEAL, Game

# Resolves once the page is cached with the board of a version.
UNTIL_CACHED = """async ([path, version]) => {
    for (;;) {
        const found = [path, `${path}/board`].map((one) => caches.match(one));
        const [page, board] = await Promise.all(found);
        const text = (await board?.text()) ?? '';
        if (page && text.includes(`data-version="${version}"`)) return;
        await new Promise((again) => setTimeout(again, 100));
    }
}"""
# Resolves once `count` taps are stored; the page shows them earlier.
STORED = """async (count) => {
    const asked = indexedDB.open('carnet', 1);
    const done = (request) => new Promise((told) => {
        request.onsuccess = () => told(request.result);
    });
    const database = await done(asked);
    for (;;) {
        const taps = await done(database.transaction('taps').objectStore('taps').getAll());
        if (taps.length === count) break;
        await new Promise((again) => setTimeout(again, 50));
    }
    database.close();
}"""


@pytest.fixture
def service_workers() -> ServiceWorkers:
    return "allow"


async def test_taps_without_connection_arrive_later_once_and_in_order(
    dealt: Table, game: Game
) -> None:
    await lose_line(dealt.page.context)
    await dealt.key("AS").click()
    await expect(dealt.page.locator(".offline-note")).to_be_visible()
    for card in ("9S", "AC", "9C"):
        await dealt.offline_key(card).click()
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(4)
    assert plays(await game.log()) == []
    await dealt.page.context.set_offline(offline=False)
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S", "AC", "9C"]


async def test_unsent_tap_is_kept_through_a_reload(dealt: Table, game: Game) -> None:
    await dealt.page.route("**/outbox*", lambda route: route.abort())
    await dealt.key("AS").click()
    await expect(dealt.page.locator(".offline-note")).to_be_visible()
    await dealt.page.unroute("**/outbox*")
    await dealt.page.reload()
    await expect(dealt.page.locator(".board")).to_have_attribute("data-version", "5")
    assert plays(await game.log()) == ["AS"]


async def test_answer_that_was_lost_is_not_entered_twice(dealt: Table, game: Game) -> None:
    lost: list[str] = []

    async def lose_once(route: Route) -> None:
        if lost:
            await route.continue_()
        else:
            lost.append(route.request.url)
            await route.fetch()
            await route.abort()

    await dealt.page.route("**/outbox*", lose_once)
    await dealt.key("AS").click()
    await expect(dealt.page.locator(".board")).to_have_attribute("data-version", "5")
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS"]


async def test_undo_without_connection_drops_the_unsent_tap(dealt: Table, game: Game) -> None:
    await lose_line(dealt.page.context)
    await dealt.key("AS").click()
    await expect(dealt.page.locator(".offline-note")).to_be_visible()
    await dealt.page.locator("[data-undo]").click()
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(0)
    await dealt.page.context.set_offline(offline=False)
    await expect(dealt.page.locator(".offline-note")).to_be_hidden()
    # It may have arrived all the same, so it is taken back.
    await expect(dealt.page.locator(".board")).to_have_attribute("data-version", "6")
    assert plays((await game.get("/entries", effective="true"))["entries"]) == []


async def test_second_phone_sees_each_entry(table: Table, phone: Phone, game: Game) -> None:
    other = Table(await (await phone()).new_page(), game.id)
    await other.open()
    await table.tap("QH")
    await expect(other.page.locator(".board")).to_have_attribute("data-version", "2")
    await other.choose(type="order")
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "3")


async def test_two_phones_that_enter_the_same_card_enter_it_once(
    dealt: Table, phone: Phone, game: Game
) -> None:
    other = Table(await (await phone()).new_page(), game.id)
    await other.page.route("**/live*", lambda route: route.abort())
    await other.open()
    await dealt.tap("AS")
    await other.key("AS").click()
    mention = other.page.locator("[data-mention]")
    await expect(mention).to_have_text("Another phone had it already: Bob plays the ace of spades")
    await expect(other.page.locator("dialog")).to_be_hidden()
    assert plays(await game.log()) == ["AS"]


async def test_cards_that_another_phone_entered_meanwhile_are_dropped_in_their_order(
    dealt: Table, phone: Phone, game: Game
) -> None:
    other = Table(await (await phone()).new_page(), game.id)
    await other.open()
    await lose_line(other.page.context)
    await other.key("AS").click()
    await expect(other.page.locator(".offline-note")).to_be_visible()
    for card in ("9S", "AC"):
        await other.offline_key(card).click()
    await dealt.tap("AS", "9S", "KC")
    await other.page.context.set_offline(offline=False)
    dialog = other.page.locator("dialog")
    await expect(dialog).to_contain_text(
        "Another phone noted meanwhile: Bob plays the king of clubs"
    )
    await expect(dialog).to_contain_text("the ace of clubs")
    await dialog.locator("[data-way=drop]").click()
    await expect(other.page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S", "KC"]


async def test_page_is_shown_again_without_a_network_with_all_that_waits(
    dealt: Table, game: Game
) -> None:
    await dealt.tap("AS")
    await dealt.page.evaluate(UNTIL_CACHED, [dealt.path, await dealt.version()])
    await lose_line(dealt.page.context)
    await dealt.key("9S").click()
    await expect(dealt.page.locator(".offline-note")).to_be_visible()
    await dealt.offline_key("AC").click()
    await dealt.page.evaluate(STORED, 2)
    await dealt.page.reload()
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(2)
    await expect(dealt.page.locator(".board")).to_have_attribute("data-version", "5")
    await dealt.page.context.set_offline(offline=False)
    await expect(dealt.page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S", "AC"]


async def test_viewer_watches_and_cannot_write(table: Table, phone: Phone, game: Game) -> None:
    answer = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await (await phone(key=None)).new_page()
    await page.goto(answer.json()["url"])
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.locator(".board button")).to_have_count(0)
    await table.tap("QH")
    await expect(page.locator(".trick")).to_contain_text("the queen of hearts")


async def test_tap_is_not_lost_where_another_phone_is_heard_of_while_the_finger_is_down(
    table: Table, game: Game
) -> None:
    await table.key("QH").hover()
    await table.page.mouse.down()
    async with table.page.expect_response("**/board*") as told:
        await game.record({"type": "note", "text": "rain"})
    await (await told.value).finished()
    await table.page.evaluate("() => new Promise(requestAnimationFrame)")
    await table.page.mouse.up()
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "3")
    assert [line["type"] for line in await game.log()] == ["started", "note", "deal"]


async def test_other_card_of_the_same_moment_can_stand_in_the_place_of_what_another_phone_noted(
    dealt: Table, phone: Phone, game: Game
) -> None:
    await dealt.tap("AS")
    other = Table(await (await phone()).new_page(), game.id)
    await other.page.route("**/live*", lambda route: route.abort())
    await other.open()
    await dealt.tap("9S")
    await other.key("TS").click()
    dialog = other.page.locator("dialog")
    await expect(dialog).to_contain_text(
        "Another phone noted meanwhile: Ann plays the nine of spades"
    )
    # Entered after it, it would be played out of turn.
    await expect(dialog.get_by_role("button")).to_have_text(
        ["In its place: Ann · the ten of spades", "Leave it out"]
    )
    before = await other.version()
    await dialog.get_by_role("button").first.click()
    await other.moved_on(before)
    assert plays(await game.log()) == ["AS", "9S"]
    await expect(other.page.locator("[data-undo] .brief")).to_contain_text("→ Ann 10")
    put = (await game.typed())[-1]
    assert (put["type"], put["move"]["card"]) == ("amend", "TS")


async def test_bid_that_another_phone_noted_otherwise_is_left_out_first(
    phone: Phone, game: Game
) -> None:
    await game.record(DEAL[0])
    other = Table(await (await phone()).new_page(), game.id)
    await other.page.route("**/live*", lambda route: route.abort())
    await other.open()
    await game.record({"type": "pass", "seat": 1})
    await other.button(type="order").click()
    dialog = other.page.locator("dialog")
    await expect(dialog.get_by_role("button")).to_have_text(["Leave it out", "Enter it"])
    await expect(dialog.locator(".first")).to_have_text("Leave it out")
    await dialog.locator(".first").click()
    await expect(other.page.locator("[data-pending] li")).to_have_count(0)
    assert (await game.log())[-1]["type"] == "pass"
