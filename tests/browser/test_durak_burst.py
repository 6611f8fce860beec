import asyncio

import httpx
from playwright.async_api import Route, expect

from tests.browser.conftest import Phone
from tests.browser.durak_table import DurakTable, durak_game
from tests.browser.test_durak import BEGUN


async def test_bout_tapped_as_a_burst_is_closed_by_one_key(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="fr")
    await game.record(*BEGUN)
    table = DurakTable(await (await phone()).new_page(), game.id)
    await table.open()
    tapped = asyncio.Event()

    async def hold(route: Route) -> None:
        await tapped.wait()
        await route.continue_()

    await table.page.route("**/outbox*", hold)
    for card in ("7H", "8H", "8D", "KD"):
        await table.key(card).tap()
    await table.panel.get_by_role("button", name="all done").tap()
    tapped.set()
    await expect(table.page.locator(".board")).to_have_attribute("data-version", "8")
    await expect(table.page.locator(".past-bout")).to_contain_text("has beaten everything")
    entered = (await game.typed())[-5:]
    assert [entry["type"] for entry in entered] == ["attack", "beat", "attack", "beat", "done"]
    assert entered[-1]["seat"] is None


async def test_second_done_at_once_is_another_players_and_counts(
    http: httpx.AsyncClient, phone: Phone
) -> None:
    game = await durak_game(http, 3, rules="de", word="loose", throwers="all")
    beaten = {"type": "beat", "seat": 1, "card": "7H", "with": "8H"}
    await game.record(*BEGUN, {"type": "attack", "seat": 0, "cards": ["7H"]}, beaten)
    table = DurakTable(await phone.page(), game.id)
    await table.open()
    both = [table.panel.locator(f'[data-does="done-{seat}"]') for seat in (0, 2)]
    await table.page.evaluate(
        """(buttons) => {
            for (const button of buttons) {
                const { x, y } = button.getBoundingClientRect();
                const at = { bubbles: true, clientX: x + 9, clientY: y + 9 };
                button.dispatchEvent(new PointerEvent('pointerdown', at));
                button.click();
            }
        }""",
        [await one.element_handle() for one in both],
    )
    await expect(table.page.locator(".past-bout")).to_be_visible()
    assert (await game.typed())[-2:] == [
        {"type": "done", "seat": 0},
        {"type": "done", "seat": 2},
    ]
