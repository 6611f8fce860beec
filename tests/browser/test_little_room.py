import re
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.accessibility import ENLARGED
from tests.browser.conftest import SMALL, Phone
from tests.browser.durak_table import durak_game
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.browser.test_rami import DEAL, ROYAL, meld, turn
from tests.http.club import Game, add_player

Json = dict[str, Any]
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
LARGE: ViewportSize = {"width": 390, "height": 844}
PEOPLE = (
    "Marie-Françoise de la Tour",
    "Alexandrine Wilhelmine Schmidt",
    "Bartholomäus",
    "Jean-Christophe",
    "Donaudampfschifffahrt",
    "Anna-Katharina",
    "Konstantinopolitanus",
    "Ernestine-Henriette",
)
LAID = meld(1, ROYAL, "8S 8H 8?*", "4D 5D 6D*")
OPENED = [DEAL, *turn(1, "9H", LAID)]
MOMENTS: dict[str, list[Json]] = {
    "draws": OPENED,
    "owes": [*OPENED, {"type": "take", "seat": 2}],
    "throws": [*OPENED, *turn(2, "3C"), {"type": "draw", "seat": 3}],
    "adds": [DEAL, {"type": "draw", "seat": 1}, LAID],
}
BOTTOMS = """(keys) => keys.filter((key) => key.getClientRects().length && !key.closest('details'))
    .map((key) => Math.ceil(key.getBoundingClientRect().bottom))"""
SIDEWAYS_BY = """() => { window.scrollTo(2000, 0); return window.scrollX; }"""
# Elements that cover a control or text.
COVERED = """() => {
    const chips = [...document.querySelectorAll('[data-pending] .laid')];
    const others = [...document.querySelectorAll('.undo, .tool, .offline-note, .offline-pad .key')]
        .filter((one) => one.getClientRects().length);
    const box = (one) => one.getBoundingClientRect();
    return chips.flatMap((chip) => others.filter((other) => {
        const [whole, line, b] = [box(chip), box(chip.closest('li.pending')), box(other)];
        // Of a line that scrolls a chip is seen as far as it reaches.
        const a = { top: whole.top, bottom: whole.bottom,
            left: Math.max(whole.left, line.left), right: Math.min(whole.right, line.right) };
        return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
            && b.top < a.bottom - 1;
    }).map((other) => `${chip.textContent} on ${other.className}`));
}"""


