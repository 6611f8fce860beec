"""A table of Durak on a phone: any entry, entered the way a finger does."""

from random import Random

import httpx
from playwright.async_api import Locator, Page

from schemas import durak
from tests.browser.table import ENTERED, Table
from tests.generation.durak_cards import Entry
from tests.generation.durak_deal import Habits, RealDeal
from tests.generation.durak_play import Played
from tests.http.club import Game, add_player

BOUNCE_MS = 300
NAMES = ("Ann", "Bob", "Chloé", "Dieter", "Esther", "Franziska")


async def durak_game(http: httpx.AsyncClient, seats: int, **options: object) -> Game:
    players = [await add_player(http, name) for name in NAMES[:seats]]
    body = {"ruleset": "durak", "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Game(http, answer.json())


def whole_deal(seed: int, seats: int, **options: object) -> list[Entry]:
    complete_options = durak.complete_options(durak.Options(**options), seats)  # type: ignore[arg-type] # some of its fields
    said = {name: getattr(complete_options, name) for name in complete_options.__struct_fields__}
    chance = Random(seed)  # noqa: S311 games, not secrets
    real = RealDeal(chance, said, seats, 0, None)
    script = Played(chance, real, Habits(given=0)).run()
    return [happened.entry for happened in script.happened]


class DurakTable(Table):
    def __init__(self, page: Page, game_id: str, *, scripted: bool = True) -> None:
        super().__init__(page, game_id)
        self.scripted = scripted

    @property
    def panel(self) -> Locator:
        return self.page.locator('.panel[data-panel="cards"]:not(.offline-pad)')

    async def enter(self, entry: Entry) -> None:
        before = await self.version()
        await self._enter(entry)
        if self.scripted:
            await self.moved_on(before)
        else:
            await self.page.wait_for_load_state()

    async def _enter(self, entry: Entry) -> None:
        match entry["type"]:
            case "deal":
                who = self.page.locator(
                    f'label:has([name="open.dealer"][value="{entry["dealer"]}"])'
                )
                if await who.count():
                    await who.click()
                await self.key(entry["trump"]).click()
            case "lowest":
                if "card" in entry:
                    await self.panel.locator(
                        f"label:has([value='\"{entry['card']}\"'])"
                    ).first.click()
                await self.panel.locator(f'[data-does="lowest-{entry["seat"]}"]').click()
            case "take" | "done":
                # The same word twice within 300 ms is a finger that bounced.
                await self.page.wait_for_timeout(BOUNCE_MS)
                await (await self._meaning(self.panel.locator("[data-does]"), entry)).click()
            case "away":
                await self._together(entry, "away")
            case _ if len(entry.get("cards", "1")) > 1:
                await self._together(entry, entry["type"])
            case _:
                await self.lay(entry)

    async def lay(self, entry: Entry) -> None:
        """Tap a card; where its key unfolds, pick the way."""
        key = self.key(entry.get("with") or entry["cards"][0])
        if await key.evaluate("key => key.tagName") == "DETAILS":
            await key.locator("summary").click()
            key = await self._meaning(key.locator("button"), entry)
        await key.click()

    async def _together(self, entry: Entry, kind: str) -> None:
        if kind == "away":
            fours, rank = self.panel.locator("details.fours"), entry["cards"][0][0]
            await fours.locator("summary").click()
            await fours.locator(f'label:has([name="open.away"][value="{entry["seat"]}"])').click()
            await fours.locator(f"button.rank[value*='\"{rank}S\"']").click()
            return
        more = self.panel.locator("details.more")
        await more.locator("summary").click()
        await more.locator(f'label:has([name="open.seat"][value="{entry["seat"]}"])').click()
        for card in entry["cards"]:
            await more.locator(f"label:has([name='open.cards'][value='\"{card}\"'])").click()
        await more.locator(f"button[value*='\"{kind}\"']").click()

    async def _meaning(self, buttons: Locator, entry: Entry) -> Locator:
        for button in await buttons.all():
            if await button.evaluate(ENTERED) == entry:
                return button
        raise AssertionError(f"no button enters {entry}")
