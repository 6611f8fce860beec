"""A table of Dutch on a phone: slots are tapped in the rows, a card is a key, or its rank's."""

from typing import Any

import httpx
from playwright.async_api import Locator

from tests.browser.table import Table
from tests.http.club import Game, add_player

PEOPLE = ("Ann", "Bob", "Chloé", "Jürgen", "Eve", "Finn", "Gül", "Hugo")
Json = dict[str, Any]


async def dutch_game(http: httpx.AsyncClient, seats: int = 3, **options: object) -> Game:
    players = [await add_player(http, name) for name in PEOPLE[:seats]]
    body = {"ruleset": "dutch", "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Game(http, answer.json())


class DutchTable(Table):
    scripted = True

    @property
    def panel(self) -> Locator:
        return self.page.locator('.panel[data-panel="cards"]:not(.offline-pad)')

    def slot(self, seat: int, slot: int) -> Locator:
        wanted = f'[value*=\'"seat":{seat},"slot":{slot}\']'
        return self.page.locator(f".seats label.slot:has({wanted})")

    async def card(self, card: str) -> None:
        """Tap a card, and wait until its entry is recorded."""
        before = await self.version()
        await self.pick(card)
        await self._answered(before)

    async def pick(self, card: str) -> None:
        key = self.panel.locator(f'.key[value="{card}"]:visible')
        rank = self.panel.locator(".ranks:visible .rank")
        if await rank.count():
            wanted = rank.filter(has=self.page.locator(f'[value="{card}"]'))
            await wanted.locator("summary").click()
        await key.first.click()

    async def say(self, name: str) -> None:
        before = await self.version()
        await self.panel.get_by_role("button", name=name).click()
        await self._answered(before)

    async def swap(self, seat: int, slot: int, card: str) -> None:
        await self.say("Draws")
        await self.throw(seat, slot, card)

    async def throw(self, seat: int, slot: int, card: str) -> None:
        await self.slot(seat, slot).click()
        await self.card(card)

    async def wrong(self, seat: int, slot: int, card: str) -> None:
        await self.slot(seat, slot).click()
        before = await self.version()
        await self.panel.locator(f'.wrongly .key[value="{card}"]:visible').click()
        await self._answered(before)

    async def _answered(self, before: int) -> None:
        if self.scripted:
            await self.moved_on(before)
        else:
            await self.page.wait_for_load_state()
