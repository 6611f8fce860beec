from uuid import uuid4

import httpx
import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.conftest import Phone
from tests.browser.durak_table import durak_game
from tests.browser.dutch_table import dutch_game
from tests.http.club import DEAL, MADE_RESULT, Game, Json, add_player

TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST = """() => Math.min(...[...document.querySelectorAll('main *')]
    .filter((one) => !one.closest('.sr') && [...one.childNodes].some(
        (node) => node.nodeType === 3 && node.textContent.trim()))
    .filter((one) => one.checkVisibility() && one.tagName !== 'title' && one.tagName !== 'desc')
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * (one.currentCSSZoom ?? 1)
        * (one.ownerSVGElement?.getScreenCTM().a ?? 1)))"""
WHOLE = """(one) => [one, one.querySelector('.stage')].every((box) =>
    box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1)"""


async def again(game: Game) -> str:
    people: list[Json] = (await game.view())["players"]
    body: Json = {"ruleset": "euchre", "options": {}, "players": [one["id"] for one in people]}
    answer = await game.http.post("/api/games", json=body)
    assert answer.status_code == 201
    started: str = answer.json()["id"]
    return started


async def test_it_follows_the_game_by_itself(phone: Phone, game: Game) -> None:
    await game.record(DEAL[0])
    page = await phone.page(viewport=TELEVISION)
    await page.goto(f"/games/{game.id}/screen")
    await expect(page.locator(".moves li").first).to_contain_text("Ann deals")
    await game.record(DEAL[1])
    await expect(page.locator(".moves li").first).to_contain_text("Bob orders")
    assert await page.locator("button, a:not(.skip), input, form").count() == 0


async def test_its_smallest_text_is_read_from_four_metres(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    page = await phone.page(viewport=TELEVISION)
    await page.goto(f"/games/{game.id}/screen")
    assert await page.evaluate(SMALLEST) >= 28


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800), (800, 1280)])
async def test_nothing_is_cut_off(phone: Phone, game: Game, width: int, height: int) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    page = await phone.page(viewport={"width": width, "height": height})
    await page.goto(f"/games/{game.id}/screen")
    assert await page.locator(".tabled").evaluate(WHOLE)


async def test_it_goes_on_to_the_next_game_of_the_same_people_by_itself(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http, target=1)
    page = await phone.page(viewport=TELEVISION)
    await page.goto(f"/games/{game.id}/screen")
    await game.record(MADE_RESULT)
    await expect(page.locator(".heading")).to_contain_text("Finished")
    after = await again(game)
    await page.wait_for_url(f"**/games/{after}/screen")
    await expect(page.locator(".heading")).to_contain_text("Deal 1")


async def test_a_viewer_is_not_led_to_a_game_that_no_link_opens(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http, target=1)
    await game.record(MADE_RESULT)
    await again(game)
    link = await http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await phone.page(key=link.json()["token"])
    await page.goto(f"/games/{game.id}/screen")
    await expect(page.locator(".heading")).to_contain_text("Finished")


async def test_of_several_tables_a_finished_one_stays_until_its_players_begin_another(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    over, others = await Game.start(http, target=1), await Game.start(http)
    await over.record(MADE_RESULT)
    page = await phone.page(viewport=TELEVISION)
    await page.goto("/screen")
    names = [one["name"] for one in (await over.view())["players"]]
    ended = page.locator(".tabled[data-status=finished]", has_text=names[0])
    await expect(ended.first).to_be_visible()
    finished = await page.locator(".tabled[data-status=finished]").count()
    await again(over)
    await expect(page.locator(".tabled[data-status=finished]")).to_have_count(finished - 1)
    assert others.version == 1


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800), (800, 1280)])
@pytest.mark.parametrize("deals", [1, 5])
async def test_between_deals_it_shows_how_everybody_stands(
    phone: Phone, http: httpx.AsyncClient, width: int, height: int, deals: int
) -> None:
    game = await Game.start(http, target=10)
    later: Json = {"type": "result", "maker": 0, "tricks": 3}
    await game.record(MADE_RESULT, *[later for _ in range(1, deals)])
    page = await phone.page(viewport={"width": width, "height": height})
    await page.goto(f"/games/{game.id}/screen")
    await expect(page.locator(".finals span:first-of-type")).to_have_text(["Ann", "Bob"])
    await expect(page.locator(".finals strong")).to_have_text([str(deals), "0"])
    await expect(page.locator(".next")).to_contain_text("deals next")
    assert await page.locator(".chart").count() == int(deals > 1)
    assert await page.locator(".tabled").evaluate(WHOLE)
    assert await page.evaluate(SMALLEST) >= 28 * min(width, height) / 1080


