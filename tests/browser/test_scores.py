from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import SMALL, Phone
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.http.club import add_player

PANEL = ".panel"
SEND = f"{PANEL} [name=entry]"


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


async def points(page: Page, http: httpx.AsyncClient, game: str) -> list[list[int | None]]:
    """Return the rounds of the log, once nothing waits on the phone."""
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    entries = (await http.get(f"/api{game}/entries")).json()["entries"]
    return [one["entry"]["points"] for one in entries if one["type"] == "result"]


async def start_game(page: Page, name: str, people: tuple[str, ...], target: str = "") -> str:
    await page.goto("/games/new")
    await page.get_by_role("button", name="Another game", exact=True).click()
    await page.get_by_label("Name of the game").fill(name)
    for at, one in enumerate(people):
        await page.locator(f'[name="name.{at}"]').fill(one)
    await page.get_by_label("the lowest total" if target else "the highest total").check()
    if target:
        await page.locator("summary", has_text="Rules of this table").click()
        await page.locator('[name="with.target"]').fill(target)
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
    await expect(page.locator(".bar .title")).to_contain_text("Round 1")  # the arrow never sends
    await expect(page.locator(SEND)).to_contain_text(
        f"{people[0]} 12, {people[1]} 11, {people[2]} −5"
    )
    await page.locator(SEND).click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    await expect(page.locator(f"{PANEL} .field").nth(2).locator("[data-leads]")).to_be_visible()
    await expect(page.locator(".ask").first).to_contain_text(f"{people[0]}: 28 points to 40")
    await press(page, "0→")
    await page.get_by_role("button", name="Sat out").click()
    await press(page, "→7")
    await page.locator(SEND).click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 3")
    assert await points(page, http, game) == [[12, 11, -5], [0, None, 7]]
    await press(page, "30→8→9")
    await expect(page.locator(f"{PANEL} .total").first).to_have_text("42")
    await page.locator(SEND).click()
    await expect(page.locator(".outcome h2").first).to_contain_text(people[2])
    # The phone ends the game by itself; the service may not have it yet.
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    view = (await http.get(f"/api{game}")).json()
    assert (view["status"], view["totals"], view["title_name"]) == ("finished", [42, 19, 11], name)


async def test_a_number_stays_where_it_was_typed(phone: Phone, http: httpx.AsyncClient) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    game = await start_game(page, f"Yam {mark}", (f"A{mark}", f"B{mark}"))
    await press(page, "0")
    await page.wait_for_timeout(2_000)
    await press(page, "⌫35→4→")
    await expect(field(page, 0)).to_have_value("35")
    await expect(field(page, 1)).to_have_value("4")
    await press(page, "⌫⌫⌫7")  # in an empty field back to the player before
    await expect(field(page, 0)).to_have_value("37")
    await expect(field(page, 1)).to_have_value("")
    await field(page, 0).tap()
    await press(page, "9→5")  # the first digit after a tap replaces the number
    await page.locator(SEND).click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    assert await points(page, http, game) == [[9, 5]]


async def test_an_empty_field_is_asked_for(phone: Phone, http: httpx.AsyncClient) -> None:
    for script in (True, False):
        page = await (await phone(java_script_enabled=script)).new_page()
        mark = uuid4().hex[:4]
        people = [
            (await http.post("/api/players", json={"name": f"{one}{mark}"})).json()["id"]
            for one in "AB"
        ]
        title = (await http.post("/api/titles", json={"name": f"Uno {mark}"})).json()["id"]
        body = {"ruleset": "scores", "title": title, "players": people}
        game = (await http.post("/api/games", json=body)).json()["id"]
        await page.goto(f"/games/{game}?by=result")
        if script:
            await Table(page, game).ready()
        await field(page, 0).fill("3+6-2")
        await page.locator(SEND).click()
        await expect(page.locator(".lacks")).to_contain_text(f"Points are missing: B{mark}.")
        await expect(field(page, 0)).to_have_value("3+6-2")
        if script:
            await page.get_by_role("button", name="Sat out").tap()
        else:
            await page.get_by_label(f"B{mark}, without a number").select_option(label="sat out")
        await page.locator(SEND).click()
        await expect(page.locator(".bar .title")).to_contain_text("Round 2")
        assert await points(page, http, f"/games/{game}") == [[7, None]]


