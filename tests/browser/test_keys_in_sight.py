import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.conftest import SMALL, Phone
from tests.browser.durak_table import durak_game
from tests.browser.dutch_table import dutch_game
from tests.browser.line import lose_line
from tests.browser.test_dutch_screens import PHASES, ROUND
from tests.browser.test_little_room import (
    BOTTOMS,
    LARGE,
    MOMENTS,
    SIDEWAYS_BY,
    long_named,
    opened_at,
)
from tests.http.club import Game

ON_ITS_SIDE: ViewportSize = {"width": 568, "height": 320}
KEYS = ".offline-pad .keys:visible > .key"
# The buttons of the bar and the offline notice do not overlap.
BESIDE = """() => {
    const note = document.querySelector('.offline-note').getBoundingClientRect();
    return [...document.querySelectorAll('.bar a, .bar summary, .undo, .tool, .offline-pad .key')]
        .filter((one) => one.getClientRects().length)
        .map((one) => one.getBoundingClientRect())
        .every((box) => box.right <= note.left + 1 || box.left >= note.right - 1
            || box.bottom <= note.top + 1 || box.top >= note.bottom - 1);
}"""
HEIGHTS = "(all) => all.map((it) => it.getBoundingClientRect().height)"
WIDTHS = "(all) => all.map((it) => it.getBoundingClientRect().width)"


async def _durak(http: httpx.AsyncClient, seats: int) -> Game:
    game = await durak_game(http, seats, rules="fr")
    await game.record({"type": "deal", "dealer": 0, "trump": "8D"}, {"type": "lowest", "seat": 1})
    return game


async def _unplug(page: Page) -> None:
    await lose_line(page.context)
    await page.locator(".panel:not(.offline-pad):not([hidden]) .key:visible").first.click()
    await expect(page.locator(".offline-note")).to_be_visible()


@pytest.mark.parametrize("size", [SMALL, ON_ITS_SIDE], ids=["upright", "on its side"])
@pytest.mark.parametrize("seats", [3, 6])
async def test_durak_without_a_network_shows_every_key(
    http: httpx.AsyncClient, phone: Phone, seats: int, size: ViewportSize
) -> None:
    game = await _durak(http, seats)
    page = await opened_at(await phone.page(language="de", viewport=size), game)
    await _unplug(page)
    bottoms: list[int] = await page.locator(KEYS).evaluate_all(BOTTOMS)
    assert len(bottoms) >= 35
    assert max(bottoms) <= size["height"]
    assert await page.evaluate(BESIDE)
    assert await page.evaluate(SIDEWAYS_BY) == 0


async def test_prompt_without_a_network_covers_no_card_of_a_bout(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await _durak(http, 6)
    await game.record(
        {"type": "attack", "seat": 1, "cards": ["7S"]},
        {"type": "beat", "seat": 2, "card": "7S", "with": "9S"},
        {"type": "attack", "seat": 1, "cards": ["7C"]},
    )
    page = await opened_at(await phone.page(language="fr"), game)
    await _unplug(page)
    assert max(await page.locator(KEYS).evaluate_all(BOTTOMS)) <= SMALL["height"]
    prompt = await page.locator("[data-prompt]").bounding_box()
    lowest = await page.locator(".trick .laid").evaluate_all(
        "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    )
    assert prompt
    assert lowest <= prompt["y"] + 1


@pytest.mark.parametrize("seats", [2, 6])
async def test_durak_on_the_smallest_phone_on_its_side_shows_every_key(
    http: httpx.AsyncClient, phone: Phone, seats: int
) -> None:
    game = await _durak(http, seats)
    page = await opened_at(await phone.page(viewport=ON_ITS_SIDE), game)
    keys = page.locator(".panel:not(.offline-pad):not([hidden]) .keys:visible > .key")
    assert max(await keys.evaluate_all(BOTTOMS)) <= ON_ITS_SIDE["height"]
    assert min(await keys.evaluate_all(HEIGHTS)) >= 44
    assert min(await keys.evaluate_all(WIDTHS)) >= 40
    undo = await page.locator("[data-undo]").bounding_box()
    assert undo
    assert undo["y"] + undo["height"] <= ON_ITS_SIDE["height"]
    assert await page.evaluate(SIDEWAYS_BY) == 0


@pytest.mark.parametrize("seats", [5, 6])
async def test_keys_of_rami_are_as_high_as_there_is_room_for(
    http: httpx.AsyncClient, phone: Phone, seats: int
) -> None:
    game = await long_named(http, "rami", seats)
    await game.record(*MOMENTS["throws"])
    page = await opened_at(await phone.page(language="de"), game)
    keys = page.locator(".panel:not(.offline-pad):not([hidden]) .keys:visible > .key")
    assert max(await keys.evaluate_all(BOTTOMS)) <= SMALL["height"]
    assert min(await keys.evaluate_all(HEIGHTS)) >= 36


async def test_of_eight_long_names_at_dutch_undo_says_whose_and_rows_say_more_than_a_line(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await long_named(http, "dutch", 8)
    await game.record(
        {"type": "deal", "dealer": 1, "up": "5C"},
        {"type": "draw", "seat": 2},
        {"type": "swap", "seat": 2, "slot": 0, "card": "KS"},
    )
    page = await opened_at(await phone.page(language="de"), game)
    inside = """(it) => {
        const [box, around] = [it, it.closest('.undo')].map((one) => one.getBoundingClientRect());
        return box.left >= around.left && box.right <= around.right;
    }"""
    assert await page.locator(".undo .who").evaluate(inside)
    cut = "(it) => it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight + 1"
    for name in ("Jean-Christophe", "Anna-Katharina", "Ernestine-Henriette"):
        assert not await page.locator(".seat .name", has_text=name).evaluate(cut), name


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
async def test_row_of_eight_players_is_revealed_without_scrolling(
    http: httpx.AsyncClient, phone: Phone, size: ViewportSize
) -> None:
    game = await dutch_game(http, 8)
    await game.record(*PHASES[1:], *ROUND)
    page = await opened_at(await phone.page(language="fr", viewport=size), game)
    await page.locator("[name=mode][value=cards]").check()
    keys = page.locator(".fills .keys:visible > .key")
    bottoms: list[int] = await keys.evaluate_all(BOTTOMS)
    send = await page.locator(".by-cards.sends button").bounding_box()
    assert send
    assert len(bottoms) == 52
    assert max(bottoms) <= send["y"] + 1
    assert send["y"] + send["height"] <= size["height"]


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
async def test_pile_of_dutch_is_as_large_as_a_finger(
    http: httpx.AsyncClient, phone: Phone, size: ViewportSize
) -> None:
    game = await long_named(http, "dutch", 5)
    await game.record({"type": "deal", "dealer": 1, "up": "5C"})
    page = await opened_at(await phone.page(viewport=size), game)
    reached = """(it) => {
        const box = it.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        return [[0, -21], [0, 21], [-21, 0], [21, 0]].every(([right, down]) =>
            document.elementFromPoint(x + right, y + down)?.closest('a.laid') === it);
    }"""
    assert await page.locator(".trick a.laid").evaluate(reached)
