"""A game recorded by tapping what its page shows: keys of cards, buttons, and numbers."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Self

import httpx
from playwright.async_api import Page, ViewportSize, expect

from service.language.texts import texts
from tests.browser.conftest import SMALL, Phone
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.domain.cases import cases_of
from tests.generation.real_deals import Maker, RealDeal
from tests.generation.real_deals import Table as Dealt
from tests.http.club import Game, add_player

Entry = dict[str, Any]
LARGE: ViewportSize = {"width": 390, "height": 844}
# Each language, on each screen, with few and with many players.
SCREENS = (("en", LARGE), ("fr", SMALL), ("de", SMALL))
NAMES = ("Marie-Françoise", "Alexandrine", "Bartholomäus", "Jean-Christophe", "Ann", "Konstantin")


class Tapped(Table):
    """A table at which entries are tapped; the page never scrolls sideways meanwhile."""

    def __init__(self, page: Page, game: Game) -> None:
        super().__init__(page, game.id)
        self.game = game

    @classmethod
    async def seated(
        cls,
        http: httpx.AsyncClient,
        phone: Phone,
        ruleset: str,
        seats: int,
        *,
        language: str = "en",
        viewport: ViewportSize = SMALL,
        options: Mapping[str, Any] | None = None,
    ) -> Self:
        players = [await add_player(http, name) for name in NAMES[:seats]]
        body = {"ruleset": ruleset, "options": options or {}, "players": players}
        answer = await http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        page = await phone.page(language=language, viewport=viewport)
        table = cls(page, Game(http, answer.json()))
        await table.open()
        return table

    async def enter(self, *entries: Entry) -> None:
        for entry in entries:
            before = await self.version()
            await self.touch(entry)
            await self.moved_on(before)
            aside = await self.page.evaluate("() => { scrollTo(2000, 0); return scrollX; }")
            assert aside == 0, f"the page is wider than the screen after {entry}"

    async def touch(self, entry: Entry) -> None:
        """Tap the key of an entry's card, or else the button with its fields."""
        fields = {name: value for name, value in entry.items() if name != "hands"}
        dealer = self.page.locator(f'[name="open.dealer"][value="{entry.get("dealer")}"]')
        if await dealer.count():
            await dealer.check(force=True)
            del fields["dealer"]
        button = self.button(**fields)
        for value in fields.values():
            key = self.key(str(value))  # of a card, whichever field of the entry names it
            button = key if await key.count() else button
        assert await button.count(), f"the page has no key and no button for {entry}"
        await button.click()

    async def enter_numbers(self, field: str, numbers: Sequence[int]) -> None:
        """Choose to enter the result, and tap a number for each player."""
        tab = self.page.locator("[data-by=result]")
        if await tab.count():
            await tab.click()
        before = await self.version()
        for seat, number in enumerate(numbers):
            await self.page.locator(f'[name="open.{field}.{seat}"]:visible').click()
            for digit in str(number):
                await self.page.locator(f'[data-digit="{digit}"]:visible').click()
        await self.page.locator(".sends [name=entry]:visible").click()
        await self.moved_on(before)

    async def entered(self) -> list[Entry]:
        return await self.game.typed()

    async def expect_refusal(self, entry: Entry, earlier: Entry, language: str) -> None:
        """Tap an entry that is refused, with the name of its card and of the earlier one."""
        await self.touch(entry)
        said = [texts().card(one["card"], language) for one in (entry, earlier)]
        pair = self.page.locator("dialog .pair li")
        await expect(pair).to_have_count(2)
        for card, line in zip(said, await pair.all_inner_texts(), strict=True):
            assert card in line, f"the refusal of {entry} does not name {card}: {line}"

    async def tap_offline(self, *entries: Entry) -> None:
        """Tap cards while there is no network, and wait until they are entered."""
        first, *others = entries
        await lose_line(self.page.context)
        await self.touch(first)
        await expect(self.page.locator(".offline-note")).to_be_visible()
        for entry in others:
            await self.offline_key(entry["card"]).click()
        await expect(self.page.locator("[data-pending] li")).to_have_count(len(entries))
        await self.page.context.set_offline(offline=False)
        await expect(self.page.locator("[data-pending] li")).to_have_count(0)


def true_deal(maker: Maker, seats: int) -> RealDeal:
    """Return a deal as it is played with real cards, dealt by seat 0, hands unseen."""
    chance = Random(seats)  # noqa: S311 games, not secrets
    return maker.play(chance, Dealt(maker.options(chance, seats), seats))


def late_revoke(game: str) -> tuple[int, list[Entry], Entry, Entry]:
    """Return the case of a revoke: the seats, the log before, the refused entry, the revoke."""
    case = next(one for one in cases_of(game) if one.id.endswith(": a revoke is found later"))
    *before, refused = case.log
    return case.seats, before, refused, before[case.expect["contradicts"]]
