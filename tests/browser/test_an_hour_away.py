import pytest
from playwright.async_api import expect

from tests.browser.conftest import Phone, ServiceWorkers
from tests.browser.line import find_line, lose_line
from tests.browser.table import Table, plays
from tests.browser.test_connection import STORED, UNTIL_CACHED
from tests.browser.test_installed import KEEPS, dialogs_accepted
from tests.depth import run_size
from tests.http.club import Game

# A worker of another release, with the same tasks, takes the page over.
RENEWED = """() => new Promise((done) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => done(
        navigator.serviceWorker.controller.scriptURL), { once: true });
    navigator.serviceWorker.register('/offline.js?next');
})"""
ENTRIES = run_size(100, deep=500)
# Hundreds of sequential requests on a shared machine.
PATIENCE_MS = 300_000
# A few times each, not once more for each that goes before; and how often it was.
KEPT_EACH = 12
COUNTED = """{
    window.puts = 0;
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...of) {
        window.puts += 1;
        return put.apply(this, of);
    };
}"""
CONTROLLED = """() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller
    || new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done)))
    .then(() => true)"""


@pytest.fixture
def service_workers() -> ServiceWorkers:
    return "allow"


async def test_a_new_release_of_the_worker_that_takes_over_loses_no_tap(
    table: Table, game: Game
) -> None:
    page = table.page
    dialogs_accepted(page)
    await table.bid()
    await page.evaluate(CONTROLLED)
    await page.evaluate(UNTIL_CACHED, [table.path, await table.version()])
    await page.route("**/outbox*", lambda route: route.abort())
    await table.key("AS").click()
    await expect(page.locator(".offline-note")).to_be_visible()
    await table.offline_key("9S").click()
    assert (await page.evaluate(RENEWED)).endswith("/offline.js?next")
    await expect(page.locator("[data-pending] li")).to_have_count(2)
    await table.offline_key("AC").click()
    await page.evaluate(STORED, 3)
    await lose_line(page.context)
    await page.reload()
    await expect(page.locator("[data-pending] li")).to_have_count(3)
    await page.unroute("**/outbox*")
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S", "AC"]


async def test_entries_of_an_hour_away_arrive_once_each_and_in_order(
    phone: Phone, game: Game
) -> None:
    page = await (await phone()).new_page()
    dialogs_accepted(page)
    table = Table(page, game.id)
    await table.open()
    await lose_line(page.context)
    await page.evaluate(KEEPS, [game.id, ENTRIES])
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if "/outbox?" in one.url else None)
    await find_line(page.context)
    await page.add_init_script(COUNTED)
    await page.goto(table.path)
    board = page.locator(".board")
    await expect(board).to_have_attribute("data-version", str(ENTRIES + 1), timeout=PATIENCE_MS)
    await expect(page.locator("[data-waiting]")).to_be_empty()
    notes = [line["entry"]["text"] for line in await game.log() if line["type"] == "note"]
    assert notes == [f"note {number}" for number in range(1, ENTRIES + 1)]
    assert len(sent) == ENTRIES
    assert await page.evaluate("window.puts") <= KEPT_EACH * ENTRIES
