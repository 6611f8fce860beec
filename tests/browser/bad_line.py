"""A person who records a true deal on a bad line: outages, lost answers, a second phone, slips."""

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import httpx
from playwright.async_api import Page, Route

from tests.browser.durak_table import BOUNCE_MS
from tests.browser.newcomer import Entry, Newcomer
from tests.browser.newcomer_games import PLAYERS
from tests.http.club import Game

DERIVED = {"started", "deal_ended", "game_ended", "note"}
# What the keypad without a network has keys for.
AWAY = {
    "euchre": {"pass", "order", "accept", "exchange", "name", "play"},
    "durak": {"attack", "beat", "pass_on", "take", "done"},
    "rami": {"draw", "take", "discard"},
    "dutch": {"draw", "take", "drop", "swap"},
}
CARD = ("with", "card", "cards")
STEPS_MAX = 200
SETTLED = """() => Boolean(document.querySelector('dialog[open]'))
    || (!document.querySelector('[data-pending] li') && !document.querySelector('.offline'))"""
WAITING = """async (game) => {
    const asked = indexedDB.open('carnet', 1);
    const done = (request) => new Promise((told) => {
        request.onsuccess = () => told(request.result);
    });
    const database = await done(asked);
    const taps = await done(database.transaction('taps').objectStore('taps').getAll());
    database.close();
    return taps.filter((tap) => tap.game === game && !tap.undo).map((tap) => tap.entries);
}"""
# The key without a network that enters this, or the summary that must be tapped before it.
KEY = """([card, entry]) => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const same = (one, field) => JSON.stringify(one) === JSON.stringify(entry[field]);
    const fits = (button) => {
        const said = [JSON.parse(button.value)].flat().at(-1);
        if (card) return button.dataset.card === card
            && ('slot' in said) === ('slot' in entry) && said.type !== 'snap'
            && !button.closest('[data-when="deal"]');
        return said.type === entry.type && ['take', 'discard', 'suit'].every((field) =>
            !(field in entry) || entry.type === 'take' || same(said[field], field))
            && (entry.type !== 'done' || (said.seat === null) === (entry.seat === null));
    };
    const all = [...document.querySelectorAll('.offline-pad button[name=entry]')].filter(fits);
    const key = all.find(shown);
    if (key) return key;
    return all.map((one) => one.closest('details.rank')?.querySelector('summary'))
        .find((one) => one && shown(one)) ?? null;
}"""


def bare(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name not in {"at", "unsure"}}


def laid(entry: Entry) -> str | None:
    for field in CARD:
        card = entry.get(field)
        if card:
            return str(card[0] if isinstance(card, list) else card)
    return None


