import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone, in_network
from tests.http.club import DEAL, Game
from tests.service_process import ServiceProcess

_PLAYS = "() => document.querySelector('video')?.paused === false"
# The video loops: it jumps back to the start instead of ending.
_GOES_BACK = """() => new Promise((done) => {
    const video = document.querySelector('video');
    video.addEventListener('seeked', () => done(!video.paused && !video.ended), {once: true});
})"""


async def open_game(phone: Phone, game: Game, address: str, key: str | None = None) -> Page:
    await game.record(*DEAL)
    page = await (await (phone() if key is None else phone(key=None))).new_page()
    if key is not None:
        await page.goto(f"{address}/login?key={key}")
    await page.goto(f"{address}/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    return page


async def test_over_plain_http_a_silent_video_plays_on_from_the_first_touch(
    phone: Phone, game: Game, service: ServiceProcess
) -> None:
    page = await open_game(phone, game, in_network(service.url))
    assert await page.evaluate("isSecureContext") is False
    await page.locator("video").wait_for(state="attached")
    await page.locator("body").press("Shift")
    await page.wait_for_function(_PLAYS)
    assert await page.evaluate("document.querySelector('video').muted") is False
    assert await page.evaluate(_GOES_BACK) is True


async def test_where_the_browser_keeps_it_on_no_video_is_loaded(
    phone: Phone, game: Game, service: ServiceProcess
) -> None:
    seen: list[str] = []
    page = await open_game(phone, game, service.url)
    page.on("request", lambda request: seen.append(request.url))
    await page.reload()
    await page.wait_for_selector("html[data-ready]", state="attached")
    async with page.expect_response("**/awake.js"):
        await page.reload()
    assert await page.evaluate("isSecureContext") is True
    await expect(page.locator("video")).to_have_count(0)
    assert [url for url in seen if "awake.mp4" in url or "awake.webm" in url] == []


@pytest.mark.parametrize("where", ["", "/replay"])
async def test_a_viewers_screen_stays_on_once_asked(
    phone: Phone, game: Game, service: ServiceProcess, where: str
) -> None:
    link = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await open_game(phone, game, in_network(service.url), str(link.json()["token"]))
    await page.goto(f"{in_network(service.url)}/games/{game.id}{where}")
    await page.locator("header details.menu summary").last.click()
    button = page.get_by_role("button", name="Keep the screen on")
    await expect(page.locator("video")).to_have_count(0)
    await button.click()
    await expect(button).to_have_attribute("aria-pressed", "true")
    await page.locator("video").wait_for(state="attached")
    await button.click()
    await page.wait_for_function(_PLAYS)


async def test_whoever_records_is_not_asked(
    phone: Phone, game: Game, service: ServiceProcess
) -> None:
    page = await open_game(phone, game, service.url)
    await expect(page.locator("[data-awake]")).to_have_count(0)