@pytest.mark.parametrize("tables", [3, 5])
async def test_several_tables_are_read_from_four_metres_and_nothing_is_cut_off(
    http: httpx.AsyncClient, phone: Phone, tables: int
) -> None:
    for _ in range(tables):
        await (await Game.start(http)).record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    page = await phone.page(viewport=TELEVISION)
    await page.goto("/screen")
    await expect(page.locator(".tabled").nth(tables - 1)).to_be_visible()
    assert await page.evaluate(SMALLEST) >= 28
    for one in await page.locator(".tabled").all():
        assert await one.evaluate(WHOLE)


async def test_a_club_sees_the_tables_that_go_on_side_by_side(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    games = [await Game.start(http), await Game.start(http)]
    page = await phone.page(viewport=TELEVISION)
    await page.goto("/screen")
    await expect(page.locator(".tabled").nth(1)).to_be_visible()
    before = await page.locator(".tabled").count()
    await games[0].record(DEAL[0])
    await expect(page.locator(".moves").get_by_text("Ann deals").first).to_be_visible()
    assert await page.locator(".tabled").count() == before


async def test_a_card_of_durak_is_as_wide_as_its_face(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await durak_game(http, 2, rules="fr")
    await game.record(
        {"type": "deal", "dealer": 0, "trump": "8C"},
        {"type": "lowest", "seat": 1},
        {"type": "attack", "seat": 1, "cards": ["TH"]},
        {"type": "beat", "seat": 0, "card": "TH", "with": "QH"},
    )
    page = await phone.page(viewport=TELEVISION)
    await page.goto(f"/games/{game.id}/screen")
    for laid in await page.locator(".pair .laid").all():
        assert await laid.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert await page.locator(".pair .laid").count() == 3
    await expect(page.locator(".next")).to_have_text("Bob attacks Ann")


async def test_scores_are_in_one_place(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await Game.start(http, target=1)
    page = await phone.page(viewport=TELEVISION)
    await page.goto(f"/games/{game.id}/screen")
    await expect(page.locator(".sitting .total")).to_have_count(2)
    await game.record(MADE_RESULT)
    await expect(page.locator(".finals strong")).to_have_count(2)
    await expect(page.locator(".sitting")).to_have_count(0)


@pytest.mark.parametrize(
    ("ruleset", "options", "announced", "result"),
    [
        (
            "dutch",
            {"target": None, "deals": 2},
            "Last deal",
            {"caller": 0, "counter": None, "totals": [3, 9]},
        ),
        ("durak", {"rules": "de", "deals": 2}, "Last deal", {"places": [[1], [0]], "durak": 0}),
        ("scores", {"rounds": 2}, "Last round", {"points": [3, 9]}),
    ],
)
async def test_the_last_deal_is_announced(
    http: httpx.AsyncClient, ruleset: str, options: Json, announced: str, result: Json
) -> None:
    people = [await add_player(http, name) for name in ("Ann", "Bob")]
    body: Json = {"ruleset": ruleset, "options": options, "players": people}
    if ruleset == "scores":
        title = {"name": uuid4().hex, "options": {"wins": "highest"}}
        body["title"] = (await http.post("/api/titles", json=title)).json()["id"]
    game = Game(http, (await http.post("/api/games", json=body)).json())
    assert announced not in (await http.get(f"/games/{game.id}/screen")).text
    dealer = {} if ruleset == "scores" else {"dealer": 0}
    await game.record({"type": "result", **result, **dealer})
    assert announced in (await http.get(f"/games/{game.id}/screen")).text


async def test_a_call_of_dutch_is_announced(http: httpx.AsyncClient) -> None:
    game = await dutch_game(http, seats=2)
    await game.record({"type": "deal", "dealer": 1, "up": "5C"})
    assert "last turns" not in (await http.get(f"/games/{game.id}/screen")).text
    await game.record({"type": "dutch", "seat": 0})
    page = (await http.get(f"/games/{game.id}/screen")).text
    assert "Ann says Dutch: last turns." in page
