import asyncio
from pathlib import Path

from playwright.async_api import Page, Route, expect

from tests.browser.conftest import Phone
from tests.browser.test_replay import PLAYED, at, replaying
from tests.browser.test_replay_told import moment
from tests.http.club import DEAL, Game

RECORD = Path(__file__).parents[2] / "docs" / "games" / "euchre.carnet"
SWIPE = """(ends) => {
    const on = document.querySelector('[data-moment]');
    const touch = ([x, y]) => new Touch({ identifier: 1, target: on, clientX: x, clientY: y });
    for (const [kind, at] of [['touchstart', ends[0]], ['touchend', ends[1]]]) {
        on.dispatchEvent(new TouchEvent(kind, { changedTouches: [touch(at)], bubbles: true }));
    }
}"""
OWN = ["AS", "KS", "9D", "TD", "JC"]


async def with_an_own_hand(phone: Phone, game: Game, where: str) -> Page:
    """Play a deal in which Bob recorded his hand; open a version of it, `{version}`: the last."""
    page = await replaying(phone, game, {**DEAL[0], "hands": [None, OWN]}, *PLAYED[1:])
    await page.goto(f"/games/{game.id}/at/{where.format(version=game.version)}")
    await page.wait_for_selector("html[data-ready]")
    return page


async def test_the_entries_that_told_most_are_marked_on_the_curve_and_lead_to_their_moment(
    phone: Phone, game: Game
) -> None:
    answer = await game.http.post(
        "/api/imports", content=RECORD.read_bytes(), headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code in {200, 201}, answer.text
    page = await phone.page()
    await page.goto(f"/games/{answer.json()['id']}/at/12?eyes=recorder")
    await page.wait_for_selector("html[data-ready]")
    told = page.locator("[data-knowledge] li", has_text="possibilities")
    await expect(told).not_to_have_count(0)
    await page.get_by_text("Numbers", exact=True).click()
    marks = page.locator(".chart a")
    await expect(marks).to_have_count(3)
    await expect(page.locator(".chart .here")).to_have_count(1)
    version = await marks.first.get_attribute("data-at")
    await marks.first.locator(".spot").click()
    await expect(page.locator(moment(int(version or 0)))).to_be_visible()


async def test_a_card_leads_to_where_it_was_shown_and_played_as_far_as_the_eyes_saw(
    phone: Phone, game: Game
) -> None:
    page = await with_an_own_hand(phone, game, "{version}?eyes=recorder")
    where = page.locator("details.where")
    await where.locator("summary").click()
    ace = where.locator("dd", has=page.locator("a", has_text="Bob plays"))
    await expect(ace.first.locator("a")).to_have_count(2)
    unplayed = where.locator("dt", has_text="nine of diamonds")
    await expect(unplayed).to_have_count(1)
    await page.get_by_role("link", name="Ann", exact=True).click()
    await expect(page.locator("[data-eyes='0'][aria-current]")).to_have_count(1)
    await expect(unplayed).to_have_count(0)
    await expect(where).to_have_attribute("open", "")
    await where.locator("a", has_text="Bob plays").first.click()
    await expect(page.locator(".said")).to_contain_text("Bob plays")


async def test_the_hand_of_a_seat_is_shown_to_its_own_eyes_and_to_no_others_at_the_table(
    phone: Phone, game: Game
) -> None:
    page = await with_an_own_hand(phone, game, "2?eyes=1")
    seen = page.locator(".fan.sure .card")
    hands = page.locator("dl.fans > div")
    await expect(hands.filter(has_text="Bob").locator(".fan.sure .card")).to_have_count(len(OWN))
    await expect(seen).to_have_count(len(OWN) + 1)  # and the card turned up
    for name in ("Ann", "What everybody saw"):
        await page.get_by_role("link", name=name, exact=True).click()
        await expect(seen).to_have_count(1)
    await page.get_by_role("link", name="All that was recorded", exact=True).click()
    await expect(seen).to_have_count(len(OWN) + 1)


async def test_eyes_that_are_pressed_while_others_are_on_their_way_are_looked_through(
    phone: Phone, game: Game
) -> None:
    page = await with_an_own_hand(phone, game, "2?eyes=1")
    seen = page.locator(".fan.sure .card")
    await expect(seen).to_have_count(len(OWN) + 1)
    pressed = asyncio.Event()

    async def wait_until_pressed(route: Route) -> None:
        await pressed.wait()
        await route.fallback()

    await page.route("**/at/*", wait_until_pressed)
    async with page.expect_response(lambda one: one.request.headers.get("x-part") == "known"):
        await page.get_by_role("link", name="Ann", exact=True).click()
        await page.get_by_role("link", name="All that was recorded", exact=True).hover()
        await page.mouse.down()
        pressed.set()
    # A page that changed under the finger would have by now; it does after two seconds.
    await page.wait_for_timeout(200)
    await page.mouse.up()
    await expect(seen).to_have_count(len(OWN) + 1)


async def test_through_the_eyes_of_a_seat_the_table_and_the_entries_tell_what_it_could_see(
    phone: Phone, game: Game
) -> None:
    away = {"type": "exchange", "seat": 0, "take": True, "discard": "9D"}
    page = await replaying(phone, game, *DEAL[:2], away, PLAYED[len(DEAL)])
    await page.goto(f"/games/{game.id}/at/4?eyes=0")
    await page.wait_for_selector("html[data-ready]")
    said, chapters = page.locator(".said"), page.locator("[data-chapters]")
    seen = page.locator("[data-moment] .mark", has_text="could see")
    await expect(seen).to_have_text("What Ann could see")
    await expect(said).to_contain_text("nine of diamonds")
    await expect(chapters).to_contain_text("nine of diamonds")
    await page.get_by_role("link", name="Bob", exact=True).click()
    await expect(seen).to_have_text("What Bob could see")
    await expect(said).not_to_contain_text("diamonds")
    await expect(chapters).not_to_contain_text("diamonds")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(moment(5))).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(moment(4))).to_be_visible()
    await expect(said).not_to_contain_text("diamonds")
    await page.locator("details.knowing > summary").click()
    await expect(seen).to_have_count(0)
    await expect(said).to_contain_text("nine of diamonds")
    await expect(chapters).to_contain_text("nine of diamonds")
    assert "eyes" not in page.url


