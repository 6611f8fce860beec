import asyncio
import re
from datetime import datetime
from zoneinfo import ZoneInfo

from playwright.async_api import Browser, expect

from tests.browser.conftest import Phone
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game

EXTENTS = ((320, 568), (390, 844), (1280, 800), (1920, 1080))


async def _share(game: Game, **what: object) -> str:
    answer = await game.http.post(f"{game.path}/links", json={"role": "public", **what})
    assert answer.status_code == 201, answer.text
    return f"/shared/{answer.json()['token']}"


async def test_a_whole_shared_replay_is_walked_by_keyboard_and_announced(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {"type": "void", "reason": "misdeal"}, MADE_RESULT)
    context = await phone(key=None)
    kept = await context.cookies()
    page = await context.new_page()
    await page.goto(await _share(game))
    await expect(page.locator("html[data-ready]")).to_be_attached()
    said: list[str] = []
    # The result is passed over: its points, which follow it, are shown.
    stops = [line["version"] for line in await game.log() if line["entry"]["type"] != "result"]
    for version in reversed(stops):
        await expect(page.locator(f'section.moment[data-version="{version}"]')).to_be_visible()
        said.append(await page.locator("section.moment .said").inner_text())
        await page.keyboard.press("ArrowLeft")
    announced = await page.locator("[data-said]").text_content()
    assert announced is not None
    assert announced.strip() == said[-1].strip()
    assert len({*said}) == len(stops)
    assert await context.cookies() == kept


async def test_the_name_of_a_shared_game_does_not_touch_the_edge(phone: Phone, game: Game) -> None:
    page = await phone.page(key=None)
    await page.goto(await _share(game))
    starts = (
        "(one) => one.getBoundingClientRect().left + parseFloat(getComputedStyle(one).paddingLeft)"
    )
    title = await page.locator(".bar .title").evaluate(starts)
    assert title == await page.locator("main").evaluate(starts)


async def test_shared_pages_fit_every_width(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "void", "reason": "misdeal"}, MADE_RESULT, LOST_RESULT)
    root = await _share(game)
    page = await phone.page(key=None)
    for path in (root, f"{root}/scores"):
        await page.goto(path)
        for width, height in EXTENTS:
            await page.set_viewport_size({"width": width, "height": height})
            wide = await page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (path, width, wide)


async def test_another_site_shows_it_only_where_it_was_named(chromium: Browser, game: Game) -> None:
    await game.record(*DEAL)
    base, inside = str(game.http.base_url).rstrip("/"), ""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
        writer.write(f"{head}<!doctype html>{inside}".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as site:
        other = f"http://localhost:{site.sockets[0].getsockname()[1]}"
        paths = await _share(game, sites=[other]), await _share(game)
        inside = "".join(f'<iframe src="{base}{path}"></iframe>' for path in paths)
        page = await (await chromium.new_context()).new_page()
        await page.goto(other)
        shown, kept_out = (page.frame_locator("iframe").nth(at) for at in (0, 1))
        await expect(shown.locator("html[data-ready] section.moment")).to_be_attached()
        await expect(kept_out.locator("section.moment")).to_have_count(0)
        await page.close()


async def test_its_times_are_those_of_the_phone_and_nothing_is_kept(
    chromium: Browser, game: Game
) -> None:
    await game.record(*DEAL)
    at = (await game.log())[-1]["recorded_at"]
    path = await _share(game)
    base = str(game.http.base_url).rstrip("/")
    for zone in ("Pacific/Auckland", "America/Lima"):
        context = await chromium.new_context(timezone_id=zone, locale="en-GB")
        page = await context.new_page()
        await page.goto(base + path)
        time = page.locator("section.moment time").first
        expected = datetime.fromisoformat(at).astimezone(ZoneInfo(zone)).strftime(", %H:%M")
        await expect(time).to_have_text(re.compile(rf"{expected}$"))
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator('section.moment[data-version="3"] time').first).to_have_text(
            re.compile(r", \d\d:\d\d$")
        )
        assert await context.cookies() == []
        await context.close()


async def test_public_page_compares_its_version_when_it_is_seen_again(
    phone: Phone, game: Game
) -> None:
    await game.record(DEAL[0])
    page = await (await phone(key=None)).new_page()
    await page.goto(await _share(game))
    await expect(page.locator("html[data-ready]")).to_be_attached()
    await game.record(DEAL[1])
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator('section.moment[data-version="3"]')).to_be_visible()
