"""Where nothing can be stored, the form records from memory and says so; or it is stored late."""

import re

import pytest
from playwright.async_api import Route, ViewportSize, expect

from tests.browser.conftest import Phone
from tests.browser.line import lose_line
from tests.browser.table import Table, plays
from tests.browser.test_connection import STORED
from tests.http.club import DEAL, Game

FAULTS = {
    "fails to open": "IDBFactory.prototype.open = () => { throw new Error('denied'); }",
    "never answers": "IDBFactory.prototype.open = () => ({})",
    "is full": "IDBObjectStore.prototype.put = () => { throw new Error('full'); }",
}
SMALLEST: ViewportSize = {"width": 320, "height": 568}
TEXT_BOX = """(note) => {
    const range = document.createRange();
    range.selectNodeContents(note);
    const { top, bottom } = range.getBoundingClientRect();
    return { top, bottom };
}"""
CLOSED = """() => new Promise((closed) => {
    const ask = new Event('beforeunload', { cancelable: true });
    dispatchEvent(ask);
    closed(!ask.defaultPrevented);
})"""
# Whether there is a database with one tap; looking makes none.
STORED_AGAIN = """() => new Promise((told) => {
    const asked = indexedDB.open('carnet', 1);
    asked.onupgradeneeded = () => asked.transaction.abort();
    asked.onerror = () => told(false);
    asked.onsuccess = () => {
        const taps = asked.result.transaction('taps').objectStore('taps').count();
        taps.onsuccess = () => { asked.result.close(); told(taps.result === 1); };
    };
})"""


async def _away(table: Table) -> None:
    await lose_line(table.page.context)
    await table.key("AS").click()
    await expect(table.page.locator(".offline-note")).to_be_visible()


@pytest.mark.parametrize("fault", FAULTS)
async def test_form_records_from_memory_and_asks_to_keep_the_page_open(
    phone: Phone, game: Game, fault: str
) -> None:
    await game.record(*DEAL)
    page = await (await phone()).new_page()
    await page.add_init_script(FAULTS[fault])
    table = Table(page, game.id)
    await table.open()
    await _away(table)
    note = page.locator(".offline-note")
    await expect(note.locator(".held")).to_be_visible()
    await expect(note.locator(".calm")).to_be_hidden()
    assert await page.evaluate(CLOSED) is False
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS"]


@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_warning_covers_neither_players_nor_keys_of_a_small_phone(
    phone: Phone, game: Game, language: str
) -> None:
    await game.record(*DEAL)
    page = await (await phone(language=language, viewport=SMALLEST)).new_page()
    await page.add_init_script(FAULTS["fails to open"])
    table = Table(page, game.id)
    await table.open()
    await _away(table)
    await expect(page.locator(".offline-note .held")).to_be_visible()
    note, seats = [
        await page.locator(one).bounding_box()
        for one in (".offline-note", ".board > form > .seats")
    ]
    text = await page.locator(".offline-note").evaluate(TEXT_BOX)
    assert note
    assert seats
    assert note["y"] <= text["top"]
    assert text["bottom"] <= note["y"] + note["height"] <= seats["y"] + 1


async def test_stored_taps_are_stored_again_where_the_system_threw_them_away(
    dealt: Table, game: Game
) -> None:
    await _away(dealt)
    page = dealt.page
    note = page.locator(".offline-note")
    await page.evaluate(STORED, 1)
    await expect(note.locator(".held")).to_be_hidden()
    assert await page.evaluate(CLOSED) is True
    session = await page.context.new_cdp_session(page)
    origin = await page.evaluate("origin")
    what = {"origin": origin, "storageTypes": "indexeddb"}
    await session.send("Storage.clearDataForOrigin", what)
    await page.wait_for_function(STORED_AGAIN)
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    assert plays(await game.log()) == ["AS"]


# Keep a transaction open, so that later ones wait.
HOLD = """() => new Promise((held) => {
    const asked = indexedDB.open('carnet', 1);
    asked.onsuccess = () => {
        const taps = asked.result.transaction('taps', 'readwrite').objectStore('taps');
        const hold = () => {
            held();
            if (!window.released) taps.get(0).onsuccess = hold;
        };
        taps.get(0).onsuccess = hold;
    };
})"""
# Release it, and store nothing more once the first tap is deleted: there the page is left.
STORE_NO_MORE = """() => new Promise((deleted) => {
    const forget = IDBObjectStore.prototype.delete;
    IDBObjectStore.prototype.delete = function (id) {
        this.transaction.addEventListener('complete', () => {
            IDBObjectStore.prototype.put = () => { throw new Error('left'); };
            deleted();
        });
        return forget.call(this, id);
    };
    window.released = true;
})"""


async def test_a_tap_that_is_stored_slowly_still_follows_the_one_before_after_the_page_is_left(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL)
    page = await (await phone()).new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    table = Table(page, game.id)
    await table.open()
    sent: list[Route] = []

    async def keep(route: Route) -> None:
        sent.append(route)

    await page.route(re.compile(r"/outbox\?"), keep)
    async with page.expect_request(re.compile(r"/outbox\?")):
        await table.key("AS").click()
    await page.evaluate(HOLD)
    await table.key("9S").evaluate("(key) => key.click()")
    await expect(page.locator("[data-pending] li")).to_have_count(2)
    await sent[0].continue_()
    await expect(page.locator("[data-pending] li")).to_have_count(1)
    await page.evaluate(STORE_NO_MORE)
    await page.goto("/games")
    await page.unroute_all()
    await table.open()
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    await expect(page.locator("dialog[open]")).to_have_count(0)
    assert plays(await game.log()) == ["AS", "9S"]
