import re
from asyncio import to_thread
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, expect

from service.web.archive.history import GAMES_SHOWN
from tests.browser.conftest import Phone
from tests.http.club import MADE_RESULT, Game, add_player
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess


class Pair:
    def __init__(self, http: httpx.AsyncClient, players: list[str]) -> None:
        self.http = http
        self.players = players
        self.address = f"/history?player={players[0]}"

    async def start(self, ruleset: str = "euchre") -> Game:
        body: dict[str, Any] = {"ruleset": ruleset, "options": {}, "players": self.players}
        answer = await self.http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        return Game(self.http, answer.json())

    async def finish(self, *entries: dict[str, Any]) -> Game:
        game = await self.start()
        await game.record(*entries, {"type": "finish", "reason": "late"})
        return game


@pytest.fixture
async def pair(http: httpx.AsyncClient) -> Pair:
    tag = uuid4().hex[:6]
    return Pair(http, [await add_player(http, f"{name} {tag}") for name in ("Ida", "Jo")])


def games_on(page: Page) -> Locator:
    return page.locator(".list a.past")


async def links_on(page: Page) -> list[str]:
    links = [await game.get_attribute("href") for game in await games_on(page).all()]
    return [link or "" for link in links]


async def export(page: Page, button: str) -> bytes:
    await page.get_by_text("Export these games").click()
    return await press(page, button)


async def press(page: Page, button: str) -> bytes:
    async with page.expect_download() as download:
        await page.get_by_role("button", name=button, exact=True).click()
    path = await (await download.value).path()
    return await to_thread(path.read_bytes)


@pytest.mark.parametrize("browser", [{}, {"java_script_enabled": False}], ids=["script", "without"])
async def test_games_are_found_by_player_game_and_state(
    phone: Phone, pair: Pair, browser: dict[str, Any]
) -> None:
    await pair.finish(MADE_RESULT)
    await pair.start()
    await pair.start("rami")
    page = await phone.page(**browser)
    await page.goto(pair.address)
    await expect(page.get_by_role("heading", name="3 games")).to_be_visible()
    await page.get_by_text("Choose games").click()
    await page.get_by_role("combobox", name="Game", exact=True).select_option("Euchre")
    await page.get_by_role("combobox", name="State").select_option("finished")
    await page.get_by_role("button", name="Show").click()
    await expect(page.get_by_role("heading", name="1 game")).to_be_visible()
    await expect(games_on(page)).to_have_count(1)
    await page.get_by_role("link", name="Clear").first.click()
    await expect(page).to_have_url("/history")


async def test_list_says_in_words_who_won_and_what_goes_on(phone: Phone, pair: Pair) -> None:
    await pair.finish(MADE_RESULT)
    await pair.finish(MADE_RESULT, {"type": "result", "maker": 1, "tricks": 3})
    await pair.finish()
    await pair.start()
    page = await phone.page()
    await page.goto(pair.address)
    await expect(games_on(page).nth(0)).to_contain_text("in progress")
    await expect(games_on(page).nth(1)).to_contain_text("Ended before the first deal was over")
    await expect(games_on(page).nth(2)).to_contain_text("Shared by Ida")
    await expect(games_on(page).nth(3)).to_contain_text("Ida")
    assert "won" in await games_on(page).nth(3).inner_text()


async def test_pages_stay_right_while_a_game_is_added(phone: Phone, pair: Pair) -> None:
    started = [(await pair.start()).id for _ in range(GAMES_SHOWN + 2)]
    page = await phone.page()
    await page.goto(pair.address)
    first = await links_on(page)
    started.append((await pair.start()).id)
    await page.get_by_role("link", name="Older games").click()
    await expect(games_on(page)).to_have_count(2)
    seen = [*first, *await links_on(page)]
    assert seen == [f"/games/{game}" for game in started[-2::-1]]
    await expect(page.get_by_role("link", name="Older games")).to_have_count(0)
    await page.get_by_role("link", name="Back to the newest").click()
    await expect(page.get_by_role("heading", name=f"{len(started)} games")).to_be_visible()
    assert (await links_on(page))[0] == f"/games/{started[-1]}"


