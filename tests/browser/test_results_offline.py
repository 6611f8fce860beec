"""Results that wait on a phone are counted there as the service will count them."""

import httpx
import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import SMALL, Phone
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.http.club import Game, Json, add_player

PANEL = '.panel[data-panel="result"]'


class Deal(Struct, frozen=True, kw_only=True):
    """Keys of a deal's result, tapped in this order, and how the result is named and counted."""

    ruleset: str
    keys: tuple[str, ...]
    named: str
    totals: list[int]
    dealer_next: int
    seats: int = 3
    options: Json = {}


def who(field: str, value: str) -> str:
    return f'.people label:has([name="open.{field}"][value="{value}"])'


def digits(signs: str) -> tuple[str, ...]:
    return tuple(f'[data-digit="{sign}"]' for sign in signs)


ENTER = ".sends > [name=entry]"
COUNTER = ".by-card > summary"
DEALS = {
    "rami": Deal(
        ruleset="rami",
        keys=(who("winner", "1"), *digits("24→"), "[data-state=closed]", ENTER),
        named="Deal 1: Bob went out, Ann 24, Chloé not opened",
        totals=[24, 0, 100],
        dealer_next=1,
    ),
    "Rami sec": Deal(
        ruleset="rami",
        keys=(who("winner", "0"), "[data-all=closed]", ENTER),
        named="Deal 1: Ann went out, Bob not opened, Chloé not opened",
        totals=[0, 150, 150],
        dealer_next=1,
        options={"dry": 150},
    ),
    "Dutch, not the lowest": Deal(
        ruleset="dutch",
        keys=(who("caller", "2"), *digits("7→12→8"), ENTER),
        named="Deal 1: Chloé said Dutch, Ann 7, Bob 12, Chloé 8",
        totals=[7, 12, 16],
        dealer_next=1,
    ),
    "Dutch, level": Deal(
        ruleset="dutch",
        keys=(who("caller", "2"), *digits("8→12→8"), ENTER),
        named="Deal 1: Chloé said Dutch, Ann 8, Bob 12, Chloé 8",
        totals=[8, 12, 16],
        dealer_next=1,
        options={"tie": "others"},
    ),
    "Dutch, the lowest": Deal(
        ruleset="dutch",
        keys=(who("caller", "0"), *digits("3→12→8"), ENTER),
        named="Deal 1: Ann said Dutch, Ann 3, Bob 12, Chloé 8",
        totals=[0, 12, 8],
        dealer_next=1,
    ),
    "Durak": Deal(
        ruleset="durak",
        keys=('[data-seat="2"]', '[data-seat="0"]'),
        named="Deal 1: Bob is durak",
        totals=[0, 1, 0],
        dealer_next=1,
        options={"rules": "fr"},
    ),
    "Euchre": Deal(
        ruleset="euchre",
        keys=(".key[value*='\"maker\":1'][value*='\"tricks\":2']",),
        named="Deal 1: Bob, 2 tricks",
        totals=[2, 0],
        dealer_next=1,
        seats=2,
    ),
}


@pytest.mark.parametrize("what", DEALS)
async def test_a_result_that_waits_is_counted_and_read(
    phone: Phone, http: httpx.AsyncClient, what: str
) -> None:
    deal = DEALS[what]
    page, game = await _at_table(phone, http, deal)
    await lose_line(page.context)
    for key in deal.keys:
        await page.locator(f"{PANEL} {key}").locator("visible=true").first.tap()
    await expect(page.locator("[data-pending] li").first).to_contain_text(deal.named)
    undo = page.locator("[data-undo]")
    await expect(undo).to_have_attribute("aria-label", f"Undo: {deal.named}")
    await expect(undo).to_be_visible()
    await expect(_totals(page)).to_have_text([str(total) for total in deal.totals])
    await expect(page.locator(f"{PANEL.replace('.panel', '.ask')}")).to_contain_text("deal 2")
    await expect(page.locator(".bar .title")).to_contain_text("Deal 2")
    fields = page.locator(f"{PANEL} [data-number]")
    if await fields.count():
        values = await fields.evaluate_all("(all) => all.map((one) => one.value)")
        assert values == [""] * deal.seats
        badge = page.locator(f"{PANEL} [data-role=dealer]:not([hidden])")
        await expect(badge).to_have_attribute("data-seat", str(deal.dealer_next))
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    view = (await http.get(f"/api/games/{game.id}")).json()
    assert (view["totals"], view["to_act"]) == (deal.totals, [deal.dealer_next])
    assert "Undo: Deal 1:" in str(await undo.get_attribute("aria-label"))


async def _at_table(phone: Phone, http: httpx.AsyncClient, deal: Deal) -> tuple[Page, Game]:
    """Start a game; Ann deals first, if that is asked."""
    names = ("Ann", "Bob", "Chloé")[: deal.seats]
    players = [await add_player(http, name) for name in names]
    body = {"ruleset": deal.ruleset, "options": deal.options, "players": players}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    page = await (await phone(viewport=SMALL)).new_page()
    await Table(page, game.id).open("?by=result")
    if await page.locator(f"{PANEL} [name='open.dealt']").count():
        await _choose_dealer(page)
    return page, game


def _totals(page: Page) -> Locator:
    return page.locator(".board > form > .seats .total")


async def _choose_dealer(page: Page) -> None:
    """Ann deals first."""
    summary = page.locator(f"{PANEL} details:has([name='open.dealt']) > summary")
    if await summary.count():
        await summary.tap()
    await page.locator(f"{PANEL} [name='open.dealt']").select_option("0")


ENDS = {
    "rami": (replace(DEALS["rami"], options={"target": 100}), "Bob wins", "0"),
    "dutch": (
        replace(DEALS["Dutch, the lowest"], options={"deals": 1}),
        "Ann wins",
        "0",
    ),
    "durak": (
        replace(DEALS["Durak"], options={"rules": "fr", "deals": 1}),
        "The game is over",
        "0",
    ),
    "euchre": (
        replace(DEALS["Euchre"], options={"target": 2}),
        "Ann wins",
        "2",
    ),
}


@pytest.mark.parametrize("ruleset", ENDS)
async def test_a_waiting_result_that_ends_the_game_offers_no_other(
    phone: Phone, http: httpx.AsyncClient, ruleset: str
) -> None:
    deal, heading, best = ENDS[ruleset]
    page, game = await _at_table(phone, http, deal)
    await lose_line(page.context)
    for key in deal.keys:
        await page.locator(f"{PANEL} {key}").locator("visible=true").first.tap()
    await expect(page.locator("[data-game-over] h2")).to_have_text(heading, timeout=5000)
    await expect(page.locator("[data-game-over] li").first).to_contain_text(best)
    await expect(page.locator(".bar .title")).to_contain_text("Finished")
    await expect(
        page.locator(f"{PANEL}, .seats, [data-places]").locator("visible=true")
    ).to_have_count(0)
    await page.locator("[data-undo]").tap()
    await expect(page.locator("[data-game-over]")).to_be_hidden()
    await expect(page.locator(PANEL)).to_be_visible()
    if await page.locator(f"{PANEL} .sends").count():
        # The numbers are on the form again.
        await page.locator(f"{PANEL} {ENTER}").first.tap()
    else:
        for key in deal.keys:
            await page.locator(f"{PANEL} {key}").locator("visible=true").first.tap()
    await expect(page.locator("[data-game-over]")).to_be_visible()
    await page.context.set_offline(offline=False)
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    await expect(page.locator(".board[data-status=finished]")).to_be_visible()
    assert (await http.get(f"/api/games/{game.id}")).json()["totals"] == deal.totals
