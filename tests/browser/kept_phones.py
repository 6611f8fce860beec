"""Phones used again: the next test gets an empty one, whose program is warm already.

A page in a new context runs in a new process, which reads and compiles every script and style anew:
half of what opening the recorder takes. A kept phone holds on to such a process by a page of its
own, which shows nothing, and opens every other one from there. Pages are new in each test, with
what was set on them: routes, listeners, scripts, sizes, the memory of a session. Cookies and what
pages store are cleared; a phone that may still hold something is thrown away. Whoever changes the
context itself, counts what is loaded, or needs a service worker takes a new phone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from playwright.async_api import BrowserContext, Page, ViewportSize

# Of the origin of every page, and like them to be opened by nobody else, so that they share its
# process; the service is not asked for it.
NOTHING = "/nothing"
ALIKE = {"Content-Type": "text/html", "Cross-Origin-Opener-Policy": "same-origin"}
IDLE_MAX = 8
# A browser may never say that a page is closed, once in thousands: the test says so, and is tried
# once more.
PUT_BACK_SECONDS = 60
# What is stored was just cleared, and whoever asks at that moment what is left, or opens a page,
# may never hear, once in thousands: such a phone is thrown away.
ANSWER_SECONDS = 10
# What this process itself remembers is cleared in it; nothing else may be left.
LEFT = """async () => {
    localStorage.clear();
    const [stored, cached] = await Promise.all([indexedDB.databases(), caches.keys()]);
    return stored.length + cached.length + sessionStorage.length;
}"""


class KeptPhone:
    """A context that is used again. `origins`: where its pages may have stored something.

    `viewport`: of pages to come, where it is not the context's own; `silent`: its process did not
    answer.
    """

    def __init__(self, context: BrowserContext, anchor: Page, origins: Sequence[str]) -> None:
        self.context, self._anchor, self._origins = context, anchor, origins
        self.viewport: ViewportSize | None = None
        self.silent = False
        context.new_page = self.new_page  # type: ignore[method-assign] # the browser's takes a new process

    async def new_page(self) -> Page:
        """Open a page in the process of those before, or in another if that does not answer."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                async with self.context.expect_page() as opened:
                    await self._anchor.evaluate("() => { open('about:blank').opener = null; }")
                page = await opened.value
        except TimeoutError:
            self.silent = True
            page = await BrowserContext.new_page(self.context)
        if self.viewport:
            await page.set_viewport_size(self.viewport)
        return page

    async def emptied(self) -> bool:
        """Close all pages, forget cookies and what was stored; say if nothing is left."""
        for page in self.context.pages:
            if page != self._anchor:
                await page.close()
        await self.context.set_offline(offline=False)
        await self.context.clear_cookies()
        session: Any = await self.context.new_cdp_session(self._anchor)
        for origin in self._origins:
            everything = {"origin": origin, "storageTypes": "all"}
            await session.send("Storage.clearDataForOrigin", everything)
        await session.detach()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                left: int = await self._anchor.evaluate(LEFT)
        except TimeoutError:
            return False
        return left == 0


class KeptPhones:
    """The phones that nobody uses, with what is the same in each of a kind; the last used last."""

    def __init__(self) -> None:
        self._idle: list[tuple[str, KeptPhone]] = []

    async def take(
        self, kind: str, make: Callable[[], Awaitable[BrowserContext]], origins: Sequence[str]
    ) -> KeptPhone:
        """Take an empty phone of a kind; make one if all are in use."""
        for idle in reversed(self._idle):
            if idle[0] == kind:
                self._idle.remove(idle)
                return idle[1]
        context = await make()
        anchor = await context.new_page()
        await anchor.route(f"**{NOTHING}", lambda route: route.fulfill(headers=ALIKE))
        await anchor.goto(NOTHING)
        await anchor.unroute_all()
        return KeptPhone(context, anchor, origins)

    async def put_back(self, kind: str, phone: KeptPhone) -> None:
        """Take a phone back that a test is done with; one that does not answer is left lying.

        Raises: TimeoutError
        """
        if phone.silent:
            with suppress(TimeoutError):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await phone.context.close()
            return
        async with asyncio.timeout(PUT_BACK_SECONDS):
            if not await phone.emptied():
                await phone.context.close()
                return
            self._idle.append((kind, phone))
            if len(self._idle) > IDLE_MAX:
                await self._idle.pop(0)[1].context.close()

    async def close(self) -> None:
        for _, phone in self._idle:
            await phone.context.close()
