import httpx
import pytest

from tests.browser.accessibility import LANGUAGES, WINDOWS, faults, too_wide
from tests.browser.conftest import SMALL, Phone
from tests.browser.durak_table import durak_game
from tests.generation.durak_cards import Entry
from tests.http.club import Game

# Each ends in another phase; among six, a bout with several open attacks and a card thrown in.
PHASES: list[Entry] = [
    {"type": "result", "places": [[2], [0], [1], [3], [4, 5]], "durak": None},
    {"type": "deal", "dealer": 0, "trump": "9S"},
    {"type": "lowest", "seat": 1},
    {"type": "attack", "seat": 1, "cards": ["7H", "7D"]},
    {"type": "beat", "seat": 2, "card": "7H", "with": "TH"},
    {"type": "attack", "seat": 1, "cards": ["TC"]},
    {"type": "take", "seat": 2},
]

UNFOLD = "() => { for (const one of document.querySelectorAll('main details')) one.open = true; }"


async def _pages(game: Game, http: httpx.AsyncClient) -> list[str]:
    last = (await game.view())["version"]
    fresh = await durak_game(http, 6, rules="fr")
    own = ("", "?by=result", "/log", "/sheet", f"/at/{last}", f"/correct/{last - 1}")
    return [
        "/games/new?ruleset=durak",
        "/rules/durak",
        f"/games/{fresh.id}",
        *(f"/games/{game.id}{page}" for page in own),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_accessible_and_scrolls_nowhere_sideways(
    http: httpx.AsyncClient, phone: Phone, language: str
) -> None:
    game = await durak_game(http, 6, rules="de")
    page = await (await phone(language=language)).new_page()
    found: dict[str, list[object]] = {}
    for entry in PHASES:
        await game.record(entry)
        await page.goto(f"/games/{game.id}")
        found[str(entry)] = await faults(page)
    await page.locator("details.more > summary").click()
    found["more"] = await faults(page)
    for address in await _pages(game, http):
        await page.goto(address)
        found[address] = [["folded", *one] for one in (await too_wide(page, WINDOWS)).items()]
        await page.evaluate(UNFOLD)
        found[address] += await faults(page)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("language", ["en", "fr", "de"])
async def test_36_keys_and_the_words_beside_them_fit_the_smallest_screen_whole(
    http: httpx.AsyncClient, phone: Phone, language: str
) -> None:
    game = await durak_game(http, 5, rules="de")
    await game.record(*PHASES[1:5])
    page = await phone.page(language=language)
    await page.goto(f"/games/{game.id}")
    boxes = await page.evaluate(
        """() => [...document.querySelectorAll(
            '.panel:not(.offline-pad):not([hidden]) :is(.keys > .key, .act)')]
            .filter((key) => key.getClientRects().length).map((key) => {
            const box = key.getBoundingClientRect();
            return [box.width, box.height, box.right, box.bottom];
        })"""
    )
    assert len(boxes) >= 32
    assert min(min(box[:2]) for box in boxes) >= 44
    assert max(box[2] for box in boxes) <= SMALL["width"]
    assert max(box[3] for box in boxes) <= SMALL["height"]


async def test_names_of_six_are_whole_on_the_smallest_screen(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 6, rules="de")
    await game.record(*PHASES[1:5])
    page = await phone.page(language="de")
    await page.goto(f"/games/{game.id}")
    cut = await page.locator(".seat .name").evaluate_all(
        "(names) => names.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.innerText)"
    )
    assert cut == []


async def test_finger_reaches_a_card_laid_above_its_edge(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 6, rules="de")
    await game.record(*PHASES[1:5])
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    reached = await page.locator(".pair a.laid").evaluate_all(
        """(cards) => cards.map((card) => {
            const box = card.getBoundingClientRect();
            const at = (y) => document.elementFromPoint(box.x + box.width / 2, y) === card;
            let high = 0;
            for (let y = box.top - 40; y < box.bottom + 40; y++) high += at(y);
            return [box.width, high];
        })"""
    )
    assert len(reached) == 3
    assert min(width for width, _ in reached) >= 40
    assert sorted(high >= 44 for _, high in reached) == [False, True, True]
