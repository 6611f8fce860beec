"""Rami on the smallest screen: every key in sight, whatever lies on the table; undo in full."""

from typing import Any

import httpx
import pytest
from playwright.async_api import Page

from tests.browser.accessibility import LANDSCAPE
from tests.browser.conftest import SMALL, Phone
from tests.browser.durak_table import durak_game
from tests.browser.test_durak_screens import PHASES
from tests.browser.test_rami import DEAL, ROYAL, meld, start, turn

Json = dict[str, Any]
LAID = meld(1, ROYAL, "8S 8H 8?*", "4D 5D 6D*")
OPENED = [DEAL, *turn(1, "9H", LAID)]
# Each ends where somebody draws, lays what they owe, or throws.
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
    page = await (await phone(language=language)).new_page()
    await page.goto(f"/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    assert await _lowest(page) <= SMALL["height"]


async def test_undo_says_the_whole_of_a_laying(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await start(http)
    await game.record(DEAL, {"type": "draw", "seat": 1}, LAID)
    page = await (await phone()).new_page()
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
    page = await (await phone(language=language, viewport=LANDSCAPE)).new_page()
    for game in (rami, durak):
        await page.goto(f"/games/{game.id}")
        box = await page.locator(".ask:not([hidden])").first.bounding_box()
        assert box
        assert box["y"] + box["height"] <= LANDSCAPE["height"]
