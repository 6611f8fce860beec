"""True deals on boards, also while taps wait: keys stay in their places, nothing is cut or covered.

A commit looks at one state of each type of entry, with the longest words and the most players
that a phone has room for; `dev.py test --deep` at all states of more deals, in three languages.
"""

import re

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.line import lose_line
from tests.browser.screen_layout import SHIFT_MAX, Measures, Screen
from tests.browser.table import Table
from tests.browser.test_true_games import NAMES
from tests.browser.true_deals import true_deal
from tests.depth import run_size
from tests.http.club import Game, add_player

SCREENS = (Screen(320, 568), Screen(360, 640), Screen(390, 844), Screen(390, 664))
TABLES = {"euchre": (2,), "durak": (4, 3, 6), "dutch": (5, 3, 4), "rami": (5, 3, 4)}
# The longest words first.
LANGUAGES = ("de", "fr", "en")
# Of the height of the screen.
BAND_MAX = 0.12
# Combinations of Rami, and on the smallest phone what lies beside taps that wait, may be a swipe
# away.
SWIPED = re.compile(r"(SUMMARY|combo|laid) .* is scrolled away")
# What enters something at once while there is no network.
WAITS = (
    ".panel :is(.key:not(.dim, .tapped, .picks), .twos > button, .side > button, .unchosen > .big)"
)
CLICK = "(one) => one.click()"


def _cases() -> list[tuple[str, int, int, str]]:
    return [
        (ruleset, seed, tables[(seed - 1) % len(tables)], LANGUAGES[(seed - 1) // 2 % 3])
        for seed in range(1, 1 + run_size(1, deep=6))
        for ruleset, tables in TABLES.items()
    ]


async def _seated(http: httpx.AsyncClient, ruleset: str, seats: int, language: str) -> Game:
    players = [await add_player(http, name) for name in NAMES[:seats]]
    rules = "de" if language == "de" else "fr"
    options = {"rules": rules} if ruleset == "durak" else {}
    body = {"ruleset": ruleset, "options": options, "players": players}
    return Game(http, (await http.post("/api/games", json=body)).json())


@pytest.mark.parametrize(("ruleset", "seed", "seats", "language"), _cases())
async def test_keys_stay_in_their_places_from_the_first_card_to_the_last(
    http: httpx.AsyncClient, phone: Phone, ruleset: str, seed: int, seats: int, language: str
) -> None:
    game = await _seated(http, ruleset, seats, language)
    page = await phone.page(language=language)
    table = Table(page, game.id)
    measured = [Measures(screen) for screen in SCREENS]
    states_max = run_size(1, deep=1000)
    seen: dict[str, int] = {}
    unsent = []
    for by in ("", "?by=result"):
        await table.open(by)
        for measures in measured:
            await measures.take_panels(page, f"start{by}")
            await measures.take_result(page, f"start{by}")
    for number, entry in enumerate(true_deal(ruleset, seed, seats, language)):
        unsent.append(entry)
        kind = entry["type"]
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > states_max:
            continue
        await game.record(*unsent)
        unsent = []
        await table.open()
        for measures in measured:
            await measures.take(page, f"{number} {kind}")
            await measures.take_panels(page, f"{number} {kind}")
    _expect_steady(measured)


def _expect_steady(measured: list[Measures]) -> None:
    for measures in measured:
        assert measures.shift <= SHIFT_MAX, str(measures)
        assert measures.band <= BAND_MAX, str(measures)
        assert all(SWIPED.fullmatch(fault) for fault in measures.faults), str(measures)


@pytest.mark.parametrize(("ruleset", "seats"), [(game, seats[0]) for game, seats in TABLES.items()])
async def test_keys_stay_in_their_places_while_taps_wait(
    http: httpx.AsyncClient, phone: Phone, ruleset: str, seats: int
) -> None:
    for language in LANGUAGES[: run_size(1, deep=3)]:
        game = await _seated(http, ruleset, seats, language)
        deal = true_deal(ruleset, 1, seats, language)
        page = await (await phone(language=language)).new_page()
        measured = [Measures(screen) for screen in SCREENS]
        await game.record(*deal[: len(deal) // 2])
        await Table(page, game.id).open()
        for measures in measured:
            await measures.take(page, "before")
        await lose_line(page.context)
        for number in range(4):
            keys = page.locator(WAITS).locator("visible=true")
            if not await keys.count():  # the rank first, then the suit
                ranks = page.locator(".panel .rank > summary").locator("visible=true")
                await ranks.first.evaluate(CLICK)
            await keys.first.evaluate(CLICK)
            await expect(page.locator("[data-pending] li").nth(number)).to_be_attached()
            for measures in measured:
                await measures.take(page, f"{number + 1} waiting")
        _expect_steady(measured)