async def test_the_owners_settings_say_when_those_who_watch_are_told(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/settings")
    told = page.get_by_text("Viewers see it when the deal is over.")
    await expect(told).to_be_visible()
    await expect(page.get_by_text("The person who runs Carnet sets this")).to_be_visible()
    others = await phone.page(key=None)
    await others.goto("/settings")
    await expect(others.get_by_role("heading", name="Settings")).to_be_visible()
    await expect(others.get_by_text("Whoever runs Carnet")).to_have_count(0)


async def test_a_swipe_steps_and_the_chosen_speed_plays(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game)
    await page.evaluate(SWIPE, [[100, 200], [250, 210]])
    await expect(page.locator(moment(game.version - 1))).to_be_visible()
    await page.evaluate(SWIPE, [[250, 200], [100, 200]])
    await expect(page.locator(moment(game.version))).to_be_visible()
    await page.goto(f"/games/{game.id}/at/1")
    await page.wait_for_selector("html[data-ready]")
    await page.get_by_label("Speed").select_option("8×")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(page.locator(moment(game.version))).to_be_visible()
    await expect(page.locator("[data-said]")).to_have_text("Bob plays the king of spades")


async def test_the_grid_of_cards_by_places_scrolls_in_itself_on_the_smallest_screen(
    phone: Phone, game: Game
) -> None:
    page = await replaying(phone, game)
    await page.goto(f"/games/{game.id}/at/{game.version}?eyes=recorder")
    await page.get_by_text("Numbers", exact=True).click()
    await page.locator("details.grid summary").click()
    await expect(page.locator("details.grid table")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320


async def test_a_finger_that_scrolls_does_not_step(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game)
    await page.evaluate(SWIPE, [[100, 400], [160, 200]])
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(moment(game.version - 1))).to_be_visible()
    assert at(page) == game.version - 1


async def test_what_a_card_can_be_is_outlined_thinly_and_the_chosen_eyes_are_in_view(
    phone: Phone, game: Game
) -> None:
    page = await replaying(phone, game)
    await page.goto(f"/games/{game.id}/at/3?eyes=1")
    await page.wait_for_selector("html[data-ready]")
    can_be = page.locator(".fan:not(.sure) .card").first
    await expect(can_be).to_be_visible()
    width = await can_be.evaluate("(one) => getComputedStyle(one).borderTopWidth")
    assert width == "1px"
    inside = """(one) => {
        const [at, box] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
        return at.left >= box.left && at.right <= box.right && box.height < 2 * at.height;
    }"""
    assert await page.locator(".knowing .tabs [aria-current]").evaluate(inside)
