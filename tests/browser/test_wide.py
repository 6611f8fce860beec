import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.conftest import Phone
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, Json, add_player

DESKTOPS: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
)
# Pairs of elements (selectors) that must be side by side, by page.
BESIDE = {
    "/games/{id}": (".table", ".panel:not([hidden])"),
    "/games/{id}/replay": ("[data-moment]", "[data-chapters]"),
    "/games/{id}/sheet": (".besides > .stack:first-child", ".besides > .stack:last-child"),
    "/games/{id}/log": (".parts > :nth-child(1)", ".parts > :nth-child(2)"),
    "/evenings/{id}": (".besides > .sheet", ".besides > section"),
}


@pytest.fixture
async def played(http: httpx.AsyncClient) -> Game:
    game = await Game.start(http)
    plays = [
        {"type": "play", "seat": seat, "card": card}
        for seat, card in ((1, "AS"), (0, "9S"), (1, "KC"))
    ]
    await game.record(MADE_RESULT, LOST_RESULT, DEAL[0], *DEAL[1:], *plays)
    return game


async def fits(page: Page, width: int) -> bool:
    wide: int = await page.evaluate("document.documentElement.scrollWidth")
    return wide <= width


@pytest.mark.parametrize("path", BESIDE)
async def test_a_desktop_shows_side_by_side_what_a_phone_shows_below_each_other(
    phone: Phone, played: Game, path: str
) -> None:
    page = await phone.page()
    for viewport in DESKTOPS:
        await page.set_viewport_size(viewport)
        await page.goto(path.format(id=played.id))
        left, right = (page.locator(one).first for one in BESIDE[path])
        await expect(right).to_be_visible()
        one, other = await left.bounding_box(), await right.bounding_box()
        assert one
        assert other
        assert one["x"] + one["width"] <= other["x"]
        assert other["x"] + other["width"] - one["x"] > 0.45 * viewport["width"]
        assert await fits(page, viewport["width"])


async def test_lists_of_games_use_a_desktops_width(phone: Phone, played: Game) -> None:
    assert played.version > 1
    page = await phone.page()
    for viewport in DESKTOPS:
        await page.set_viewport_size(viewport)
        await page.goto("/history")
        place = await page.locator(".evenings").bounding_box()
        assert place
        assert place["width"] > 0.7 * viewport["width"]
        assert await fits(page, viewport["width"])


async def test_an_evening_with_long_names_and_open_games_fits(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    people = [await add_player(http, name) for name in ("Maximiliane-Sophie", "Emile-Baptiste")]
    body: Json = {"ruleset": "euchre", "options": {}, "players": people}
    game = (await http.post("/api/games", json=body)).json()
    page = await phone.page()
    for viewport in DESKTOPS:
        await page.set_viewport_size(viewport)
        await page.goto(f"/evenings/{game['id']}")
        assert await fits(page, viewport["width"])


async def test_what_could_be_known_stands_beside_the_chapters_on_a_very_wide_screen(
    phone: Phone, played: Game
) -> None:
    page = await phone.page(viewport=DESKTOPS[1])
    await page.goto(f"/games/{played.id}/at/{played.version}?eyes=recorder")
    chapters = await page.locator("[data-chapters]").bounding_box()
    known = await page.locator("[data-knowledge]").bounding_box()
    assert chapters
    assert known
    assert chapters["x"] + chapters["width"] <= known["x"]
