"""Hands that type numbers at a table: they find keys and fields by what is visible and named.

A key is tapped where the eye finds it, by its coordinates on a touch screen. A tap on what is
covered, or lies below the screen, is an error.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from playwright.async_api import Page, expect

from service.web.format.catalogs import catalog

Habit = Literal["arrow", "fields", "slip", "keyboard"]
HABITS: tuple[Habit, ...] = ("arrow", "fields", "slip", "keyboard")
LOOKS_MAX = 100
LOOK_MS = 50

# What a person can tap, with its words and the middle of its visible part.
SEEN = r"""() => {
    const words = (one) => (one?.innerText ?? '').replace(/\s+/g, ' ').trim();
    const found = [];
    const modal = document.querySelector('dialog[open]');
    const tappable = 'button, a[href], summary, input, select';
    for (const one of (modal ?? document).querySelectorAll(tappable)) {
        const ticks = ['radio', 'checkbox'].includes(one.type);
        const face = ticks ? one.closest('label') ?? one : one;
        if (one.type === 'hidden' || !face.checkVisibility({ visibilityProperty: true })) continue;
        const box = face.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) continue;
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        const on = document.elementFromPoint(x, y);
        const holder = one.closest('.field');
        found.push({
            kind: ticks || one.matches('select') ? one.type : one.localName,
            name: (one.getAttribute('aria-label') ?? words(face)).replace(/\s+/g, ' '),
            words: words(face),
            value: (one.value || (one.placeholder ?? '')).replaceAll('−', '-').trim(),
            chosen: Boolean(holder?.classList.contains('typing')),
            x, y,
            is_on_screen: box.top >= 0 && box.bottom <= innerHeight
                && box.left >= 0 && box.right <= innerWidth,
            is_free: Boolean(on && (face.contains(on) || on.closest('label')?.contains(one))),
        });
    }
    return found;
}"""


# A text cannot be read if it is absent, off the screen or covered.
UNREADABLE = r"""(text) => {
    const plain = (one) => one.textContent.replace(/\s+/g, ' ').trim();
    const all = [...document.querySelectorAll('main p, main legend, main h2')];
    const one = all.find((one) => plain(one).startsWith(text) && one.checkVisibility());
    if (!one) return ['not there'];
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()].filter(({ width }) => width > 0).flatMap((box) => {
        const isOff = box.top < 0 || box.bottom > innerHeight || box.right > innerWidth;
        if (isOff) return ['not on the screen'];
        return [0.02, 0.5, 0.98].flatMap((part) => {
            const [x, y] = [box.left + part * box.width, (box.top + box.bottom) / 2];
            const on = document.elementFromPoint(x, y);
            return one.contains(on) ? [] : [`under ${on?.outerHTML.slice(0, 80)}`];
        });
    });
}"""


@dataclass(frozen=True)
class Thing:
    """What can be tapped, as it is seen."""

    kind: str
    name: str
    words: str
    value: str
    chosen: bool
    x: float
    y: float
    is_on_screen: bool
    is_free: bool


@dataclass(frozen=True)
class Answer:
    """What is typed for a player: signs of the pad, or the words of a key."""

    signs: str = ""
    key: str = ""
    shown: str = ""

    @property
    def stands(self) -> str:
        """Return the text of the field afterwards."""
        return self.shown or self.signs


@dataclass
class Hands:
    page: Page
    language: str
    chance: Random
    pace_ms: tuple[int, int] = (0, 0)
    habit: Habit = "arrow"
    taps: int = 0
    # The player whose number is typed.
    at: int = 0
    # A long page is scrolled; a table is not.
    scrolls: bool = False
    # What happens meanwhile, by the moment.
    events: dict[tuple[str, int], Callable[[], Awaitable[None]]] = field(default_factory=dict)

    @property
    def page_height(self) -> int:
        size = self.page.viewport_size
        assert size
        return size["height"]

    # --- eyes

    def words(self, text: str) -> str:
        """Return the words of the page for an English text, up to its first variable."""
        return " ".join(catalog(self.language).gettext(text).partition("%")[0].split())

    async def look(self) -> list[Thing]:
        return [Thing(**one) for one in await self.page.evaluate(SEEN)]

    async def find(self, what: Callable[[Thing], bool], called: str) -> Thing:
        """Return what is seen, as soon as it is."""
        __tracebackhide__ = True
        seen: list[Thing] = []
        for _ in range(LOOKS_MAX):
            seen = await self.look()
            found = [one for one in seen if what(one)]
            if found and self.scrolls and not found[-1].is_on_screen:
                await self.page.mouse.wheel(0, found[-1].y - self.page_height / 2)
            elif found:
                return found[-1]
            await self.page.wait_for_timeout(LOOK_MS)
        names = ", ".join(one.name for one in seen)
        raise AssertionError(f"nobody sees {called}, but: {names}")

    async def sees(self, text: str) -> bool:
        return any(one.words.startswith(self.words(text)) for one in await self.look())

    async def comes(self, text: str) -> bool:
        """Return whether the next page has a button with these words."""
        await self.page.wait_for_url(lambda url: "/correct/" not in url, wait_until="load")
        return await self.sees(text)

    async def fields(self, names: list[str]) -> dict[str, Thing]:
        return {
            one.name: one for one in await self.look() if one.kind == "input" and one.name in names
        }

    # --- fingers

    async def rest(self) -> None:
        if self.pace_ms[1]:
            await self.page.wait_for_timeout(self.chance.randint(*self.pace_ms))

    async def touch(self, thing: Thing) -> None:
        __tracebackhide__ = True
        assert thing.is_on_screen, f"{thing.name} is not on the screen: {thing}"
        assert thing.is_free, f"{thing.name} lies under something else: {thing}"
        await self.page.touchscreen.tap(thing.x, thing.y)
        self.taps += 1
        await self.rest()

    async def tap(self, words: str, kind: str = "") -> None:
        """Tap what bears these words."""
        __tracebackhide__ = True
        thing = await self.find(
            lambda one: (
                (one.words.startswith(words) or one.name == words)
                and (not kind or one.kind == kind)
            ),
            words,
        )
        await self.touch(thing)

    async def expect_readable(self, text: str) -> None:
        """Check that the words which begin so are on the screen, and that nothing lies on them."""
        __tracebackhide__ = True
        faults = await self.page.evaluate(UNREADABLE, text)
        assert faults == [], f"{text}: {faults}"

    async def press(self, sign: str) -> None:
        """Press a key of the pad, or of the keyboard."""
        __tracebackhide__ = True
        if self.habit == "keyboard":
            await self.page.keyboard.press({"±": "-", "⌫": "Backspace"}.get(sign, sign))
            await self.rest()
            return
        await self.touch(await self.find(lambda one: one.words == sign, f"the key {sign}"))

    async def choose(self, name: str) -> None:
        __tracebackhide__ = True
        await self.touch(
            await self.find(
                lambda one: one.kind == "input" and one.name == name, f"field of {name}"
            )
        )

    # --- numbers

    async def meet(self, moment: str, at: int = 0) -> None:
        if event := self.events.pop((moment, at), None):
            await event()

    async def write(self, answer: Answer) -> None:
        """Type what a player has; in the middle of it something may happen."""
        if answer.key:
            await self.tap(self.words(answer.key), "button")
        slips = self.habit == "slip" and self.chance.random() < 0.5
        signs = answer.signs
        if self.habit == "keyboard" and signs.endswith("±"):
            signs = f"±{signs[:-1]}"  # on a keyboard the sign comes first
        for at, sign in enumerate(signs):
            if slips and at == len(signs) - 1:
                for wrong in ("7", "⌫"):
                    await self.press(wrong)
            await self.press(sign)
            await self.meet("in", self.at)

    async def type(
        self, answers: Mapping[str, Answer], *, filled: bool = False, insists: bool = False
    ) -> None:
        """Type the numbers of a result.

        `filled`: the last one is shown before it is typed. `insists`: an arrow too many at the end.
        """
        for at, (name, answer) in enumerate(answers.items()):
            is_last = at == len(answers) - 1
            if self.habit == "fields" or (self.habit == "keyboard" and not at):
                await self.choose(name)
            elif self.habit == "keyboard":
                await self.press(self.chance.choice(("Tab", "Enter")))
            elif at:
                await self.press("→")
            self.at = at
            early = self.habit == "slip" and len(answer.signs) > 1 and at < len(answers) - 2
            if is_last and filled:
                pass
            elif early and answer.signs.isdigit() and self.chance.random() < 0.5:
                await self.early_arrow(answer)
            else:
                await self.write(answer)
            # Where a key was tapped, or the number was shown, there is no middle.
            await self.meet("in", at)
            await self.meet("after", at)
        if insists and self.habit != "keyboard":
            await self.press("→")

    async def early_arrow(self, answer: Answer) -> None:
        """Press the arrow before the last digit, and go back by ⌫ in the empty field."""
        for sign in (*answer.signs[:-1], "→", "⌫", answer.signs[-1]):
            await self.press(sign)

    async def expect_fields(self, stands: Mapping[str, str]) -> None:
        """Check that each player's field shows what was typed for that player."""
        __tracebackhide__ = True
        seen = {name: one.value for name, one in (await self.fields(list(stands))).items()}
        assert seen == dict(stands), f"on the form: {seen}; typed: {dict(stands)}"

    async def send(self) -> None:
        """Tap the button below the keys, or press Enter in the last field."""
        if self.habit == "keyboard":
            await self.press("Enter")
            return
        pattern = re.compile("|".join(re.escape(self.words(one)) for one in SENDS))
        await self.touch(
            await self.find(
                lambda one: one.kind == "button" and bool(pattern.match(one.words)), "the button"
            )
        )

    async def expect_sent(self) -> None:
        await expect(self.page.locator("[data-pending] li")).to_have_count(0)

    async def expect_board(self, version: int) -> None:
        """Wait until the board shows what the log holds."""
        await self.page.wait_for_selector(f'.board[data-version="{version}"]', state="attached")


SENDS = ("Enter it", "Enter the round", "Count them", "Apply", "See what that changes")
