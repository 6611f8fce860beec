"""A simulated new user, who knows the real cards and reads only the screen.

Controls are found by accessible name, in the language of the page. An ambiguous or missing name
fails the test, and so does an unexpected dialog.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from html import unescape
from typing import Any

from jinja2 import Template
from litestar.testing import RequestFactory
from playwright.async_api import Locator, Page

from service.web.format.environments import environment
from service.web.format.render import Reader
from tests.browser.durak_table import BOUNCE_MS

Entry = dict[str, Any]
_SPACES = re.compile(r"\s+")
# The open dialog, else the label of undo once the board has changed and no request is pending.
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

    # --- texts

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

    # --- controls

    def _one(self, role: Any, name: str | re.Pattern[str]) -> Locator:  # noqa: ANN401 a literal
        exact = isinstance(name, str)
        return self.page.get_by_role(
            role, name=plain(name) if isinstance(name, str) else name, exact=exact
        )

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self._one("button", name)

    async def press(self, name: str | re.Pattern[str]) -> None:
        """Tap the button of this name; Playwright refuses an ambiguous name.

        The same button is not tapped twice at once, because the page ignores bounces.
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
        """Tap the digits of a number, and the arrow to the next player with `onward`."""
        for digit in str(number):
            await self.button(digit).tap()
        if onward:
            await self.press(self.word("Next player"))

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
        """Wait until the table shows the new entry and undo names it."""
        shown = await self.page.wait_for_function(SHOWN, arg=before)
        asked, found = await shown.json_value()
        assert not asked, asked
        entry = self._reader.gettext("; ").join(map(self.said, entries))
        told = self.word("Undo: %(entry)s", entry=entry)
        assert plain(str(found)) == told, (found, told)

    async def agree(self) -> None:
        await self.page.locator("[data-agree]").tap()
