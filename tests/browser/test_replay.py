from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone
from tests.http.club import DEAL, MADE_RESULT, Game, Json, add_player

PLAYED = (
    *DEAL,
    {"type": "play", "seat": 1, "card": "AS"},
    {"type": "play", "seat": 0, "card": "9C"},
    {"type": "play", "seat": 1, "card": "KS"},
)
LAST = 1 + len(PLAYED)
# In another month than today.
LATE = datetime.now(UTC) - timedelta(days=100)
LINES = """(one) => one.getBoundingClientRect().height
    / parseFloat(getComputedStyle(one).lineHeight)"""


async def replaying(phone: Phone, game: Game, *entries: Json) -> Page:
    await game.record(*(entries or PLAYED))
    page = await phone.page()
    await page.goto(f"/games/{game.id}/replay")
    await page.wait_for_selector("html[data-ready]")
    return page


def at(page: Page) -> int:
    return int(page.url.rsplit("/", 1)[1].partition("?")[0])


async def test_it_opens_on_what_stands_now(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game)
    assert at(page) == LAST
    await expect(page.locator(".said")).to_have_text("Bob plays the king of spades")


async def test_keys_step_without_a_click_first_and_the_buttons_stay_where_they_are(
    phone: Phone, game: Game
) -> None:
    page = await replaying(phone, game)
    place = await page.get_by_role("button", name="Play").bounding_box()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".said")).to_have_text("Bob plays the ace of spades")
    assert at(page) == LAST - 2
    assert await page.get_by_role("button", name="Play").bounding_box() == place


async def test_the_space_bar_plays_on_to_the_end(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game)
    await page.get_by_label("Speed").select_option("8×")
    await page.locator("body").press("[")
    await expect(page.locator(".said")).to_have_text("Ann deals and turns up the queen of hearts")
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press(" ")
    await expect(page.locator(".said")).to_have_text("Bob plays the king of spades")
    await expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


async def test_a_line_of_a_deal_leads_to_its_moment_and_is_marked(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game)
    await page.locator("[data-chapters]").get_by_text("Bob orders").first.click()
    await expect(page.locator(".said")).to_have_text("Bob orders")
    await expect(page.locator("[data-chapters] [aria-current]")).to_contain_text("Bob orders")


async def test_what_could_be_known_follows_the_moment_and_the_eyes(
    phone: Phone, game: Game
) -> None:
    own = ["AS", "KS", "9D", "TD", "JC"]
    dealt = {**DEAL[0], "hands": [None, own]}
    page = await replaying(phone, game, dealt, *PLAYED[1:])
    await page.get_by_text("What the table could know", exact=True).click()
    known = page.locator("[data-knowledge]")
    await expect(known).to_contain_text("deals are possible")
    hand = known.locator(".fans div", has_text="Hand of Bob")
    await expect(hand.locator(".sure .sr")).to_have_count(3)
    await page.get_by_role("link", name="What everybody saw").click()
    await expect(hand.locator(".sure .sr")).to_have_count(0)
    assert page.url.endswith("?eyes=everybody")


async def test_a_viewer_is_told_what_could_be_known_when_the_deal_is_over(
    phone: Phone, game: Game
) -> None:
    await game.record(*PLAYED)
    link = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await phone.page(key=link.json()["token"])
    await page.goto(f"/games/{game.id}/at/{LAST}?eyes=recorder")
    await expect(page.locator("[data-knowledge]")).to_contain_text("when the deal is over")


async def test_a_moment_is_dated_as_the_record_dates_it(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game, {**DEAL[0], "at": LATE.isoformat()})
    await expect(page.locator(".moment time")).to_contain_text(LATE.strftime("%b"))


async def test_how_a_deal_ended_is_dated_as_the_entry_that_ended_it(
    phone: Phone, game: Game
) -> None:
    page = await replaying(phone, game, {**MADE_RESULT, "at": LATE.isoformat()})
    await expect(page.locator(".moment time")).to_contain_text(LATE.strftime("%b"))