async def test_seasons_are_those_of_today(phone: Phone, pair: Pair) -> None:
    await pair.start()
    page = await phone.page()
    await page.goto(pair.address)
    await page.get_by_role("link", name="This year").click()
    await expect(games_on(page)).to_have_count(1)
    await page.get_by_role("link", name="Last year").click()
    await expect(page.get_by_text("No game fits.")).to_be_visible()
    await page.get_by_role("link", name="Show every game").click()
    await expect(page).to_have_url("/history")


async def test_what_cannot_be_read_is_told_and_stays_as_typed(phone: Phone) -> None:
    page = await phone.page()
    answer = await page.goto("/history?from=31.12.2026&status=finished&cursor=x")
    assert answer is not None
    assert answer.status == 422
    await expect(page.get_by_role("alert")).to_contain_text("“31.12.2026” is not a date")
    await expect(page.get_by_label("From")).to_have_value("31.12.2026")
    await expect(page.get_by_role("combobox", name="State")).to_have_value("finished")


async def test_place_in_the_list_that_is_not_known_leads_to_its_beginning(
    phone: Phone, pair: Pair
) -> None:
    await pair.start()
    page = await phone.page()
    answer = await page.goto(f"{pair.address}&cursor=x")
    assert answer is not None
    assert answer.status == 200
    await expect(page.get_by_role("alert")).to_contain_text("place in the list")
    await expect(games_on(page)).to_have_count(1)


async def test_history_without_a_game_leads_to_the_first_one(
    phone: Phone, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as fresh,
    ):
        context = await phone(key=None)
        page = await context.new_page()
        await page.goto(f"{fresh.url}/login?key={KEY}")
        await page.goto(f"{fresh.url}/history")
        await page.get_by_role("link", name="Start a game").click()
        await expect(page.get_by_role("heading", name="New game")).to_be_visible()


@pytest.mark.parametrize("browser", [{}, {"java_script_enabled": False}], ids=["script", "without"])
async def test_export_holds_the_games_that_fit(
    phone: Phone, pair: Pair, browser: dict[str, Any]
) -> None:
    for _ in range(3):
        await pair.finish(MADE_RESULT)
    await pair.start("rami")
    page = await phone.page(**browser)
    await page.goto(f"{pair.address}&ruleset=euchre")
    lines = (await export(page, "CSV")).splitlines()
    assert len(lines) == 1 + 3 * 2
    await page.reload()
    await page.get_by_text("Export these games").click()
    await page.get_by_label("deals").check()
    lines = (await press(page, "CSV")).splitlines()
    assert len(lines) == 1 + 3 * 2


@pytest.mark.parametrize(("button", "begins"), [("Workbook (XLSX)", b"PK"), ("JSON", b"{")])
async def test_export_comes_in_the_form_that_was_pressed(
    phone: Phone, pair: Pair, button: str, begins: bytes
) -> None:
    await pair.finish(MADE_RESULT)
    page = await phone.page()
    await page.goto(pair.address)
    assert (await export(page, button)).startswith(begins)
    await expect(page.get_by_role("status")).to_have_text("The file is ready.")


async def test_pdf_is_shown(phone: Phone, pair: Pair) -> None:
    await pair.finish(MADE_RESULT)
    page = await phone.page()
    await page.goto(pair.address)
    await page.get_by_text("Export these games").click()
    async with page.expect_response("**/exports/*") as shown:
        await page.get_by_role("button", name="PDF", exact=True).click()
    assert (await (await shown.value).all_headers())["content-type"] == "application/pdf"


async def test_export_that_failed_is_tried_again(phone: Phone, pair: Pair) -> None:
    await pair.finish(MADE_RESULT)
    page = await (await phone()).new_page()
    await page.goto(pair.address)
    await page.get_by_text("Export these games").click()
    await page.route("**/history.csv?*", lambda route: route.abort())
    await page.get_by_role("button", name="CSV", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("Something went wrong")
    await page.unroute("**/history.csv?*")
    assert (await press(page, "Try again")).count(b"\r\n") == 1 + 2


async def test_export_is_stopped(phone: Phone, pair: Pair) -> None:
    await pair.finish(MADE_RESULT)
    page = await (await phone()).new_page()
    await page.goto(pair.address)
    await page.get_by_text("Export these games").click()

    async def never(_: Route) -> None:
        """Keep the browser waiting."""

    await page.route("**/history.csv?*", never)
    await page.get_by_role("button", name="CSV", exact=True).click()
    await expect(page.get_by_role("progressbar")).to_be_visible()
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_role("status")).to_have_text("Stopped.")
    await expect(page.get_by_role("progressbar")).to_be_hidden()


