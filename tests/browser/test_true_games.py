"""True games are recorded tap by tap by a new user who uses only the screen.

The log then equals the true deal. On the way, seats, undo labels and key names are checked, and no
unexpected dialog may open. A commit tests few combinations, but each game, language and size.
"""

import httpx
import pytest
from playwright.async_api import ViewportSize

from tests.browser.conftest import SMALL, Phone, ServiceWorkers
from tests.browser.newcomer import Newcomer
from tests.browser.newcomer_games import PLAYERS
from tests.browser.true_deals import true_deal
from tests.depth import run_size
from tests.http.club import Game

LARGE: ViewportSize = {"width": 390, "height": 844}
SCREENS = (("fr", SMALL), ("de", LARGE), ("en", SMALL), ("fr", LARGE), ("de", SMALL), ("en", LARGE))
NAMES = ("Zoé", "Émile", "Bob", "Märta", "Ann", "Luc", "Jürg", "Pia")
TABLES = {
    "euchre": (2,),
    "durak": (3, 2, 4, 5, 6),
    "dutch": (3, 2, 4, 5, 6, 8),
    "rami": (3, 2, 4, 5),
}


@pytest.fixture
def service_workers() -> ServiceWorkers:
    return "allow"


def _screen(number: int) -> tuple[str, str, ViewportSize, int]:
    again, game = divmod(number, len(TABLES))
    language, size = SCREENS[(game + again) % len(SCREENS)]
    return list(TABLES)[game], language, size, 1 + again


@pytest.mark.parametrize("number", range(run_size(4, deep=72)))
async def test_true_game_is_recorded_by_what_the_screen_says(
    phone: Phone, http: httpx.AsyncClient, number: int
) -> None:
    ruleset, language, size, seed = _screen(number)
    tables = TABLES[ruleset]
    names = NAMES[: tables[(seed - 1) % len(tables)]]
    page = await (await phone(language=language, viewport=size)).new_page()
    eyes = Newcomer(page, language, ruleset, names)
    game = await eyes.sit_down()
    deal = true_deal(ruleset, seed, len(names), language)
    await PLAYERS[ruleset](eyes).play(deal)
    view = (await http.get(f"/api/games/{game}")).json()
    assert await Game(http, view).typed() == deal
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_game_is_played_on_every_screen() -> None:
    played = {
        (ruleset, language, str(size)) for ruleset, language, size, _ in map(_screen, range(24))
    }
    assert len(played) == len(TABLES) * len(SCREENS)
