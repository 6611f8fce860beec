"""What moves, is empty, cut or covered on a board, as measured in the page."""

from collections.abc import Mapping
from typing import NamedTuple

from playwright.async_api import Page

# Places of keys by their card, and of buttons by the type of their entry, if one button has it.
KEYS = """() => {
    const panels = [...document.querySelectorAll('.panel')];
    const panel = panels.find((one) => one.getClientRects().length);
    const places = {};
    // A pad for numbers is a keypad of its own.
    if (panel?.querySelector('.digits')) return places;
    const note = (name, one) => {
        const box = one.getBoundingClientRect();
        const inside = one.closest('details:not(.key, .rank)');
        if (!box.width || (inside && !inside.open)) return;
        places[name] = name in places ? null : [box.left, box.top];
    };
    for (const key of panel?.querySelectorAll('.keys > .key, .ranks > *') ?? [])
        note(key.dataset.card ?? key.value ?? key.querySelector('.card')?.textContent, key);
    for (const one of panel?.querySelectorAll('button[name=entry]:not(.key)') ?? []) {
        const types = [...one.value.matchAll(/"type":"(\\w+)"/g)].map((found) => found[1]);
        if (types.length) note(types.at(-1), one);
    }
    return Object.fromEntries(Object.entries(places).filter(([, place]) => place));
}"""
# Places of the keys of a pad for numbers, and of the button below them.
PAD = """() => {
    const shown = (one) => one.getClientRects().length;
    const pad = [...document.querySelectorAll('.board .numbers')].find(shown);
    const keys = [...(pad?.querySelectorAll('.digits button, [data-stores]') ?? [])].filter(shown);
    const at = (one) => one.matches('[data-stores]') ? one.closest('button') : one;
    return Object.fromEntries(keys.map(at).map((one) => {
        const box = one.getBoundingClientRect();
        const isOff = box.top < 0 || box.bottom > innerHeight;
        return [one.name || one.textContent, [box.left, box.top, isOff]];
    }));
}"""
FAULTS = """() => {
    const away = '.sr, dialog, details:not([open]) > :not(summary), .recent[open] > div';
    const shown = (one) => one.getClientRects().length && !one.closest(away)
        && getComputedStyle(one).visibility !== 'hidden';
    const words = (one) => one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 30);
    const named = (one) => `${one.className || one.tagName} "${words(one)}"`;
    const form = document.querySelector('.board > form');
    const faults = [];
    const over = document.documentElement;
    if (over.scrollWidth > innerWidth) faults.push('the page is too wide');
    const high = over.scrollHeight - innerHeight;
    if (high > 0) faults.push(`the page is ${high} px too high`);
    const moving = (style) => [style.overflowX, style.overflowY].some((one) =>
        ['auto', 'scroll'].includes(one));
    const scroller = (one) => {
        for (let at = one.parentElement; at && at !== form; at = at.parentElement)
            if (moving(getComputedStyle(at))) return at;
        return null;
    };
    const boxes = [...form.querySelectorAll('a, button, summary, label, select')]
        .filter(shown).filter((one) => one.tagName === 'LABEL' || !one.closest('label'))
        .map((one) => {
            const [box, holder] = [one.getBoundingClientRect(), scroller(one)];
            const around = holder?.getBoundingClientRect() ?? box;
            const clip = {
                left: Math.max(box.left, around.left), right: Math.min(box.right, around.right),
                top: Math.max(box.top, around.top), bottom: Math.min(box.bottom, around.bottom),
            };
            // What a swipe along a line shows.
            const line = holder && holder.scrollHeight <= holder.clientHeight + 2;
            return { one, box, clip, line };
        });
    for (const { one, box, clip, line } of boxes) {
        if (line) continue;
        if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1)
            faults.push(`${named(one)} is outside`);
        else if (clip.bottom - clip.top < box.height - 2 || clip.right - clip.left < box.width - 2)
            faults.push(`${named(one)} is scrolled away`);
    }
    for (const [number, a] of boxes.entries()) for (const b of boxes.slice(number + 1)) {
        if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
        const wide = Math.min(a.clip.right, b.clip.right) - Math.max(a.clip.left, b.clip.left);
        const high = Math.min(a.clip.bottom, b.clip.bottom) - Math.max(a.clip.top, b.clip.top);
        // A card that beats another lies over it.
        if (wide > 2 && high > 2 && !b.one.matches('.over'))
            faults.push(`${named(a.one)} covers ${named(b.one)}`);
    }
    for (const one of form.querySelectorAll('*')) {
        if (!shown(one) || !one.textContent.trim() || one.clientWidth <= 1) continue;
        if (!['hidden', 'clip'].includes(getComputedStyle(one).overflowX)) continue;
        if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
            faults.push(`${named(one)} is cut`);
    }
    // A pad for numbers asks in its own words.
    const panels = [...document.querySelectorAll('.panel[data-panel=cards]')];
    const panel = panels.find((one) => one.getClientRects().length);
    const line = [...form.querySelectorAll('.ask')].find(shown)?.getBoundingClientRect();
    const said = line && line.height > 10 && line.top >= 0 && line.bottom <= innerHeight;
    if (panel && !panel.querySelector('.digits') && !said) faults.push('no line of what to do');
    return [...new Set(faults)];
}"""
# The highest band below the bar without text, picture or control, in CSS pixels.
BAND = """() => {
    const main = document.querySelector('main');
    const spans = [];
    const note = (box) => { if (box.width && box.height) spans.push([box.top, box.bottom]); };
    const range = document.createRange();
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const around = node.parentElement;
        if (!node.data.trim() || around.closest('.sr, template, script, [hidden]')) continue;
        if (getComputedStyle(around).visibility === 'hidden') continue;
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) note(box);
    }
    const controls = 'button, summary, label.pick, .laid, .slot, .gap, .key, svg';
    for (const one of main.querySelectorAll(controls))
        note(one.getBoundingClientRect());
    spans.sort((a, b) => a[0] - b[0]);
    let [reached, band] = [document.querySelector('.bar').getBoundingClientRect().bottom, 0];
    for (const [top, bottom] of spans) {
        if (top > innerHeight) break;
        band = Math.max(band, top - reached);
        reached = Math.max(reached, bottom);
    }
    return Math.max(band, innerHeight - reached);
}"""