async def test_progress_is_told_in_the_readers_numbers(phone: Phone, pair: Pair) -> None:
    await pair.finish(MADE_RESULT)
    page = await (await phone(language="de")).new_page()
    await page.goto(pair.address)
    told = 'event: progress\ndata: {"done": 12000, "of": 100000}\n\n'
    headers = {"Content-Type": "text/event-stream"}
    await page.route(
        "**/history.csv?*", lambda route: route.fulfill(body=told + "retry: 1", headers=headers)
    )
    await page.evaluate(
        """() => {
            const far = document.querySelector('[data-far]');
            window.seen = [];
            const see = new MutationObserver(() => seen.push(far.textContent));
            see.observe(far, { childList: true });
        }"""
    )
    await page.get_by_text("Diese Partien exportieren").click()
    await page.get_by_role("button", name="CSV", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("schief")
    assert "12.000 von 100.000 Partien" in await page.evaluate("() => window.seen")


@pytest.mark.parametrize("before", ["", "delete globalThis.Temporal"], ids=["today", "older"])
async def test_times_are_told_as_the_phones_clock_tells_them(
    phone: Phone, pair: Pair, before: str
) -> None:
    game = await pair.start()
    page = await (await phone(zone="Asia/Tokyo")).new_page()
    await page.add_init_script(before)
    listed = (await game.http.get("/api/games", params={"player": pair.players[0]})).json()
    started = datetime.fromisoformat(listed["games"][0]["started_at"])
    there = started.astimezone(ZoneInfo("Asia/Tokyo"))
    day = f"{there:%d, %Y}".lstrip("0")
    clock = f"{there:%I:%M}".lstrip("0")
    for zone in (None, "Asia/Tokyo"):
        # The script formats the first page, the server the next ones.
        await page.goto(pair.address)
        html = page.locator("html")
        assert await html.get_attribute("data-zone") == zone
        await expect(page.locator("h3 time")).to_contain_text(day)
        await expect(games_on(page).locator("time")).to_contain_text(clock)


async def test_language_is_changed_on_more_and_the_look_stays(phone: Phone, pair: Pair) -> None:
    await pair.start()
    page = await phone.page(theme="dark")
    await page.goto("/more")
    await page.get_by_role("button", name="Français").click()
    await expect(page.get_by_role("heading", name="Règles")).to_be_visible()
    await expect(page).to_have_url(re.compile("/more$"))
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(
    ("start", "size"),
    [
        ("/", (320, 568)),
        ("/settings", (1280, 800)),
        ("/rules/euchre", (320, 568)),
        ("/import", (1280, 800)),
    ],
)
async def test_bar_leads_everywhere_from_any_page(
    phone: Phone, start: str, size: tuple[int, int]
) -> None:
    page = await phone.page(java_script_enabled=False)
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.goto(start)
    bar = page.get_by_role("banner").get_by_role("navigation")
    for name in ("Players", "Standings", "More", "Games"):
        await bar.get_by_role("link", name=name, exact=True).click()
        await expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
        await expect(bar.locator("[aria-current=page]")).to_have_text(name)
    box = await bar.bounding_box()
    assert box
    assert (box["y"] + box["height"] == size[1]) == (size[0] == 320)


async def test_more_leads_to_each_page(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/more")
    pages = page.locator("main .pages a")
    for number in range(await pages.count()):
        answer = await page.request.get(await pages.nth(number).get_attribute("href") or "")
        assert answer.ok, answer.url


async def test_who_came_by_a_link_is_led_to_no_page_of_the_owners(phone: Phone, game: Game) -> None:
    made = await game.http.post(f"{game.path}/links", json={"role": "viewer"})
    page = await phone.page(key=made.json()["token"])
    await page.goto("/settings")
    await expect(page.get_by_role("link", name="All games")).to_be_visible()
    await expect(page.get_by_role("navigation")).to_have_count(0)
    answer = await page.goto("/history")
    assert answer is not None
    assert answer.status == 403
