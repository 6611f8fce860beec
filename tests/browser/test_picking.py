import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.dutch_table import dutch_game
from tests.browser.table import Table
from tests.http.club import Game, add_player

OPTIONS = {"durak": {"rules": "fr"}}
RULESETS = {"euchre": ("AS KS", 2), "durak": ("AS KS", 3), "rami": ("AS XX", 3)}


async def _tap(table: Table, cards: str) -> None:
    for card in cards.split():
        await table.page.locator(f'[data-pick="{card}"]').tap()


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_hand_that_everybody_saw_is_tapped(
    phone: Phone, http: httpx.AsyncClient, ruleset: str
) -> None:
    cards, seats = RULESETS[ruleset]
    players = [await add_player(http, name) for name in ("Ann", "Bob", "Chloé")[:seats]]
    body = {"ruleset": ruleset, "players": players, "options": OPTIONS.get(ruleset, {})}
    answer = await http.post("/api/games", json=body)
    table = Table(await phone.page(), answer.json()["id"])
    await table.open()
    hands = table.page.locator(".open-hands:visible")
    await hands.locator("summary").tap()
    await hands.get_by_label("Bob").tap()
    await _tap(table, cards)
    await expect(hands.get_by_label("Bob")).to_have_value(cards)


async def test_card_tapped_by_mistake_is_taken_back(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await dutch_game(http)
    table = Table(await phone.page(), game.id)
    await table.open()
    hands = table.page.locator(".open-hands:visible")
    await hands.locator("summary").tap()
    await hands.get_by_label("Ann").tap()
    await _tap(table, "AS 2S ??")
    await hands.get_by_role("button", name="Take the last card back").tap()
    await _tap(table, "3S ??")
    await expect(hands.get_by_label("Ann")).to_have_value("AS 2S 3S ??")


async def test_cards_of_a_first_look_are_tapped(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await dutch_game(http)
    await game.record({"type": "deal", "dealer": 0, "up": "2H"})
    table = Table(await phone.page(), game.id)
    await table.open()
    await table.page.get_by_text("More").locator("visible=true").tap()
    await table.page.get_by_label("Seen:").tap()
    await _tap(table, "7S KD")
    before = await table.version()
    await table.page.get_by_role("button", name="Bob looks at these").tap()
    await table.moved_on(before)
    look = {"type": "look", "seat": 1, "slots": [0, 1], "cards": ["7S", "KD"]}
    assert (await game.typed())[-1] == look


async def test_hand_of_a_loser_is_tapped_where_a_deal_is_told_by_its_result(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    answer = await http.post("/api/games", json={"ruleset": "rami", "players": players})
    game = Game(http, answer.json())
    await game.record({"type": "deal", "dealer": 0, "up": "2H"})
    table = Table(await phone.page(), game.id)
    await table.open("?by=result")
    panel = table.page.locator('.panel[data-panel="result"]')
    await panel.get_by_role("radio", name="Ann").check()
    await panel.get_by_text("The cards instead of the points").tap()
    await panel.locator('[name="cards.hands.1.cards"]').tap()
    await _tap(table, "7S XX")
    before = await table.version()
    await panel.locator(".sends [name=entry]:visible").tap()
    await table.moved_on(before)
    (result,) = [line["entry"] for line in await game.log() if line["type"] == "result"]
    assert result["hands"] == [None, {"opened": True, "cards": ["7S", "XX"]}]
