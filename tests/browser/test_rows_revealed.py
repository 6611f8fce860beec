from typing import Any

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.dutch_table import DutchTable, dutch_game
from tests.http.club import Game

SAID: list[dict[str, Any]] = [
    {"type": "deal", "dealer": 0, "up": "2H"},
    {"type": "dutch", "seat": 1},
    {"type": "draw", "seat": 0},
    {"type": "drop", "seat": 0, "card": "9S"},
]


async def _counting(
    phone: Phone, http: httpx.AsyncClient, *turn: dict[str, Any]
) -> tuple[DutchTable, Game]:
    game = await dutch_game(http, 2)
    await game.record(*SAID[:2], *(turn or SAID[2:]))
    table = DutchTable(await phone.page(), game.id)
    await table.open()
    await table.panel.get_by_role("radio", name="Cards").check()
    return table, game


async def _fill(table: DutchTable, *cards: str) -> None:
    for card in cards:
        await table.panel.locator(f'.fills .key[value="{card}"]:visible').tap()


async def _send(table: DutchTable) -> None:
    button = table.panel.get_by_role("button", name="These cards")
    await expect(button).to_be_in_viewport(ratio=1)
    before = await table.version()
    await button.tap()
    await table.moved_on(before)


async def _rows(game: Game) -> list[dict[str, Any]]:
    return [line["entry"] for line in await game.log() if line["type"] == "reveal"]


async def test_row_waits_for_its_button_and_the_next_one_is_counted_by_cards_too(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    table, game = await _counting(phone, http)
    await _fill(table, "AS", "3S", "4S", "5S")
    assert await _rows(game) == []
    await _send(table)
    await _fill(table, "AC", "3C", "4C", "5C")
    await _send(table)
    assert [row["cards"] for row in await _rows(game)] == [
        ["AS", "3S", "4S", "5S"],
        ["AC", "3C", "4C", "5C"],
    ]


async def test_card_nobody_saw_is_passed_over_and_the_points_are_typed(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    table, game = await _counting(phone, http)
    await _fill(table, "AS", "??", "4S", "5S")
    for digit in "14":
        await table.panel.locator(f'[data-digit="{digit}"]:visible').tap()
    await _send(table)
    assert await _rows(game) == [
        {"type": "reveal", "seat": 0, "cards": ["AS", "??", "4S", "5S"], "points": 14}
    ]


async def test_some_king_asks_for_the_points_of_the_row(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    table, _ = await _counting(phone, http)
    await _fill(table, "AS", "3S", "4S")
    await table.panel.get_by_label("rank alone").locator("visible=true").check()
    await _fill(table, "K?")
    await expect(table.panel.get_by_label("Points of the whole row")).to_be_visible()
    await expect(table.panel.locator('[data-digit="1"]')).to_be_visible()


@pytest.mark.parametrize(
    ("known", "tapped", "told"),
    [
        pytest.param("K?", "AS KH 4S 5S", "AS KH 4S 5S", id="tapped in its order"),
        pytest.param("7?", "7S 4S 5S", "7S 7? 4S 5S", id="passed over"),
        pytest.param("7H", "7? 7? 7? 5?", "7? 7H 7? 5?", id="told by the rank alone"),
    ],
)
async def test_card_that_is_known_goes_where_it_lies(
    phone: Phone, http: httpx.AsyncClient, known: str, tapped: str, told: str
) -> None:
    drawn = {"type": "draw", "seat": 0, "card": known}
    swapped = {"type": "swap", "seat": 0, "slot": 1, "card": "9S"}
    table, game = await _counting(phone, http, drawn, swapped)
    alone = table.panel.get_by_label("rank alone").locator("visible=true")
    await alone.set_checked("?" in tapped)
    await _fill(table, *tapped.split())
    await _send(table)
    assert [row["cards"] for row in await _rows(game)] == [told.split()]


async def test_slot_chosen_by_hand_is_not_filled_again(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    table, game = await _counting(phone, http)
    slot = table.panel.get_by_label("Ann, card 2")
    await slot.focus()
    await slot.select_option("3 spades")
    await _fill(table, "AS", "4S", "5S")
    await _send(table)
    assert [row["cards"] for row in await _rows(game)] == [["AS", "3S", "4S", "5S"]]
