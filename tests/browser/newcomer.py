"""Somebody new, who knows the cards that lie on the table and reads nothing but the screen.

Whatever is tapped is found by what it says: the name that a screen reader speaks, in the language
of the page. Two keys that say the same, or none, stop the game; so does a question that nobody
asked for.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from html import unescape
from typing import Any

from jinja2 import Template
from litestar.testing import RequestFactory
from playwright.async_api import Locator, Page

from service.web.format.render import Reader, environment
from tests.browser.durak_table import BOUNCE_MS

Entry = dict[str, Any]
_SPACES = re.compile(r"\s+")
# What is asked, or else what undo is called once the board has moved on and nothing is on its way.
SHOWN = """(before) => {
    const asked = document.querySelector('dialog[open]');
    if (asked) return [asked.innerText, ''];
    const moved = document.querySelector('.board').dataset.version !== before;
    if (!moved || document.querySelector('[data-pending] li')) return null;
    return ['', document.querySelector('[data-undo]')?.getAttribute('aria-label')];
}"""


def plain(words: str) -> str:
    return _SPACES.sub(" ", unescape(words)).strip()


@cache
def _template(language: str, expression: str) -> Template:
    return environment(language).from_string("{{ " + expression + " }}")


class Newcomer:
    """A person at the table with a phone: sees, and taps."""

    def __init__(self, page: Page, language: str, ruleset: str, names: Sequence[str]) -> None:
        self.page, self.language, self.ruleset, self.names = page, language, ruleset, names
        self._pressed: str | re.Pattern[str] = ""
        # The entry that the screen calls wrong.
        self.mistake: Entry | None = None

    @cached_property
    def _reader(self) -> Reader:
        return Reader(RequestFactory().get("/", headers={"accept-language": self.language}))

    # --- what is written

    def called(self, seat: int) -> str:
        return self.names[seat]

    def words(self, expression: str, **values: object) -> str:
        return plain(_template(self.language, expression).render(**values))

    def word(self, words: str, **named: object) -> str:
        return self.words("_(words, **named)", words=words, named=named)

    def card(self, code: str) -> str:
        return self.words("code|card", code=code)

    def said(self, entry: Mapping[str, Any]) -> str:
        shown = {**entry, "wrong": True} if entry is self.mistake else entry
        return plain(self._reader.say(shown, self.ruleset, self.names))

    def sentence(self, entry: Mapping[str, Any]) -> str:
        return self.words("said|sentence", said=self.said(entry))

    # --- what is seen and tapped

    def _one(self, role: Any, name: str | re.Pattern[str]) -> Locator:  # noqa: ANN401 a literal
        exact = isinstance(name, str)
        return self.page.get_by_role(
            role, name=plain(name) if isinstance(name, str) else name, exact=exact
        )

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self._one("button", name)

    async def press(self, name: str | re.Pattern[str]) -> None:
        """Tap the button of that name; where another is called so, Playwright taps none.

        Nobody means the same one twice at once: that is a finger that bounced.
        """
        if name == self._pressed:
            await self.page.wait_for_timeout(BOUNCE_MS)
        await self.button(name).tap()
        self._pressed = name

    async def choose(self, name: str | re.Pattern[str]) -> None:
        """Tap one of several that go together, unless it is chosen."""
        box = self._one("radio", name)
        if not await box.is_checked():
            await box.tap()

    def summary(self, words: str) -> Locator:
        pattern = re.compile(r"\s+".join(map(re.escape, plain(words).split())))
        return self.page.locator("summary:visible").filter(has_text=pattern)

    async def unfold(self, words: str) -> None:
        await self.summary(words).tap()

    async def type(self, number: int, *, onward: bool = False) -> None:
        """Tap the digits of a number; go on to the next one if it does not by itself."""
        for digit in str(number):
            await self.button(digit).tap()
        if onward:
            await self.press(self.word("Next one"))

    # --- the table

    async def sit_down(self, *, afresh: bool = True) -> str:
        """Start a game of everybody, in the order of the seats; return its id.

        `afresh`: open the page for it first.
        """
        if afresh:
            await self.page.goto("/games/new")
        await self.press(self.words("name|game_name", name=self.ruleset))
        await self.page.wait_for_load_state()
        typed = 0
        for name in self.names:
            known = self._one("checkbox", re.compile(rf"(^|\s){re.escape(name)}$"))
            if await known.count():
                await known.tap()
            else:
                typed += 1
                field = self._one("textbox", f"{self.word('Name')} {typed}")
                await field.fill(name)
        await self.press(self.word("Start"))
        await self.page.wait_for_url(re.compile(r"/games/[0-9a-f-]{36}$"))
        await self.page.wait_for_selector("html[data-ready]", state="attached")
        assert await self.page.locator(".seat .name").all_inner_texts() == list(self.names)
        return self.page.url.rpartition("/")[2]

    async def look(self) -> str:
        return str(await self.page.locator(".board").get_attribute("data-version"))

    async def answered(self, before: str, *entries: Entry) -> None:
        """Wait until the table shows what was entered; undo names just that."""
        shown = await self.page.wait_for_function(SHOWN, arg=before)
        asked, found = await shown.json_value()
        assert not asked, asked
        entry = self._reader.gettext("; ").join(map(self.said, entries))
        told = self.word("Undo: %(entry)s", entry=entry)
        assert plain(str(found)) == told, (found, told)

    async def agree(self) -> None:
        await self.page.locator("[data-agree]").tap()
