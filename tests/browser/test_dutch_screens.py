from itertools import pairwise

import httpx
import pytest

from tests.browser.accessibility import LANGUAGES, faults
from tests.browser.conftest import SMALL, Phone
from tests.browser.dutch_table import DutchTable, Json, dutch_game
from tests.http.club import Game

# Each ends in another phase; among eight, a row of five with a card known, both powers, a call.
PHASES: list[Json] = [
    {"type": "result", "caller": 1, "counter": 2, "totals": [1, 2, 3, 4, 5, 6, 7, 8]},
    {"type": "deal", "dealer": 0, "up": "5C"},
    {"type": "draw", "seat": 1},
    {"type": "drop", "seat": 1, "card": "QS"},
    {"type": "snap", "seat": 2, "slot": 0, "card": "7H"},
    {"type": "take", "seat": 2},
    {"type": "swap", "seat": 2, "slot": 1, "card": "JD"},
    {"type": "dutch", "seat": 2},
]
ROUND: list[Json] = [
    entry
    for seat, card in ((3, "2S"), (4, "2H"), (5, "3S"), (6, "3H"), (7, "4S"), (0, "4H"), (1, "6S"))
    for entry in ({"type": "draw", "seat": seat}, {"type": "drop", "seat": seat, "card": card})
]
# How far below the edge at which a name is cut off its highest capital begins, in px.
ABOVE = """(names) => names.map((name) => {
    const style = getComputedStyle(name);
    const context = document.createElement('canvas').getContext('2d');
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const word = context.measureText('É');
    const high = word.fontBoundingBoxAscent + word.fontBoundingBoxDescent;
    const leading = (parseFloat(style.lineHeight) - high) / 2;
    const base = parseFloat(style.paddingTop) + leading + word.fontBoundingBoxAscent;
    return base - word.actualBoundingBoxAscent;
})"""


async def _pages(game: Game, http: httpx.AsyncClient) -> list[str]:
    last = (await game.view())["version"]
    fresh = await dutch_game(http, 8)
    own = ("", "?by=result", "/log", "/sheet", f"/at/{last}", f"/correct/{last}", "/correct/7")
    return [
        "/games/new?ruleset=dutch",
        "/rules/dutch",
        f"/games/{fresh.id}",
        *(f"/games/{game.id}{page}" for page in own),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_accessible_and_scrolls_nowhere_sideways(
    http: httpx.AsyncClient, phone: Phone, language: str
) -> None:
    game = await dutch_game(http, 8)
    page = await (await phone(language=language)).new_page()
    table = DutchTable(page, game.id)
    found: dict[str, list[object]] = {}
    for entry in PHASES:
        await game.record(entry)
        await page.goto(table.path)
        found[str(entry)] = await faults(page)
    await table.slot(2, 0).click()
    found["slot"] = await faults(page)
    await game.record(*ROUND)
    # On another phone: on this one the slot that was tapped stays chosen.
    page = await (await phone(language=language)).new_page()
    await page.goto(table.path)
    await page.locator("[name=mode][value=cards]").check()
    found["reveal"] = await faults(page)
    for address in await _pages(game, http):
        await page.goto(address)
        found[address] = await faults(page)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


async def test_row_of_nine_slots_covers_no_other(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await dutch_game(http, 8)
    wrong = ("7H", "8H", "9H", "TH", "JH")
    await game.record(*PHASES[1:4])
    for slot, card in enumerate(wrong):
        await game.record({"type": "snap", "seat": 2, "slot": slot, "card": card})
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    boxes = await page.locator(".seats .slots").evaluate_all(
        "(rows) => rows.map((row) => row.getBoundingClientRect()).map((at) => [at.top, at.bottom])"
    )
    assert len(boxes) == 8
    assert all(above[1] <= below[0] for above, below in pairwise(boxes))


async def test_the_accent_of_a_capital_is_not_cut_off(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http, 4)
    await game.record(PHASES[1])
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    room = await page.locator(".seat .name").evaluate_all(ABOVE)
    assert len(room) == 4
    assert min(room) >= 0


@pytest.mark.parametrize("before", [0, 3])
async def test_result_of_eight_is_sent_without_a_scroll(
    http: httpx.AsyncClient, phone: Phone, before: int
) -> None:
    game = await dutch_game(http, 8)
    if before:
        await game.record(*PHASES[1 : 1 + before])
    page = await phone.page()
    await page.goto(f"/games/{game.id}?by=result")
    box = await page.get_by_role("button", name="Enter it").bounding_box()
    assert box
    assert box["y"] + box["height"] <= SMALL["height"]