async def test_between_deals_it_shows_how_everybody_stands(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game, MADE_RESULT)
    await expect(page.locator(".finals span:first-of-type")).to_have_text(["Ann", "Bob"])
    await expect(page.locator(".finals strong")).to_have_text(["1", "0"])


async def test_names_are_whole_on_the_smallest_phone(phone: Phone, http: httpx.AsyncClient) -> None:
    people = [await add_player(http, name) for name in ("Jean-Baptiste", "Wilhelmina Sophie")]
    body: Json = {"ruleset": "euchre", "options": {}, "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    page = await replaying(phone, game)
    names = page.locator(".seat .name, .trick small")
    assert await names.count() == 3
    for name in await names.all():
        assert await name.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")


async def test_names_are_whole_beside_rows_of_dutch_on_a_desktop(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    people = [await add_player(http, name) for name in ("Wilhelmina", "Maximiliane")]
    body: Json = {"ruleset": "dutch", "options": {}, "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "deal", "dealer": 0, "up": "AC"})
    page = await phone.page(viewport={"width": 1920, "height": 1080})
    await page.goto(f"/games/{game.id}/replay")
    for name in await page.locator(".seat .name").all():
        assert await name.evaluate(LINES) < 1.5


@pytest.mark.parametrize("seats", [5, 8])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (1280, 800)])
async def test_what_was_done_is_in_view_above_the_player_however_many_rows_there_are(
    phone: Phone, http: httpx.AsyncClient, width: int, height: int, seats: int
) -> None:
    people = [await add_player(http, f"Player {number}") for number in range(seats)]
    body: Json = {"ruleset": "dutch", "options": {}, "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "deal", "dealer": 0, "up": "AC"}, {"type": "draw", "seat": 1})
    page = await phone.page(viewport={"width": width, "height": height})
    await page.goto(f"/games/{game.id}/replay")
    said, player = page.locator(".said > p"), page.locator(".player")
    await expect(said).to_have_text("Player 1 draws")
    above, below = await said.bounding_box(), await player.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]


async def test_a_game_that_ended_in_its_first_deal_opens_on_its_end(
    phone: Phone, game: Game
) -> None:
    page = await replaying(phone, game, *DEAL, {"type": "finish", "reason": "late"})
    await expect(page.locator(".ending h2")).to_have_text("The game ends in a tie")
    await page.goto(f"/games/{game.id}/screen")
    await expect(page.locator(".ending h2")).to_have_text("The game ends in a tie")


async def round_replay(phone: Phone, http: httpx.AsyncClient, *rounds: list[int | None]) -> Page:
    people = [await add_player(http, f"{name} {len(rounds)}") for name in ("Ana", "Ben", "Cleo")]
    answer = await http.post("/api/games", json={"ruleset": "scores", "players": people})
    game = Game(http, answer.json())
    for points in rounds:
        await game.record({"type": "result", "points": points})
    page = await (await phone()).new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    await page.goto(f"/games/{game.id}/replay")
    await page.wait_for_selector("html[data-ready]", state="attached")
    assert not broken
    return page


async def test_a_game_by_points_plays_round_by_round(phone: Phone, http: httpx.AsyncClient) -> None:
    page = await round_replay(phone, http, [12, 7, 9], [3, -2, None], [5, 6, 7])
    assert at(page) == 7
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".said")).to_contain_text("Round 2")
    await expect(page.locator(".seat .total")).to_have_text(["15", "5", "9"])
    await page.locator("input[type=range]").fill("2")
    await expect(page.locator(".said")).to_have_text("The game is started")
    await page.get_by_label("Speed").select_option("8×")
    await page.get_by_role("button", name="Play").click()
    await expect(page.locator(".said")).to_contain_text("Round 3")
    await expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")
    await page.keyboard.press("[")
    await expect(page.locator(".said")).to_contain_text("Round 2")


async def test_a_game_without_a_round_can_be_played(phone: Phone, http: httpx.AsyncClient) -> None:
    page = await round_replay(phone, http)
    await page.get_by_role("button", name="Play").click()
    await expect(page.locator(".said")).to_have_text("The game is started")
