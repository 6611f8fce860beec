from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.durak_table import durak_game
from tests.browser.dutch_table import dutch_game
from tests.browser.table import Table
from tests.http.club import Game, add_player

Json = dict[str, Any]

ATTACKED: list[Json] = [
    {"type": "deal", "dealer": 0, "trump": "6H"},
    {"type": "lowest", "seat": 1},
    {"type": "attack", "seat": 1, "cards": ["7S"]},
]


async def _open(phone: Phone, game: Game) -> Table:
    table = Table(await phone.page(), game.id)
    await table.open()
    return table


async def _watch(phone: Phone, game: Game) -> Page:
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    page = await phone.page(key=made["token"])
    await page.goto(f"/games/{game.id}")
    await expect(page.locator("[data-undo]")).to_have_count(0)
    return page


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (
            [
                {"type": "beat", "seat": 2, "card": "7S", "with": "9S"},
                {"type": "done", "seat": None},
            ],
            "Chloé has beaten everything",
        ),
        ([{"type": "take", "seat": 2}, {"type": "done", "seat": None}], "Chloé takes"),
    ],
)
async def test_bout_that_is_over_stays_in_view_with_how_it_ended(
    http: httpx.AsyncClient, phone: Phone, ends: list[Json], said: str
) -> None:
    game = await durak_game(http, 3, rules="de")
    await game.record(*ATTACKED, *ends)
    past = (await _open(phone, game)).page.locator(".past-bout")
    await expect(past).to_contain_text(said)
    await expect(past).to_contain_text("the seven of spades")


async def test_next_attack_takes_the_place_of_the_bout_before(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de")
    beat = {"type": "beat", "seat": 2, "card": "7S", "with": "9S"}
    await game.record(*ATTACKED, beat, {"type": "done", "seat": None})
    table = await _open(phone, game)
    await table.tap("KS")
    await expect(table.page.locator(".past-bout")).to_have_count(0)


async def test_card_that_closed_a_deal_of_rami_stays_in_view_with_who_is_out(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    body = {"ruleset": "rami", "players": players, "options": {"opening": 0}}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    runs = [[f"{rank}{suit}" for rank in "5678"] for suit in "SHD"]
    await game.record(
        {"type": "deal", "dealer": 0, "up": "2H"},
        {"type": "draw", "seat": 1},
        {"type": "meld", "seat": 1, "melds": [*runs[:2], [*runs[2], "9D"]]},
        {"type": "discard", "seat": 1, "card": "KC"},
    )
    for page in ((await _open(phone, game)).page, await _watch(phone, game)):
        last = page.locator(".laid-down.won")
        await expect(last).to_contain_text("the king of clubs")
        await expect(last).to_contain_text("Bob is out")


async def test_last_discard_of_a_deal_of_dutch_stays_in_view_of_viewers_too(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await dutch_game(http, 2)
    await game.record(
        {"type": "deal", "dealer": 0, "up": "2H"},
        {"type": "dutch", "seat": 1},
        {"type": "draw", "seat": 0},
        {"type": "drop", "seat": 0, "card": "9S"},
        {"type": "reveal", "seat": 0, "points": 20},
        {"type": "reveal", "seat": 1, "points": 10},
    )
    last = (await _open(phone, game)).page.locator(".trick .laid-down.past")
    await expect(last).to_contain_text("the nine of spades")
    watching = await _watch(phone, game)
    await expect(watching.locator(".trick .laid-down.past")).to_contain_text("the nine of spades")
    await expect(watching.locator(".trick a")).to_have_count(0)
