"""Delay from a tap to what it changes on the screen, of a phone with a slower processor.

Chromium slows its pages down by a factor (`Emulation.setCPUThrottlingRate`). Euchre is recorded by
touch. `first sign`: the first frame after the page changed; `board`: the frame with the answer of
the service. Service, PostgreSQL and Chromium share the cores.
"""

import asyncio
from collections.abc import Iterator
from math import ceil
from statistics import median

from playwright.async_api import Browser, Page, async_playwright

from deploy.development.programs import CHROMIUM, find
from tests.bench.http import Club, club
from tests.bench.table import Line, Size, Table
from tests.browser.conftest import NEVER_OFF, SMALL
from tests.browser.table import DEAL
from tests.browser.table import Table as Recorder
from tests.service_process import KEY

TITLE = "a tap is painted on a phone"
SLOWER, DEALS, DEALS_A_GAME = (1, 4), 20, 4
# A frame was painted when the message that was sent in it arrives.
_WATCH = """
    window.taps = [];
    addEventListener('pointerup', (event) => taps.push({ at: event.timeStamp }), true);
    const painted = (name) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      const tap = taps.at(-1);
      port1.onmessage = () => { if (tap) tap[name] ??= performance.now() - tap.at; };
      port2.postMessage(0);
    });
    addEventListener('DOMContentLoaded', () => {
      let version = document.querySelector('.board')?.dataset.version;
      new MutationObserver(() => {
        painted('sign');
        const now = document.querySelector('.board')?.dataset.version;
        if (now !== version) painted('board');
        version = now;
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
"""


class Finger(Recorder):
    """A recorder that is used by touch."""

    async def tap(self, *cards: str) -> None:
        for card in cards:
            before = await self.version()
            await self.key(card).tap()
            await self.moved_on(before)

    async def choose(self, **entry: object) -> None:
        before = await self.version()
        await self.button(**entry).tap()
        await self.moved_on(before)


async def taps(browser: Browser, ours: Club, slower: int, deals: int) -> list[dict[str, float]]:
    """Record deals; return for each tap its delays in milliseconds."""
    url = f"http://127.0.0.1:{ours.target.port}"
    context = await browser.new_context(
        base_url=url, viewport=SMALL, has_touch=True, service_workers="block"
    )
    await context.add_init_script(_WATCH)
    page = await context.new_page()
    await page.goto(f"/login?key={KEY}")
    session = await context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    found: list[dict[str, float]] = []
    for first in range(0, deals, DEALS_A_GAME):
        found += await _record(page, ours, min(DEALS_A_GAME, deals - first))
    await context.close()
    return found


async def _record(page: Page, ours: Club, deals: int) -> list[dict[str, float]]:
    written = {"seats": 2, "ruleset": "euchre", "options": {}, "log": []}
    path = ours.plays(written, 0).path
    table = Finger(page, path.split("/")[3])
    await table.open()
    for number in range(deals):
        if number:
            await table.agree()
        await table.bid()
        await table.tap(*DEAL)
    await page.wait_for_timeout(500)
    return [
        {name: tap[name] for name in ("sign", "board")}
        for tap in await page.evaluate("taps")
        if {"sign", "board"} <= {*tap}
    ]


async def _measure(ours: Club, deals: int) -> dict[int, list[dict[str, float]]]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find(CHROMIUM), args=NEVER_OFF)
        found = {slower: await taps(browser, ours, slower, deals) for slower in SLOWER}
        await browser.close()
    return found


def measure(size: Size) -> Iterator[Table]:
    with club() as ours:
        found = asyncio.run(_measure(ours, size.of(DEALS)))
    names = {"sign": "first sign", "board": "board of the service"}
    yield Table(
        TITLE,
        tuple(
            Line(f"{names[name]}, {slower} × slower", _spread([one[name] for one in measured]))
            for slower, measured in found.items()
            for name in names
        ),
    )


def _spread(delays: list[float]) -> dict[str, float]:
    ordered = sorted(delays)
    return {
        "p50 ms": median(ordered),
        "p95 ms": ordered[ceil(len(ordered) * 0.95) - 1],
        "worst ms": ordered[-1],
        "taps": len(ordered),
    }
