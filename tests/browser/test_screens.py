"""Every page is accessible in both themes and not wider than the screen."""

import httpx
import pytest

from tests.browser.accessibility import (
    LANGUAGES,
    UNFOLD,
    Violation,
    faults,
    violations,
)
from tests.browser.conftest import SMALL, Phone
from tests.http.club import DEAL, MADE_RESULT, Game


@pytest.fixture
async def played(game: Game) -> Game:
    await game.record(
        MADE_RESULT,
        {"type": "adjust", "seat": 1, "points": 1, "reason": "a bet"},
        {"type": "note", "text": "rain"},
        {"type": "deal", "dealer": 1, "turn_up": "QH"},
        {"type": "order", "seat": 0},
        {"type": "exchange", "seat": 1, "take": True},
        {"type": "play", "seat": 0, "card": "AS", "unsure": True},
        {"type": "play", "seat": 1, "card": "9C"},
    )
    return game


async def _addresses(game: Game, other: Game) -> list[str]:
    """List a page of every kind; the game `other` has only begun."""
    view = await game.view()
    last = view["version"]
    own = ("", "?by=result", "/log", "/sheet", f"/at/{last}", f"/correct/{last}", "/more", "/share")
    return [
        "/",
        "/history",
        "/screen",
        f"/evenings/{game.id}",
        "/history?from=x&ruleset=bridge&cursor=x",
        "/history?player=00000000-0000-4000-8000-000000000000",
        "/games/new",
        "/players",
        f"/players/{view['players'][0]['id']}",
        "/standings",
        "/settings",
        "/people",
        "/people?wrong=name",
        "/programs",
        "/programs?wrong=games",
        "/more",
        "/history?set_aside=only",
        "/backup",
        "/login",
        "/rules/euchre",
        "/import",
        "/notation",
        "/games/00000000-0000-4000-8000-000000000000",
        f"/games/{other.id}",
        f"/games/{game.id}/at/{last}?eyes=recorder",
        f"/games/{game.id}/at/{last}/what-if",
        f"/games/{game.id}/screen",
        *(f"/games/{game.id}{page}" for page in own),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_accessible_and_scrolls_nowhere_sideways(
    phone: Phone, played: Game, http: httpx.AsyncClient, language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    found: dict[str, list[object]] = {}
    fresh = [await Game.start(http, deck=deck) for deck in (25, 32)]
    for address in [*await _addresses(played, fresh[0]), f"/games/{fresh[1].id}"]:
        await page.goto(address)
        found[address] = await faults(page)
    await page.goto(f"/games/{played.id}/correct/10")
    await page.locator('main .key[value="9S"]').click()
    found["consequences"] = await faults(page)
    assert {address: wrong for address, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_axe_finds_no_violation_in_what_folds_out(
    phone: Phone, played: Game, language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    found: dict[str, list[Violation]] = {}
    for address in ("/", "/history", f"/games/{played.id}/sheet"):
        await page.goto(address)
        for only in ("main details", ".menu"):
            await page.evaluate(UNFOLD, only)
            found[f"{address} {only}"] = await violations(page)
            assert await page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_axe_finds_no_violation_in_each_phase_and_in_a_refusal(
    phone: Phone, game: Game, language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    found: dict[str, list[Violation]] = {}
    for entry in (*DEAL, {"type": "play", "seat": 1, "card": "AS"}):
        await game.record(entry)
        await page.goto(f"/games/{game.id}")
        found[str(entry["type"])] = await violations(page)
    await game.record(
        {"type": "play", "seat": 0, "card": "9C"}, {"type": "play", "seat": 1, "card": "KS"}
    )
    await page.goto(f"/games/{game.id}")
    await page.locator('.panel:not(.offline-pad) .key[value="TS"]').click()
    await page.locator("dialog[open]").wait_for()
    found["refusal"] = await violations(page)
    assert {phase: wrong for phase, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("deck", [24, 25, 32])
async def test_keypad_fits_the_smallest_screen_whole(
    phone: Phone, http: httpx.AsyncClient, deck: int
) -> None:
    game = await Game.start(http, deck=deck)
    await game.record(*DEAL)
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    boxes = await page.evaluate(
        """() => [...document.querySelectorAll(
            '.panel:not(.offline-pad) .keys > .key'
        )].map((key) => {
            const box = key.getBoundingClientRect();
            return [box.width, box.height, box.right, box.bottom];
        })"""
    )
    assert len(boxes) == deck - 1
    assert min(min(box[:2]) for box in boxes) >= 44
    assert max(box[2] for box in boxes) <= SMALL["width"]
    assert max(box[3] for box in boxes) <= SMALL["height"]


async def test_asking_who_deals_covers_nothing(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    page = await phone.page(language="de")
    await page.goto(f"/games/{game.id}")
    asked = page.locator(".seat .deals")
    assert await asked.count() == 2
    hidden = await asked.evaluate_all(
        """(labels) => labels.map((label) => label.getBoundingClientRect()).filter((box) =>
            [[2, 2], [box.width - 3, box.height - 3]].some(([x, y]) =>
                !document.elementFromPoint(box.x + x, box.y + y)?.closest('.deals'))).length"""
    )
    below = await page.locator(".ask:not([hidden])").first.bounding_box()
    box = await asked.last.bounding_box()
    assert below
    assert box
    assert (hidden, box["y"] + box["height"] <= below["y"]) == (0, True)
