"""The recorder page on a phone, used by taps or by its form."""

import json
from typing import Any

from playwright.async_api import Locator, Page

# Seat 1 leads and takes every trick; seat 0 dealt, took the queen of hearts and follows suit.
DEAL: tuple[str, ...] = ("AS", "9S", "AC", "9C", "JH", "QH", "JD", "9D", "AD", "TD")
# What `Table.bid` enters.
BID: tuple[dict[str, Any], ...] = (
    {"type": "deal", "dealer": 0, "turn_up": "QH"},
    {"type": "order", "seat": 1},
    {"type": "exchange", "seat": 0, "take": True},
)

# The entry that a button records; a key adds its card to the entry of its group.
ENTERED = """(button) => {
    const group = button.form.querySelector(`[name="keys.${button.name.split('.')[1]}"]`);
    const said = group?.value.replaceAll('"@"', `"${button.value}"`) ?? button.value;
    return JSON.parse(said || 'null');
}"""
ENTERING = ':is([name=entry], [name^="key."])'


class Table:
    def __init__(self, page: Page, game_id: str) -> None:
        self.page = page
        self.game_id = game_id
        self.path = f"/games/{game_id}"

    async def open(self, by: str = "") -> None:
        """Go to the table; where there is a script, wait until it listens."""
        await self.page.goto(self.path + by)
        if await self.page.evaluate("() => 'noModule' in HTMLScriptElement.prototype"):
            await self.ready()

    async def ready(self) -> None:
        await self.page.wait_for_selector("html[data-ready]", state="attached")

    def key(self, card: str) -> Locator:
        key = f':is(.key[value="{card}"], details.key[data-card="{card}"])'
        return self.page.locator(f".panel:not(.offline-pad):not([hidden]) {key}")

    def offline_key(self, card: str) -> Locator:
        return self.page.locator(f'.offline-pad .key[value="{card}"]:visible')

    def button(self, **entry: object) -> Locator:
        wanted = "".join(
            f"[value*='\"{name}\":{json.dumps(value)}']" for name, value in entry.items()
        )
        return self.page.locator(f".panel:not(.offline-pad):not([hidden]) button{wanted}").first

    async def tap(self, *cards: str) -> None:
        for card in cards:
            before = await self.version()
            await self.key(card).click()
            await self.moved_on(before)

    async def choose(self, **entry: object) -> None:
        before = await self.version()
        await self.button(**entry).click()
        await self.moved_on(before)

    async def agree(self) -> None:
        """Agree to how a deal ended: the next one begins."""
        await self.page.locator("[data-agree]").click()

    async def bid(self) -> None:
        """Deal the queen of hearts; seat 1 orders, the dealer takes it."""
        await self.tap("QH")
        await self.choose(type="order")
        await self.choose(type="exchange", take=True)

    async def version(self) -> int:
        return int(await self.page.locator(".board").get_attribute("data-version") or 0)

    async def moved_on(self, before: int) -> None:
        """Wait until the board shows a later version.

        `expect` would serialise the whole page on each retry.
        """
        later = f'.board:not([data-version="{before}"])'
        await self.page.wait_for_selector(later, state="attached")

    async def totals(self) -> list[int]:
        return [int(text) for text in await self.page.locator(".seat .total").all_inner_texts()]


def played(*cards: str) -> list[dict[str, Any]]:
    """Return the entries of cards that are played after the bid; seat 1 takes every trick."""
    return [
        {"type": "play", "seat": 1 - number % 2, "card": card} for number, card in enumerate(cards)
    ]


def plays(log: list[dict[str, Any]]) -> list[str]:
    return [line["entry"]["card"] for line in log if line["type"] == "play"]
