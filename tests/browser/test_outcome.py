import re
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.browser.accessibility import LANGUAGES, violations
from tests.browser.conftest import Phone
from tests.browser.table import DEAL, Table
from tests.http.club import Game, add_player


async def _play(phone: Phone, game: Game, language: str = "en") -> Page:
    await game.record(
        {"type": "deal", "dealer": 0, "turn_up": "QH"},
        {"type": "order", "seat": 1},
        {"type": "exchange", "seat": 0, "take": True},
        *({"type": "play", "seat": 1 - at % 2, "card": card} for at, card in enumerate(DEAL)),
    )
    page = await phone.page(language=language)
    await page.goto(f"/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    return page


async def test_deal_ends_with_who_won_why_the_totals_and_who_deals(
    phone: Phone, game: Game
) -> None:
    page = await _play(phone, game)
    shown = page.locator(".panel:not([hidden])")
    await expect(shown.get_by_role("heading")).to_have_text("Bob makes all five tricks: 2 points")
    await expect(shown.get_by_role("row").last).to_have_text(re.compile(r"Bob\s*\+2\s*2"))
    await expect(shown).to_contain_text("Bob deals next.")
    await expect(page.locator(".laid-down.won")).to_contain_text("Bob, takes the trick")
    agree = shown.get_by_role("button", name="Next deal")
    await expect(agree).to_be_in_viewport(ratio=1)
    await expect(page.locator("[data-undo]")).to_be_in_viewport(ratio=1)
    await agree.click()
    await expect(page.locator('.panel:not(.offline-pad) .key[value="QH"]')).to_be_visible()
    await expect(page.locator(".trick .laid-down:visible")).to_have_count(0)
    await page.reload()
    await expect(page.locator('.panel:not(.offline-pad) .key[value="QH"]')).to_be_visible()


@pytest.mark.parametrize(
    ("ruleset", "log"),
    [
        (
            "rami",
            [
                {"type": "deal", "dealer": 0, "up": "2H"},
                {"type": "draw", "seat": 1},
                {"type": "discard", "seat": 1, "card": "9S"},
                {"type": "result", "winner": 0, "hands": [None, {"opened": False}]},
            ],
        ),
        ("dutch", [{"type": "result", "caller": 0, "counter": None, "totals": [3, 12]}]),
    ],
)
async def test_winner_stands_out_among_losers_who_score_points(
    http: httpx.AsyncClient, phone: Phone, ruleset: str, log: list[Any]
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    answer = await http.post("/api/games", json={"ruleset": ruleset, "players": players})
    game = Game(http, answer.json())
    await game.record(*log)
    page = await phone.page()
    await page.goto(f"/games/{game.id}")
    await expect(page.locator(".outcome .best")).to_have_count(1)
    await expect(page.locator(".outcome .best")).to_contain_text("Ann")
    # The card that Bob threw before is not shown as the one with which Ann went out.
    await expect(page.locator(".trick .laid-down")).to_have_count(0)


async def test_deal_is_agreed_to_without_a_script_too(phone: Phone, game: Game) -> None:
    await game.record({"type": "result", "maker": 0, "tricks": 2, "dealer": 0})
    page = await phone.page(java_script_enabled=False)
    await page.goto(f"/games/{game.id}?by=result")
    heading = page.get_by_role("heading", level=2)
    await expect(heading).to_have_text("Ann is euchred with 2 tricks: 2 points for Bob")
    await page.get_by_role("button", name="Next deal").click()
    await expect(page.locator('.panel[data-panel="result"] button').first).to_be_visible()


async def test_second_result_within_a_second_is_asked_about(table: Table, game: Game) -> None:
    await table.page.locator("[data-by=result]").click()
    first = table.button(type="result", maker=0, tricks=3)
    other = table.button(type="result", maker=1, tricks=3)
    await table.page.evaluate(
        "([one, two]) => { one.click(); two.click(); }",
        [await first.element_handle(), await other.element_handle()],
    )
    dialog = table.page.locator("dialog")
    await expect(dialog).to_contain_text("A second result within a second.")
    await dialog.get_by_role("button", name="Leave it out").click()
    await expect(table.page.locator("[data-agree]")).to_be_visible()
    assert [line["type"] for line in await game.log()] == ["started", "result", "deal_ended"]


async def _game(http: httpx.AsyncClient, ruleset: str, seats: int, **options: object) -> Game:
    names = ("Ann", "Bob", "Chloé", "Jürgen")[:seats]
    players = [await add_player(http, name) for name in names]
    body = {"ruleset": ruleset, "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    return Game(http, answer.json())


async def test_durak_is_the_headline_and_teams_are_named_together(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await _game(http, "durak", 4, rules="fr", teams=True)
    await game.record({"type": "result", "places": [[0], [2], [1, 3]], "durak": 3})
    page = await phone.page(language="de")
    await page.goto(f"/games/{game.id}")
    heading = page.locator(".panel:not([hidden])").get_by_role("heading")
    await expect(heading).to_have_text("Jürgen und Bob verlieren: Jürgen ist der Durak")
    await game.record({"type": "finish", "reason": ""})
    await page.reload()
    heading = page.locator(".outcome").get_by_role("heading")
    await expect(heading).to_have_text("Bob und Jürgen sind die Duraks")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_end_of_a_game_shows_places_margins_and_the_course(
    phone: Phone, http: httpx.AsyncClient, language: str
) -> None:
    game = await _game(http, "rami", 3, target=100)
    hands = [None, {"opened": True, "points": 61}, {"opened": True, "points": 20}]
    await game.record(*({"type": "result", "winner": 0, "hands": hands} for _ in range(2)))
    page = await (await phone(language=language)).new_page()
    await page.goto(f"/games/{game.id}")
    places = page.locator(".finals li")
    assert [(await one.inner_text()).split() for one in await places.all()] == [
        ["1.", "Ann", "0"],
        ["2.", "Chloé", "+40", "40"],
        ["3.", "Bob", "+122", "122"],
    ]
    await expect(page.locator(".outcome figure svg[role=img]")).to_be_visible()
    assert await violations(page) == []
    assert await page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