class BadLine:
    def __init__(
        self,
        page: Page,
        game: Game,
        ruleset: str,
        names: Sequence[str],
        truth: list[Entry],
        seed: int,
    ) -> None:
        self.page, self.game, self.ruleset, self.truth = page, game, ruleset, truth
        self.chance = Random(seed)  # noqa: S311 games, not secrets
        self.player = PLAYERS[ruleset](Newcomer(page, "en", ruleset, names))
        self.meant = [bare(entry) for entry in truth]
        self.sent: list[Entry] = []
        self.counts = dict.fromkeys(("outages", "lost", "facts", "slips", "questions", "undone"), 0)
        self._line = "good"

    async def open(self) -> None:
        await self.page.route(re.compile(r"/(outbox|board)\?"), self._pass)
        await self.page.goto(f"/games/{self.game.id}")
        await self.page.wait_for_selector("html[data-ready]", state="attached")

    async def _pass(self, route: Route) -> None:
        posted = route.request.post_data
        if posted:
            self.sent += [bare(one) for one in json.loads(posted)["entries"]]
        if self._line == "down":
            await route.abort()
        elif self._line == "lossy" and posted:
            self._line = "good"
            await route.fetch()
            await route.abort()
        else:
            await route.continue_()

    async def record(self) -> None:
        for _ in range(STEPS_MAX):
            await self._settle()
            log = await self.log()
            done = len(self.agreed(log))
            if done < len(log):
                await self._undo()
            elif done == len(self.truth):
                return
            else:
                await self._go_on(done)
        raise AssertionError("the deal does not end")

    async def log(self) -> list[Entry]:
        found = await self.game.get("/entries", effective="true")
        return [bare(one["entry"]) for one in found["entries"] if one["type"] not in DERIVED]

    def agreed(self, log: list[Entry]) -> list[Entry]:
        found: list[Entry] = []
        for one, true in zip(log, self.truth, strict=False):
            if one != bare(true):
                break
            found.append(one)
        return found

    async def _go_on(self, at: int) -> None:
        roll = self.chance.random()
        if roll < 0.4 and await self._outage(at):
            return
        if roll < 0.5:
            self.counts["lost"] += 1
            self._line = "lossy"
        elif roll < 0.58 and self.truth[at]["type"] != "deal":
            await self._slip_online()
            return
        await self._tap_group(at)

    async def _tap_group(self, at: int) -> int:
        end = at + 1
        while end < len(self.truth) and await self.player.together(
            self.truth[end - 1], self.truth[end]
        ):
            end += 1
        await self.page.wait_for_timeout(BOUNCE_MS)
        await self.player.tap(self.truth[at:end])
        return end

    async def _outage(self, at: int) -> bool:
        able = AWAY[self.ruleset]
        end = at
        while end < len(self.truth) and self._can_be_tapped(self.truth[end], able):
            end += 1
        if end - at < 3 or self.truth[at]["type"] == "swap":
            return False
        self.counts["outages"] += 1
        self._line = "down"
        next_ = await self._tap_group(at)
        await self.page.wait_for_selector(".offline")
        await self._second_phone(at)
        end = min(end, next_ + self.chance.randint(1, 8))
        wrong = (
            self.chance.randrange(next_, end) if self.chance.random() < 0.4 and end > next_ else -1
        )
        slipped = False
        for number in range(next_, end):
            entry = self.truth[number]
            if number == wrong:
                slipped = True
                self.counts["slips"] += 1
                await self._slip_away(entry)
                if self.chance.random() < 0.5:
                    continue
            await self._tap_away(entry, check=not slipped)
        self._line = "good"
        return True

    def _can_be_tapped(self, entry: Entry, able: set[str]) -> bool:
        several = len(entry.get("cards", "1")) > 1
        seen = entry["type"] == "draw" and "card" in entry
        named = entry.get("discard", "??") != "??"
        return (
            entry["type"] in able
            and not several
            and not seen
            and not named
            and entry.get("slot", 0) < 6
        )

    async def _tap_away(self, entry: Entry, *, check: bool) -> None:
        before = await self.waiting()
        if not await self._press_away(entry):
            assert not check, f"no key for {entry} after {before}"
            return
        await self._pick(entry)
        after = await self.waiting()
        if len(after) == len(before):
            assert not check, f"{entry} was not taken after {before}"
            return
        if check:
            assert bare(after[-1][-1]) == bare(entry), (after[-1], entry)
        self.meant += [bare(one) for one in after[-1]]

    async def _press_away(self, entry: Entry) -> bool:
        throws = self.page.locator(".offline-pad .modes label:visible").first
        if self.ruleset == "rami" and entry["type"] == "discard" and await throws.count():
            await throws.tap()
        if self.ruleset == "dutch":
            slot = entry.get("slot", "")
            place = f'.offline-pad label.slot:has([name="open.slot"][value="{slot}"])'
            if not await self.page.locator(place).is_visible():
                return False
            await self.page.locator(place).tap()
        card = laid(entry) if entry["type"] not in {"take", "draw"} else None
        for _ in range(2):
            handle = await self.page.evaluate_handle(KEY, [card, entry])
            key = handle.as_element()
            if key is None:
                return False
            await self.page.wait_for_timeout(BOUNCE_MS)
            summary = await key.evaluate("(one) => one.tagName === 'SUMMARY'")
            if not await key.is_visible():
                return False
            await key.tap()
            if not summary:
                return True
        return True

    async def _pick(self, entry: Entry) -> None:
        asked = self.page.locator("dialog[open] [data-way=close]")
        if not await asked.count():
            return
        said = self.player.eyes.said(entry)
        wanted = asked.filter(has_text=re.compile(f"^{re.escape(said)}$"))
        await (wanted if await wanted.count() else asked.first).tap()

    async def waiting(self) -> list[list[Entry]]:
        await self.page.wait_for_timeout(30)
        found: list[list[Entry]] = await self.page.evaluate(WAITING, self.game.id)
        return found

    async def _slip_away(self, entry: Entry) -> None:
        keys = self.page.locator(
            ".offline-pad .key:not(.tapped):visible, .offline-pad .act:visible"
        )
        count = await keys.count()
        if not count:
            return
        before = await self.waiting()
        await self.page.wait_for_timeout(BOUNCE_MS)
        await keys.nth(self.chance.randrange(count)).tap()
        await self._pick(entry)
        after = await self.waiting()
        if len(after) > len(before):
            self.meant += [bare(one) for one in after[-1]]

    async def _slip_online(self) -> None:
        keys = self.page.locator(
            ".panel:not(.offline-pad, [hidden]) button.key[data-card]:not(.dim, .fills *):visible"
        )
        count = await keys.count()
        if not count:
            return
        self.counts["slips"] += 1
        key = keys.nth(self.chance.randrange(count))
        said = json.loads(await key.get_attribute("value") or "null")
        self.meant += [bare(one) for one in (said if isinstance(said, list) else [said])]
        before = await self.page.locator(".board").get_attribute("data-version")
        await self.page.wait_for_timeout(BOUNCE_MS)
        if await self.page.locator(".modes :checked[value=lay]:visible").count():
            return  # a key that lays enters nothing by itself
        await key.tap()
        await self.page.wait_for_function(
            """(before) => document.querySelector('dialog[open]')
                || document.querySelector('.board').dataset.version !== before""",
            arg=before,
        )

    async def _second_phone(self, at: int) -> None:
        """Let somebody else record what is true, or a note, or something else in its place."""
        if self.chance.random() < 0.5:
            return
        self.counts["facts"] += 1
        facts = [bare(one) for one in self.truth[at : at + self.chance.randint(1, 3)]]
        if self.chance.random() < 0.3:
            facts = [{"type": "note", "text": "tea"}]
        elif self.chance.random() < 0.5:
            facts = [*facts[:-1], self._other(facts[-1])]
        for fact in facts:
            self.game.version = (await self.game.view())["version"]
            answer = await self.game.send(fact)
            if answer.status_code != httpx.codes.CREATED:
                return

    def _other(self, entry: Entry) -> Entry:
        card = laid(entry)
        if card is None:
            return {"type": "note", "text": "rain"}
        for field in CARD:
            if entry.get(field):
                other = self.chance.choice("AKQJT9") + self.chance.choice("SHDC")
                return entry | {field: [other] if isinstance(entry[field], list) else other}
        return entry

    # --- what a person answers and mends

    async def _settle(self) -> None:
        while True:
            await self.page.wait_for_function(SETTLED)
            dialog = self.page.locator("dialog[open]")
            if not await dialog.count():
                return
            self.counts["questions"] += 1
            ways = await dialog.locator("[data-way]").evaluate_all(
                "(all) => all.map((one) => one.dataset.way).filter((way) => way !== 'waive')"
            )
            way = self.chance.choice(sorted(set(ways)))
            await dialog.locator(f"[data-way={way}]").first.tap()
            if way == "right":
                await self._put_right()
            else:
                await self.page.wait_for_timeout(200)

    async def _put_right(self) -> None:
        log = await self.log()
        done = len(self.agreed(log))
        fits = done == len(log) and done < len(self.truth)
        if fits and self._can_be_tapped(self.truth[done], AWAY[self.ruleset]):
            await self._tap_group(done)
            await self.page.wait_for_timeout(200)
            return
        await self.page.reload()
        await self.page.wait_for_selector("html[data-ready]", state="attached")

    async def _undo(self) -> None:
        self.counts["undone"] += 1
        board = self.page.locator(".board")
        view: dict[str, Any] = await self.game.view()
        await self.page.wait_for_selector(f'.board[data-version="{view["version"]}"]')
        before = await board.get_attribute("data-version")
        await self.page.locator("[data-undo]").tap()
        await self.page.wait_for_selector(f'.board:not([data-version="{before}"])')
