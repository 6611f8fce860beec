from typing import Any

import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.accessibility import LANDSCAPE
from tests.browser.conftest import SMALL, Phone
from tests.browser.durak_table import durak_game
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.browser.test_durak_screens import PHASES
from tests.browser.test_rami import DEAL, ROYAL, meld, start, turn
from tests.http.club import Game

Json = dict[str, Any]
THROW_KING = '.panel:not(.offline-pad) .key[value="KH"]'
LARGE: ViewportSize = {"width": 390, "height": 844}
LAID = meld(1, ROYAL, "8S 8H 8?*", "4D 5D 6D*")
OPENED = [DEAL, *turn(1, "9H", LAID)]
# Each ends before a draw, a due meld or a discard.
MOMENTS: dict[str, tuple[int, list[Json]]] = {
    "draws": (2, [*OPENED, *turn(0, "3C"), *turn(1, "5C")]),
    "owes": (2, [*OPENED, {"type": "take", "seat": 0}]),
    "throws": (2, [*OPENED, *turn(0, "3C"), {"type": "draw", "seat": 1}]),
    "draws, of four": (4, OPENED),
    "owes, of four": (4, [*OPENED, {"type": "take", "seat": 2}]),
    "throws, of four": (4, [*OPENED[:-1]]),
}

KEYS = """() => [...document.querySelectorAll(
    '.panel:not(.offline-pad):not([hidden]) .keys > .key'
)]
    .filter((key) => key.getClientRects().length && !key.closest('details'))
    .map((key) => Math.ceil(key.getBoundingClientRect().bottom))"""


async def _lowest(page: Page) -> int:
    bottoms: list[int] = await page.evaluate(KEYS)
    assert len(bottoms) == 53
    return max(bottoms)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("moment", MOMENTS)
async def test_the_last_row_of_keys_is_in_sight_whatever_lies_on_the_table(
    http: httpx.AsyncClient, phone: Phone, moment: str, language: str
) -> None:
    seats, entries = MOMENTS[moment]
    game = await start(http, seats)
    await game.record(*entries)
    page = await phone.page(language=language)
    await page.goto(f"/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    assert await _lowest(page) <= SMALL["height"]


@pytest.fixture
async def six_melds(http: httpx.AsyncClient) -> Game:
    game = await start(http, 3)
    await game.record(*OPENED)
    await game.record(*turn(2, "3C", meld(2, "2S 3S 4S", "TD JD QD KD AD", "7C 7D 7H")))
    return game


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["320", "390"])
async def test_no_key_moves_between_draw_throw_and_lay(
    phone: Phone, six_melds: Game, size: ViewportSize
) -> None:
    page = await phone.page(language="de", viewport=size)
    table = Table(page, six_melds.id)
    await table.open()
    before = await page.evaluate(KEYS)
    await table.choose(type="draw")
    throwing = await page.evaluate(KEYS)
    await page.locator(".panel:not(.offline-pad) .modes label").nth(1).click()
    laying = await page.evaluate(KEYS)
    for places in (throwing, laying):
        assert max(abs(one - other) for one, other in zip(before, places, strict=True)) <= 2


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["320", "390"])
async def test_every_combination_names_who_laid_it_in_every_state(
    phone: Phone, six_melds: Game, size: ViewportSize
) -> None:
    page = await (await phone(viewport=size)).new_page()
    table = Table(page, six_melds.id)
    await table.open()
    owners = page.locator(".combos .of span")

    async def look() -> None:
        await expect(owners).to_have_text([*["Bob"] * 3, *["Chloé"] * 3])
        for number in (0, 5):
            await owners.nth(number).scroll_into_view_if_needed()
            await expect(owners.nth(number)).to_be_in_viewport()

    await look()
    await table.choose(type="draw")
    await look()
    await page.locator(".panel:not(.offline-pad) .modes label").nth(1).click()
    await look()
    await page.locator(".panel:not(.offline-pad) .modes label").first.click()
    await lose_line(page.context)
    await page.locator(THROW_KING).click()
    await expect(page.locator(".offline-note")).to_be_visible()
    await look()


async def test_joker_of_a_set_shows_its_rank(phone: Phone, six_melds: Game) -> None:
    page = await phone.page()
    await page.goto(f"/games/{six_melds.id}")
    await expect(page.locator(".combo .for")).to_have_text(["8", "6"])


async def test_every_key_is_in_sight_without_a_network(phone: Phone, six_melds: Game) -> None:
    page = await (await phone(language="fr")).new_page()
    table = Table(page, six_melds.id)
    await table.open()
    await lose_line(page.context)
    await page.locator(THROW_KING).click()
    await expect(page.locator(".offline-note")).to_be_visible()
    keys = page.locator(".offline-pad .keys:visible > .key:not(.tapped)")
    await expect(keys).to_have_count(53)
    assert await page.evaluate("() => document.scrollingElement.scrollHeight") <= SMALL["height"]
    await page.locator(".offline-pad .twos button").first.click()
    await expect(page.locator(".offline-pad .modes")).to_be_visible()
    assert await page.evaluate("() => document.scrollingElement.scrollHeight") <= SMALL["height"]


async def test_combination_laid_without_a_network_says_when_cards_can_be_added(
    phone: Phone, six_melds: Game
) -> None:
    page = await (await phone()).new_page()
    table = Table(page, six_melds.id)
    await table.open()
    await lose_line(page.context)
    await table.button(type="draw").click()
    await page.locator(".offline-pad .modes label").nth(1).click()
    for card in ROYAL.split():
        await table.offline_key(card).click()
    await page.locator(".offline-pad [data-does=meld]").click()
    await page.locator("[data-pending] li").last.click()
    await expect(page.locator("[data-mention]")).to_have_text(
        "You can add cards to this combination once the network is back."
    )
    await page.locator(".trick .pile a").click()
    await expect(page.locator("[data-mention]")).to_have_text("This needs the network.")


async def test_undo_says_the_whole_of_a_laying(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await start(http)
    await game.record(DEAL, {"type": "draw", "seat": 1}, LAID)
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    undo = page.locator("[data-undo]")
    assert await undo.locator(".brief .card").count() == 3
    inside = """(it) => { const box = it.getBoundingClientRect();
        return [...it.querySelectorAll('.brief, .brief *')].every((part) => {
            const one = part.getBoundingClientRect();
            return one.bottom <= box.bottom + 1 && one.right <= box.right + 1; }); }"""
    assert await undo.evaluate(inside)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
async def test_on_its_side_the_question_is_whole_and_in_sight(
    http: httpx.AsyncClient, phone: Phone, language: str
) -> None:
    rami = await start(http)
    await rami.record(*OPENED, *turn(0, "9C", meld(0, "TD JD QD KD AD", "2S 3S 4S", "7C 7D 7H")))
    await rami.record({"type": "draw", "seat": 1})
    durak = await durak_game(http, 6, rules="de")
    await durak.record(*PHASES[1:5])
    page = await phone.page(language=language, viewport=LANDSCAPE)
    for game in (rami, durak):
        await page.goto(f"/games/{game.id}")
        box = await page.locator(".ask:not([hidden])").first.bounding_box()
        assert box
        assert box["y"] + box["height"] <= LANDSCAPE["height"]