async def long_named(http: httpx.AsyncClient, ruleset: str, seats: int, **options: object) -> Game:
    players = [await add_player(http, name) for name in PEOPLE[:seats]]
    body = {"ruleset": ruleset, "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Game(http, answer.json())


async def opened_at(page: Page, game: Game, by: str = "") -> Page:
    await page.goto(f"/games/{game.id}{by}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    return page


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("seats", [5, 6])
async def test_rami_of_many_long_names_shows_every_key_and_scrolls_nowhere_sideways(
    http: httpx.AsyncClient, phone: Phone, seats: int, moment: str
) -> None:
    game = await long_named(http, "rami", seats)
    await game.record(*MOMENTS[moment])
    page = await opened_at(await phone.page(language="de"), game)
    keys = page.locator(".panel:not(.offline-pad):not([hidden]) .keys > .key")
    bottoms: list[int] = await keys.evaluate_all(BOTTOMS)
    assert len(bottoms) == 53
    assert max(bottoms) <= SMALL["height"]
    assert await page.evaluate(SIDEWAYS_BY) == 0


async def test_dutch_told_by_its_result_is_no_wider_than_the_screen_whatever_the_names(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await long_named(http, "dutch", 8)
    page = await opened_at(await phone.page(language="de"), game, "?by=result")
    assert await page.evaluate(SIDEWAYS_BY) == 0


async def test_row_counted_on_an_enlarged_phone_is_no_wider_than_the_screen(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await long_named(http, "dutch", 4)
    await game.record(
        {"type": "deal", "dealer": 3, "up": "QH"},
        {"type": "dutch", "seat": 0},
        *(
            entry
            for seat, card in ((1, "5S"), (2, "6S"), (3, "7S"))
            for entry in (
                {"type": "draw", "seat": seat},
                {"type": "drop", "seat": seat, "card": card},
            )
        ),
        {"type": "reveal", "seat": 0, "points": 14},
    )
    page = await phone.page(language="fr", viewport=ENLARGED)
    await opened_at(page, game)
    assert await page.evaluate(SIDEWAYS_BY) == 0


async def test_heading_is_whole_on_an_enlarged_phone(http: httpx.AsyncClient, phone: Phone) -> None:
    game = await long_named(http, "rami", 2)
    page = await opened_at(await phone.page(language="fr", viewport=ENLARGED), game)
    title = page.locator(".bar .title")
    await expect(title).to_have_text(re.compile(r"Donne\s1"))
    assert await title.evaluate("(it) => it.scrollWidth <= it.clientWidth")


@pytest.mark.parametrize("seats", [2, 6])
async def test_durak_on_its_side_shows_every_key(
    http: httpx.AsyncClient, phone: Phone, seats: int
) -> None:
    game = await durak_game(http, seats, rules="fr")
    await game.record({"type": "deal", "dealer": 0, "trump": "8D"}, {"type": "lowest", "seat": 1})
    page = await opened_at(await phone.page(viewport=SIDEWAYS), game)
    keys = page.locator(".panel:not(.offline-pad):not([hidden]) .keys > .key")
    bottoms: list[int] = await keys.evaluate_all(BOTTOMS)
    assert len(bottoms) == 35
    assert max(bottoms) <= SIDEWAYS["height"]


@pytest.mark.parametrize("ruleset", ["durak", "rami"])
async def test_what_waits_covers_nothing_and_stands_in_one_line(
    http: httpx.AsyncClient, phone: Phone, ruleset: str
) -> None:
    options = {"rules": "fr"} if ruleset == "durak" else {}
    game = await long_named(http, ruleset, 4, **options)
    await game.record(
        *(
            ({"type": "deal", "dealer": 0, "trump": "8D"}, {"type": "lowest", "seat": 1})
            if ruleset == "durak"
            else (DEAL,)
        )
    )
    page = await opened_at(await (await phone()).new_page(), game)
    await lose_line(page.context)
    await page.locator(".panel:not(.offline-pad):not([hidden]) .key:visible").first.click()
    await expect(page.locator(".offline-note")).to_be_visible()
    for card in ("7S", "7H", "7D", "7C", "9S", "9H", "9D", "9C"):
        await page.locator(f'.offline-pad .keys:visible > .key[value="{card}"]').click()
    chips = page.locator("[data-pending] .laid")
    await expect(chips).to_have_count(9)
    assert await page.evaluate(COVERED) == []
    tops = await chips.evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().top)")
    assert max(tops) == min(tops)
    last = await chips.last.bounding_box()
    assert last
    assert last["x"] + last["width"] <= SMALL["width"]


async def test_all_cards_can_be_tapped_without_a_network_on_a_small_phone(dealt: Table) -> None:
    await lose_line(dealt.page.context)
    await dealt.key("AS").click()
    await expect(dealt.page.locator(".offline-note")).to_be_visible()
    keys = dealt.page.locator(".offline-pad [data-when=play] .key:not(.tapped)")
    bottoms: list[int] = await keys.evaluate_all(BOTTOMS)
    assert len(bottoms) == 23
    assert max(bottoms) <= SMALL["height"]


async def test_undo_has_the_line_where_a_deal_of_rami_ended(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await long_named(http, "rami", 4)
    hands = [None, {"opened": True, "points": 7}, {"opened": False}, {"opened": False}]
    await game.record({"type": "result", "winner": 0, "hands": hands})
    page = await opened_at(await phone.page(language="de"), game)
    box = await page.locator("[data-undo]").bounding_box()
    assert box
    assert box["width"] > SMALL["width"] / 2


LINES = """(all) => all.map((it) => {
    const words = document.createRange();
    words.selectNodeContents(it);
    const boxes = [...words.getClientRects()].filter((box) => box.width);
    return new Set(boxes.map((box) => Math.round(box.top))).size;
})"""


async def test_name_on_a_button_is_not_broken_inside(http: httpx.AsyncClient, phone: Phone) -> None:
    page = await phone.page(language="de")
    durak = await long_named(http, "durak", 6, rules="de")
    await opened_at(page, durak, "?by=result")
    named = page.locator(".leaving button span", has_text="Donaudampf")
    assert await named.evaluate_all(LINES) == [1]
    dutch = await long_named(http, "dutch", 8)
    await dutch.record({"type": "deal", "dealer": 5, "up": "QH"})
    await opened_at(page, dutch)
    named = page.locator(".panel:not(.offline-pad) button:visible .name", has_text="Konstantin")
    assert await named.evaluate_all(LINES) == [1]


async def test_names_have_two_lines_on_a_large_phone_and_every_key_is_in_sight(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await long_named(http, "durak", 6, rules="de")
    await game.record({"type": "deal", "dealer": 0, "trump": "8D"}, {"type": "lowest", "seat": 1})
    page = await opened_at(await phone.page(language="de", viewport=LARGE), game)
    names = page.locator(".seat .name")
    cut = await names.evaluate_all(
        "(all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent)"
    )
    # A single word wider than a third of the screen is the only name that is cut.
    assert cut == ["Donaudampfschifffahrt"]
    assert await names.nth(3).evaluate_all(LINES) == [2]
    keys = page.locator(".panel:not(.offline-pad):not([hidden]) .keys > .key")
    assert max(await keys.evaluate_all(BOTTOMS)) <= LARGE["height"]


async def test_file_with_a_table_of_scores_is_chosen_by_a_finger(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/import")
    box = await page.locator("input[type=file]").bounding_box()
    assert box
    assert box["height"] >= 44