# For each folded panel that is not in `known`: its name, how far a key moves while it is opened and
# closed, which key, and what is wrong with the panel. Of Dutch, also those that a slot shows.
PANELS = """async (known) => {
    const form = document.querySelector('.board > form');
    const shown = (one) => one.getClientRects().length
        && getComputedStyle(one).visibility !== 'hidden';
    const folded = (one) => one.closest('details:not([open])');
    const able = (one) => shown(one) && !one.closest('.sr')
        && !folded(one.matches('summary') ? one.parentElement.parentElement : one);
    const words = (one) => one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 30);
    const named = (one) => `${one.className || one.tagName} "${words(one)}"`;
    const places = (keys) => new Map(keys.map((one) => [one, one.getBoundingClientRect()]));
    const found = [];
    const measure = async (panel) => {
        const summary = panel.querySelector('summary');
        const name = named(panel).split(' ')[0] + ` ${words(summary)}`;
        if (panel.open || !able(summary) || known.includes(name)) return;
        known.push(name);
        const keys = [...form.querySelectorAll('a, button, summary, label')].filter(able);
        const before = places(keys);
        panel.open = true;
        while (panel.querySelector('[data-fill]')) await new Promise(requestAnimationFrame);
        // A sheet over the table takes its own heading along.
        const sheet = getComputedStyle(panel).position === 'fixed';
        const after = places(keys);
        const content = sheet ? panel : panel.querySelector(':scope > :not(summary)');
        const box = content?.getBoundingClientRect();
        const under = (at) => box && at.top >= box.top && at.bottom <= box.bottom;
        const hidden = keys.filter((one) => !able(one) && after.get(one).width
            || under(before.get(one)) && under(after.get(one)));
        const faults = [];
        if (box && (box.top < -1 || box.left < -1 || box.right > innerWidth + 1))
            faults.push(`${name} is outside`);
        if (content?.matches('[data-panel=cards] .above'))
            for (const one of keys.filter((key) => key.closest('.panel'))) {
                const at = after.get(one);
                const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
                if (content.contains(document.elementFromPoint(x, y)))
                    faults.push(`${name} covers ${named(one)}`);
            }
        panel.open = false;
        const back = places(keys);
        let [most, which] = [0, ''];
        for (const one of keys.filter((key) => !sheet || key !== summary)) {
            const at = before.get(one);
            for (const then of [hidden.includes(one) ? at : after.get(one), back.get(one)]) {
                const moved = then.width
                    ? Math.max(Math.abs(then.left - at.left), Math.abs(then.top - at.top)) : 999;
                if (moved > most) [most, which] = [moved, named(one)];
            }
        }
        found.push([name, most, which, faults]);
    };
    const all = async () => {
        for (const panel of form.querySelectorAll('details:not(.rank, .key, .combo)'))
            await measure(panel);
    };
    await all();
    const chosen = form.querySelector('[name="opens.place"]:checked');
    for (const which of ['.own', ':not(.own, .known)']) {
        const slot = form.querySelector(`.seats [name="opens.place"]${which}`);
        if (!slot) continue;
        slot.checked = true;
        await all();
        chosen.checked = true;
    }
    return found;
}"""


