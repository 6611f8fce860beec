"""A page of a long season shows one game and folds the others; its title is shown once."""

import httpx
import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.conftest import Phone
from tests.http.club import add_player
from tests.http.scores import ScoresGame

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
TITLES = ["Skyjo", "Uno", "Belote", "Tarot", "Yam’s", "Wizard", "Hearts"]
# Of the words of the title, without those that only a screen reader reads.
TITLE_IN_SIGHT = """() => [...document.querySelectorAll('.bar > .title, h1')].filter((one) => {
    const { visibility, clipPath } = getComputedStyle(one);
    return visibility === 'visible' && clipPath === 'none';
}).length"""
HEIGHT = "() => document.documentElement.scrollHeight"


@pytest.fixture
async def season(http: httpx.AsyncClient) -> list[str]:
    """Play three games of each of seven titles; return the ids of the four players."""
    names = ["Léa", "Tom", "Großmutter Anneliese", "Maximilian von Hohenstein"]
    people = [await add_player(http, name) for name in names]
    made = [(await http.post("/api/titles", json={"name": name})).json()["id"] for name in TITLES]
    for number, title in enumerate(made * 3):
        points = [(number * 7 + seat * 5) % 23 for seat in range(4)]
        body = {
            "ruleset": "scores",
            "title": title,
            "options": {"wins": "highest", "rounds": 1},
            "players": people,
        }
        answer = await http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        await ScoresGame.of(http, answer.json()).rounds(points)
    return people


async def test_a_long_season_is_one_table_and_a_list_of_the_other_games(
    phone: Phone, season: list[str]
) -> None:
    page = await phone.page(viewport=PHONE)
    for address in ("/standings", f"/players/{season[0]}", f"/players/{season[0]}/figures"):
        await page.goto(address)
        # Standings have the players and titles of other tests, too.
        assert address == "/standings" or await page.evaluate(HEIGHT) < 2600, address
        lines = page.locator("details.part > summary")
        for title in TITLES:
            await expect(lines.get_by_text(title, exact=True).first).to_be_visible()
        await expect(page.locator("details.part[open]")).to_have_count(1)
    # A link to one of the folded games unfolds it.
    await page.goto("/standings")
    last = page.locator("details.part").last
    part = await last.locator("section").first.get_attribute("id")
    await page.goto(f"/standings?set_aside=exclude#{part}")
    await expect(last.get_by_role("columnheader", name="Rating").first).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_title_of_a_page_stands_once(phone: Phone, size: ViewportSize) -> None:
    page = await phone.page(viewport=size)
    counted: dict[str, int] = {}
    for address in (
        "/history",
        "/standings",
        "/players",
        "/people",
        "/programs",
        "/settings",
        "/backup",
        "/import",
        "/me",
        "/years/2026",
        "/rules/rami",
        "/nowhere",
    ):
        await page.goto(address)
        counted[address] = await page.evaluate(TITLE_IN_SIGHT)
    assert counted == dict.fromkeys(counted, 1)


async def test_home_offers_two_open_games_and_folds_the_others(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    games = [await ScoresGame.begin(http, ["Léa", "Tom"], wins="highest") for _ in range(4)]
    for number, game in enumerate(games):
        await game.rounds([number, 0])
    page = await phone.page(viewport=PHONE)
    await page.goto("/")
    await expect(page.get_by_role("link", name="Go on")).to_have_count(2)
    await expect(page.get_by_role("link", name="New game")).to_be_in_viewport()
    await page.get_by_text("Other games in progress").click()
    for game in games:
        await expect(page.locator(f"a[href='/games/{game.id}']").first).to_be_visible()
