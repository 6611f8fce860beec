from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Phone
from tests.browser.table import Table

PANEL = '.panel[data-panel="cards"]'


def field(page: Page, seat: int) -> Locator:
    return page.locator(f'{PANEL} [name="open.points.{seat}"]')


async def press(page: Page, signs: str) -> None:
    for key in signs:
        await page.locator(f"{PANEL} [data-digit='{key}']").wait_for()
    await page.evaluate(
        """([panel, signs]) => {
          for (const key of signs) document.querySelector(`${panel} [data-digit='${key}']`).click();
        }""",
        [PANEL, signs],
    )


async def a_second_later(page: Page) -> None:
    await page.evaluate("() => new Promise((done) => setTimeout(done, 1100))")


async def points(http: httpx.AsyncClient, game: str) -> list[list[int | None]]:
    entries = (await http.get(f"/api{game}/entries")).json()["entries"]
    return [one["entry"]["points"] for one in entries if one["type"] == "result"]


async def start_game(page: Page, name: str, people: tuple[str, ...], target: str = "") -> str:
    await page.goto("/games/new")
    await page.get_by_role("button", name="Another game", exact=True).click()
    await page.get_by_label("What is the game called?").fill(name)
    for at, one in enumerate(people):
        await page.locator(f'[name="name.{at}"]').fill(one)
    if target:
        await page.locator("summary", has_text="Rules of this table").click()
        await page.locator('[name="with.target"]').fill(target)
        await page.get_by_label("the lowest total").check()
    await page.get_by_role("button", name="Start", exact=True).click()
    await page.wait_for_url(r"**/games/*-*")
    await Table(page, page.url.rpartition("/")[2]).ready()
    return page.url[page.url.index("/games/") :].partition("?")[0]


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
async def test_a_whole_game_is_played(
    phone: Phone, http: httpx.AsyncClient, size: tuple[int, int]
) -> None:
    page = await (await phone(viewport={"width": size[0], "height": size[1]})).new_page()
    mark = uuid4().hex[:4]
    name, people = f"Skyjo {mark}", (f"Ann {mark}", f"Bob {mark}", f"Chloé {mark}")
    game = await start_game(page, name, people, "40")
    await expect(page.locator(".bar .title")).to_contain_text(f"{name} · Round 1")
    await press(page, "12→3+6+2→±5→")
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    await expect(page.locator(f"{PANEL} .score").nth(2).locator(".leads")).to_be_visible()
    await expect(page.locator(".ask").first).to_contain_text(f"{people[0]}: 28 points to 40")
    await a_second_later(page)
    await press(page, "0→")  # 0 moves on by itself: the arrow after it skips nobody
    await expect(field(page, 1)).to_have_class("typing")
    await a_second_later(page)
    await press(page, "→7→")
    await expect(page.locator(".bar .title")).to_contain_text("Round 3")
    assert await points(http, game) == [[12, 11, -5], [0, None, 7]]
    await a_second_later(page)
    await press(page, "30→8→9→")
    await expect(page.locator(".outcome h2").first).to_contain_text(people[2])
    view = (await http.get(f"/api{game}")).json()
    assert (view["status"], view["totals"], view["title_name"]) == ("finished", [42, 19, 11], name)


async def test_the_keypad_moves_on_by_itself_after_a_pause(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    game = await start_game(page, f"Yam {mark}", (f"A{mark}", f"B{mark}"))
    await press(page, "4")
    await expect(field(page, 1)).to_have_class("typing")
    await press(page, "+3")  # the sum continues in the field that lost the focus
    await expect(field(page, 0)).to_have_value("7")
    await press(page, "9")
    await expect(field(page, 1)).to_have_value("9")
    await page.get_by_role("button", name="Enter the round").click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    assert await points(http, game) == [[7, 9]]


async def test_a_round_is_corrected_from_the_line_of_the_last_entries(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    game = await start_game(page, f"Uno {mark}", (f"A{mark}", f"B{mark}"))
    await press(page, "4→5→")
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    await page.goto(f"{game}/correct/2")
    wrong = page.locator('main [name="open.points.1"]')
    await expect(wrong).to_have_value("5")
    await wrong.fill("8")
    await page.get_by_role("button", name="Enter the round").click()
    await page.wait_for_url(f"**{game}")
    assert (await http.get(f"/api{game}")).json()["totals"] == [4, 8]


async def test_the_last_number_of_a_zero_sum_round_follows_from_the_others(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    people = [
        (await http.post("/api/players", json={"name": f"{one}{mark}"})).json()["id"]
        for one in "ABC"
    ]
    title = (await http.post("/api/titles", json={"name": f"Skat {mark}"})).json()["id"]
    body = {"ruleset": "scores", "title": title, "players": people, "options": {"zero_sum": True}}
    game = (await http.post("/api/games", json=body)).json()["id"]
    await Table(page, game).open()
    await press(page, "24→±30")
    await expect(field(page, 2)).to_have_value("")
    await press(page, "→")
    await expect(field(page, 2)).to_have_value("6")
    await page.get_by_role("button", name="Enter the round").click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    assert await points(http, f"/games/{game}") == [[24, -30, 6]]