# Pixels that a key may move within a game.
SHIFT_MAX = 2
# From this height on, results fill the screen.
TALL = 640


class Screen(NamedTuple):
    width: int
    height: int


class Measures:
    """What one deal showed on one screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.shift, self.shifted = 0.0, ""
        self.band, self.band_at = 0.0, ""
        # The state in which a fault was first seen, by fault.
        self.faults: dict[str, str] = {}
        self._first: dict[str, tuple[float, float]] = {}
        self._opened: set[str] = set()

    async def take(self, page: Page, state: str) -> None:
        await page.set_viewport_size({"width": self.screen.width, "height": self.screen.height})
        self._compare(await page.evaluate(KEYS), state)
        await self._take_band(page, state)
        for fault in await page.evaluate(FAULTS):
            self.faults.setdefault(fault, state)

    async def take_result(self, page: Page, state: str) -> None:
        """Measure the empty band of a form without a keypad, on a tall screen."""
        if self.screen.height >= TALL:
            await page.set_viewport_size({"width": self.screen.width, "height": self.screen.height})
            await self._take_band(page, state)

    async def _take_band(self, page: Page, state: str) -> None:
        band: float = await page.evaluate(BAND) / self.screen.height
        if band > self.band:
            self.band, self.band_at = band, state

    async def take_panels(self, page: Page, state: str) -> None:
        """Open and close each panel that was not yet opened on this screen."""
        await page.set_viewport_size({"width": self.screen.width, "height": self.screen.height})
        found: list[tuple[str, float, str, list[str]]]
        found = await page.evaluate(PANELS, [*self._opened])
        for name, moved, which, faults in found:
            self._opened.add(name)
            if moved > self.shift:
                self.shift, self.shifted = moved, f"{which} with {name} open at {state}"
            for fault in faults:
                self.faults.setdefault(fault, state)

    async def take_pad(self, page: Page, state: str) -> None:
        """Note where the keys of a pad for numbers are, and which of them are off the screen."""
        await page.set_viewport_size({"width": self.screen.width, "height": self.screen.height})
        seen: dict[str, tuple[float, float, bool]] = await page.evaluate(PAD)
        assert "5" in seen, f"no pad at {state}"
        self._compare({name: (left, top) for name, (left, top, _) in seen.items()}, state)
        for name in (name for name, (*_, is_off) in seen.items() if is_off):
            self.faults.setdefault(f"{name} is off the screen", state)

    def _compare(self, places: Mapping[str, tuple[float, float]], state: str) -> None:
        for name, (left, top) in places.items():
            at = self._first.setdefault(name, (left, top))
            moved = max(abs(left - at[0]), abs(top - at[1]))
            if moved > self.shift:
                self.shift, self.shifted = moved, f"{name} at {state}"

    def __str__(self) -> str:
        width, height = self.screen
        faults = "".join(f"\n    {fault} at {state}" for fault, state in self.faults.items())
        return (
            f"{width} x {height}: keys move {self.shift:.0f} px ({self.shifted}), the largest "
            f"empty band is {self.band:.0%} ({self.band_at}), {len(self.faults)} faults{faults}"
        )
