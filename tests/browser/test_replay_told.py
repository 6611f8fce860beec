import asyncio
import re

import httpx
from playwright.async_api import ViewportSize, expect

from tests.browser.conftest import Phone
from tests.browser.test_replay import PLAYED, replaying
from tests.http.club import LOST_RESULT, MADE_RESULT, Game

WRONG = len(PLAYED)  # the version of Ann's nine of clubs
VIEWPORTS: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
)


def moment(version: int) -> str:
    return f'section.moment[data-version="{version}"]'


async def test_a_finished_game_opens_on_its_end_with_places_course_and_deals(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http, target=2)
    await game.record({**MADE_RESULT, "tricks": 3}, {**MADE_RESULT, "dealer": 1})
    page = await phone.page()
    await page.goto(f"/games/{game.id}/replay")
    await expect(page.locator(".ending h2")).to_have_text("Ann wins")
    await expect(page.locator(".finals li").first).to_contain_text("Ann")
    await expect(page.locator(".ending svg[role=img]")).to_be_visible()
    chapters = page.locator("[data-chapters] .chapter")
    await expect(chapters).to_have_count(2)
    await expect(chapters.first).to_contain_text("Ann dealt")
    await expect(chapters.first).to_contain_text("Ann +1")


async def test_what_was_put_right_is_struck_out_and_leads_to_when_it_was(
    phone: Phone, game: Game
) -> None:
    page = await replaying(phone, game)
    amend = {"type": "amend", "version": WRONG, "move": {**PLAYED[-2], "card": "TC"}}
    await game.record(amend)
    await page.goto(f"/games/{game.id}/at/{WRONG}")
    mended = page.locator(".said a")
    await expect(mended).to_have_text("Put right later")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowRight")
    heard = page.locator("[data-said]")
    await expect(heard).to_have_text(re.compile("^Ann plays the nine of clubs Put right"))
    await expect(heard).to_have_text(re.compile("Ann plays the ten of clubs$"))
    line = page.locator(f'[data-chapters] li a[data-at="{WRONG}"]')
    await expect(line.locator("del")).to_contain_text("9")
    await mended.click()
    await expect(page.locator(".said del")).to_contain_text("Ann plays 9")
    await expect(page.locator("[data-said]")).to_contain_text(
        "struck out: Ann plays the nine of clubs"
    )


async def test_what_was_taken_back_is_struck_out(phone: Phone, game: Game) -> None:
    page = await replaying(phone, game)
    await game.record({"type": "take_back", "to": game.version - 2})
    await page.goto(f"/games/{game.id}/replay")
    await expect(page.locator(".said del")).to_have_count(2)


async def test_the_player_stays_where_it_is_from_the_first_entry_to_the_last(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await Game.start(http, target=2)
    await game.record(
        *PLAYED, {"type": "void", "reason": "misdeal"}, MADE_RESULT, {**MADE_RESULT, "dealer": 1}
    )
    # A result is passed over: its points, which follow it, are shown.
    stops = [
        line["version"] for line in (await game.log())[1:] if line["entry"]["type"] != "result"
    ]
    for viewport in VIEWPORTS:
        page = await phone.page(viewport=viewport)
        await page.goto(f"/games/{game.id}/at/1")
        await page.wait_for_selector("html[data-ready]")
        play = page.get_by_role("button", name="Play", exact=True)
        place = await play.bounding_box()
        for version in stops:
            await page.keyboard.press("ArrowRight")
            await expect(page.locator(moment(version))).to_be_visible()
            assert await play.bounding_box() == place, version


async def test_brackets_jump_deals_however_they_are_typed_and_are_text_in_a_remark(
    phone: Phone, game: Game
) -> None:
    await game.record(MADE_RESULT, LOST_RESULT)
    page = await phone.page()
    await page.goto(f"/games/{game.id}/at/1")
    await page.wait_for_selector("html[data-ready]")
    # As a German keyboard sends it: Ctrl and Alt are held.
    await page.evaluate(
        """document.body.dispatchEvent(new KeyboardEvent('keydown',
            {key: ']', ctrlKey: true, altKey: true, bubbles: true}))"""
    )
    await expect(page.locator(moment(3))).to_be_visible()
    field = page.get_by_label("Remark on this moment")
    await field.press_sequentially("[a] b")
    await expect(field).to_have_value("[a] b")
    await expect(page.locator(moment(3))).to_be_visible()


async def test_whoever_drags_the_slider_waits_for_one_request_a_dozen_entries(
    phone: Phone, game: Game
) -> None:
    for _ in range(60):
        await game.record({"type": "note", "text": "so"})
    page = await (await phone()).new_page()
    await page.goto(f"/games/{game.id}/at/1")
    await page.wait_for_selector("html[data-ready]")
    asked: list[str] = []

    def note(url: str, part: str | None) -> None:
        if part == "moments":
            asked.append(url)

    page.on("request", lambda one: note(one.url, one.headers.get("x-part")))
    slider = page.get_by_role("slider")
    await slider.fill(str(game.version))
    await expect(page.locator(moment(game.version))).to_be_visible()
    dozens = -(-game.version // 12)
    for _ in range(600):
        if len(asked) == dozens:
            break
        await asyncio.sleep(0.1)
    assert len(asked) == len({*asked}) == dozens
    for version in range(1, game.version + 1, 3):
        await slider.fill(str(version))
        await expect(page.locator(moment(version))).to_be_visible()
    assert len(asked) == dozens
