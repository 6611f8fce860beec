from typing import Any

import httpx
import pytest
from msgspec import Struct
from playwright.async_api import Locator, Page

from tests.browser.accessibility import ENLARGED, LANGUAGES, UNFOLD, violations
from tests.browser.conftest import Phone
from tests.browser.test_rami import OPENED
from tests.http.club import DEAL, Game, add_player

Json = dict[str, Any]
BOUT: list[Json] = [
    {"type": "deal", "dealer": 2, "trump": "9S"},
    {"type": "lowest", "seat": 0},
    {"type": "attack", "seat": 0, "cards": ["6H"]},
    {"type": "beat", "seat": 1, "card": "6H", "with": "8H"},
]
DISCARDED: list[Json] = [
    {"type": "deal", "dealer": 0, "up": "5H"},
    {"type": "draw", "seat": 1},
    {"type": "drop", "seat": 1, "card": "9C"},
]


class Wrong(Struct, frozen=True):
    """A recorded log, the wrong card on the table, and the right one."""

    ruleset: str
    seats: int
    options: Json
    log: list[Json]
    lies: str
    right: str


WRONG = [
    Wrong(
        "euchre", 2, {}, [*DEAL, {"type": "play", "seat": 1, "card": "AS"}], "ace of spades", "KS"
    ),
    Wrong("durak", 3, {"rules": "fr"}, BOUT, "eight of hearts", "7H"),
    Wrong("durak", 3, {"rules": "fr"}, BOUT[:3], "six of hearts", "7H"),
    Wrong("rami", 2, {}, OPENED, "nine of hearts", "9D"),
    Wrong("dutch", 3, {}, DISCARDED, "nine of clubs", "9S"),
]


class Finger:
    def __init__(self) -> None:
        self.taps = 0

    async def tap(self, what: Locator) -> None:
        self.taps += 1
        await what.tap()


async def _start_recorded_game(
    http: httpx.AsyncClient, ruleset: str, seats: int, options: Json, log: list[Json]
) -> Game:
    players = [await add_player(http, name) for name in ("Ann", "Bob", "Chloé")[:seats]]
    body = {"ruleset": ruleset, "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    await game.record(*log)
    return game


async def _confirm_correction(page: Page, finger: Finger) -> None:
    await finger.tap(page.get_by_role("button", name="Correct it"))
    await page.wait_for_url("**/games/*-*-*")


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("wrong", WRONG)
async def test_a_card_on_the_table_is_corrected_in_three_taps(
    http: httpx.AsyncClient, phone: Phone, wrong: Wrong, *, script: bool
) -> None:
    game = await _start_recorded_game(http, wrong.ruleset, wrong.seats, wrong.options, wrong.log)
    page = await phone.page(java_script_enabled=script)
    await page.goto(f"/games/{game.id}")
    finger = Finger()
    await finger.tap(page.locator(".trick").get_by_role("link", name=f"Correct: the {wrong.lies}"))
    await page.wait_for_url("**/correct/*")
    await finger.tap(page.locator(f'main .key[value="{wrong.right}"]:visible').first)
    await _confirm_correction(page, finger)
    assert finger.taps == 3
    last = (await game.typed())[-1]
    assert (last["type"], last["version"]) == ("amend", game.version)
    assert wrong.right in str(last["move"])


async def test_a_combination_on_the_table_opens_what_was_laid(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await _start_recorded_game(http, "rami", 2, {}, OPENED)
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    await page.locator(".combos a").nth(1).tap()
    await page.wait_for_url("**/correct/4")
    await page.get_by_role("heading", name="Correct: ").wait_for()


async def test_the_last_trick_is_corrected_where_it_lies(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    plays = [{"type": "play", "seat": seat, "card": card} for seat, card in ((1, "AS"), (0, "9S"))]
    game = await _start_recorded_game(http, "euchre", 2, {}, [*DEAL, *plays])
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    finger = Finger()
    await finger.tap(page.get_by_role("link", name="Correct: the nine of spades"))
    await page.wait_for_url("**/correct/*")
    await finger.tap(page.locator('main .key[value="TS"]'))
    await _confirm_correction(page, finger)
    assert (finger.taps, (await game.typed())[-1]["version"]) == (3, 6)


async def test_who_only_watches_is_led_to_no_correction(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await _start_recorded_game(http, "euchre", 2, {}, WRONG[0].log)
    made = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await phone.page(key=made.json()["token"])
    await page.goto(f"/games/{game.id}")
    await page.locator(".trick .laid").first.wait_for()
    assert await page.locator(".trick a").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
async def test_entries_and_corrections_are_accessible_and_fit_the_smallest_screen(
    http: httpx.AsyncClient, phone: Phone, language: str
) -> None:
    game = await _start_recorded_game(http, "rami", 2, {}, OPENED)
    move = {"type": "discard", "seat": 1, "card": "9D", "unsure": True}
    await game.record({"type": "amend", "version": 5, "move": move})
    page = await (await phone(language=language)).new_page()
    for path in ("/log", "/log?q=9", "/log?q=zebra", "/correct/5", "/correct/4?before=1", ""):
        await page.goto(f"/games/{game.id}{path}")
        await page.evaluate(UNFOLD, "main .entry details")
        assert await violations(page) == [], path
        assert await page.evaluate("() => document.scrollingElement.scrollWidth") <= 320, path
    await page.set_viewport_size(ENLARGED)
    await page.goto(f"/games/{game.id}/correct/5?before=1")
    assert await page.evaluate("() => document.scrollingElement.scrollWidth") <= ENLARGED["width"]
