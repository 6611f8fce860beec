"""Records a list of entries as a new user, in any game."""

import re
from collections.abc import Sequence

from tests.browser.newcomer import Entry, Newcomer


class Player:
    """Records true entries; `together` groups those of one tap."""

    implies: tuple[tuple[str, str], ...] = ()

    def __init__(self, eyes: Newcomer) -> None:
        self.eyes = eyes

    async def play(self, log: Sequence[Entry]) -> None:
        waiting: list[Entry] = []
        for entry, after in zip(log, [*log[1:], None], strict=True):
            waiting.append(entry)
            if after is not None and await self.together(entry, after):
                continue
            before = await self.eyes.look()
            await self.tap(waiting)
            await self.eyes.answered(before, *waiting)
            waiting = []

    async def together(self, entry: Entry, after: Entry) -> bool:
        bare = set(entry) == {"type", "seat"} and after.get("seat") == entry["seat"]
        return bare and (entry["type"], after["type"]) in self.implies

    async def tap(self, entries: list[Entry]) -> None:
        await getattr(self, f"tap_{entries[-1]['type']}")(entries[-1])

    async def dealer(self, entry: Entry) -> None:
        name = self.eyes.called(entry["dealer"])
        asked = self.eyes.page.get_by_role("radio", name=re.compile(rf"(^|\s){re.escape(name)}$"))
        if await asked.count():
            await asked.tap()
