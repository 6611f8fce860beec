import httpx
from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.durak_table import DurakTable, durak_game
from tests.browser.test_durak import BEGUN
from tests.http.club import Game


async def _refuse(phone: Phone, game: Game, card: str) -> DurakTable:
    table = DurakTable(await phone.page(), game.id)
    await table.open()
    await table.key(card).tap()
    await expect(table.page.locator("dialog")).to_be_visible()
    return table


async def test_card_of_another_suit_that_does_not_beat_leads_to_the_trump(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]})
    table = await _refuse(phone, game, "8D")
    way = table.page.get_by_role("link", name="The trump was another one")
    await way.tap()
    await table.page.wait_for_url("**/correct/2?*")
    asked = table.page.get_by_text("Who deals? Then tap the trump shown.").filter(visible=True)
    await expect(asked).to_have_count(1)


async def test_lower_card_of_the_suit_does_not_turn_on_the_trump(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]})
    table = await _refuse(phone, game, "6H")
    await expect(table.page.get_by_role("link", name="The trump was another one")).to_have_count(0)