async def test_the_keyboard_types_a_round(phone: Phone, http: httpx.AsyncClient) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    game = await start_game(page, f"Dés {mark}", (f"A{mark}", f"B{mark}", f"C{mark}"))
    await field(page, 0).focus()
    for key in ("1", "2", "Tab", "-", "5", "Enter", "8", "+", "1", "Enter"):
        await page.keyboard.press(key)
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    for key in ("4", "Enter", "5", "Enter", "6", "Tab", "Enter"):
        await page.keyboard.press(key)
    await expect(page.locator(".bar .title")).to_contain_text("Round 3")
    assert await points(page, http, game) == [[12, -5, 9], [4, 5, 6]]


async def test_rounds_that_wait_are_counted_and_read(phone: Phone, http: httpx.AsyncClient) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    game = await start_game(page, f"Skyjo {mark}", (f"A{mark}", f"B{mark}"), "100")
    await lose_line(page.context)
    await press(page, "3→4")
    await page.locator(SEND).click()
    await expect(page.locator("[data-pending] li").first).to_contain_text(
        f"Round 1: A{mark} 3, B{mark} 4"
    )
    await press(page, "5")
    await expect(field(page, 0)).to_have_value("5")
    await expect(field(page, 1)).to_have_value("")
    await expect(page.locator(f"{PANEL} .total").first).to_have_text("8")
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    await page.context.set_offline(offline=False)  # the line comes back in the middle of a number
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    await press(page, "0→6")
    await page.locator(SEND).click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 3")
    assert await points(page, http, game) == [[3, 4], [50, 6]]


async def test_a_round_is_corrected_from_the_line_of_the_last_entries(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await (await phone()).new_page()
    mark = uuid4().hex[:4]
    game = await start_game(page, f"Uno {mark}", (f"A{mark}", f"B{mark}"))
    await press(page, "4→5")
    table = Table(page, "")
    before = await table.version()
    await page.locator(SEND).click()
    await table.moved_on(before)
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
    await expect(field(page, 2)).to_have_attribute("placeholder", "6")
    await page.locator(SEND).click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 2")
    assert await points(page, http, f"/games/{game}") == [[24, -30, 6]]


QUICK = {
    "one side has points": ((*"13", "The others 0"), {}, "A 13, B 0, C 0", [13, 0, 0]),
    "who won has what the others lost": (
        ("C", *"8"),
        {"zero_sum": True},
        "A −4, B −4, C 8",
        [-4, -4, 8],
    ),
    "sums and differences": ((*"3+6+±2→4→±9",), {}, "A 7, B 4, C −9", [7, 4, -9]),
}


@pytest.mark.parametrize("what", QUICK)
async def test_quick_hands_are_read_before_they_are_sent(
    phone: Phone, http: httpx.AsyncClient, what: str
) -> None:
    taps, options, named, expected = QUICK[what]
    people = [await add_player(http, name) for name in "ABC"]
    title = (await http.post("/api/titles", json={"name": f"Boules {uuid4().hex[:6]}"})).json()[
        "id"
    ]
    body = {"ruleset": "scores", "title": title, "players": people, "options": options}
    game = (await http.post("/api/games", json=body)).json()["id"]
    page = await (await phone(viewport=SMALL)).new_page()
    await Table(page, game).open()
    for key in taps:
        place = page.locator(f"{PANEL} :is([data-digit='{key}'], .field[data-name='{key}'])")
        await place.or_(page.get_by_role("button", name=key, exact=True)).first.tap()
    stores = page.locator(f"{SEND} [data-stores]")
    await expect(stores).to_have_text(named)
    assert await stores.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    await page.locator(SEND).tap()
    assert await points(page, http, f"/games/{game}") == [expected]
