"""A recorder of a true deal on a bad connection: outages, lost answers, a second phone, slips.

Slips are wrong keys and forgotten or doubled turns; they are noticed later and corrected.
"""

import json
import logging
import re
import time
from collections.abc import Awaitable, Sequence
from random import Random
from typing import Any

import httpx
from playwright.async_api import Locator, Page, Route

from tests.browser.durak_table import BOUNCE_MS
from tests.browser.newcomer import Entry, Newcomer
from tests.browser.newcomer_games import PLAYERS, DutchPlayer
from tests.browser.table import ENTERED, ENTERING
from tests.http.club import DERIVED, Game

UNCOMPARED = {*DERIVED, "note"}
# Entry types of the offline keypad.
AWAY = {
    "euchre": {"pass", "order", "accept", "exchange", "name", "play"},
    "durak": {"attack", "beat", "pass_on", "take", "done"},
    "rami": {"draw", "take", "discard"},
    "dutch": {"draw", "take", "drop", "swap"},
}
CARD = ("with", "card", "cards")
# Entries of one tap on a card, implied ones included: these turns are forgotten or doubled.
PLAIN = {
    "euchre": {"play"},
    "durak": {"attack", "beat"},
    "rami": {"draw", "discard"},
    "dutch": {"draw", "drop"},
}
FOLLOWING_MAX = 3
STEPS_MAX = 400
COUNTED = (
    *("outages", "lost", "facts", "wrong", "forgotten", "doubled"),
    *("questions", "undone", "corrected", "inserted", "removed", "not offered"),
)
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
# A tap was recorded, or a dialog asks about it.
TAKEN = """(before) => document.querySelector('dialog[open]')
    || document.querySelector('.board').dataset.version !== before"""
LAYING = ".modes :checked[value=lay]:visible, [data-owed]:visible"
# The key that enters these entries, or the summary that must be tapped before it.
EXACTLY = (
    f"""(wanted) => {{
    const entered = {ENTERED};
    const buttons = '.panel:not(.offline-pad, [hidden]) {ENTERING}';
"""
    """
    const sorted = (value) => value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, value[key]])) : value;
    const text = (entries) => JSON.stringify([entries].flat().map(sorted));
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const found = [...document.querySelectorAll(buttons)]
        .filter((one) => one.value && text(entered(one)) === text(wanted));
    return found.find(shown)
        ?? found.map((one) => one.closest('details')?.querySelector('summary'))
            .find((one) => one && shown(one)) ?? null;
}"""
)
# The key without a network that enters this, or the summary that must be tapped before it.
KEY = (
    f"""([card, entry]) => {{
    const entered = {ENTERED};
    const buttons = '.offline-pad {ENTERING}';
"""
    """
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const same = (one, field) => JSON.stringify(one) === JSON.stringify(entry[field]);
    const fits = (button) => {
        const said = [entered(button)].flat().at(-1);
        if (card) return button.name !== 'entry' && button.value === card
            && ('slot' in said) === ('slot' in entry) && said.type !== 'snap'
            && !button.closest('[data-when="deal"]');
        return said.type === entry.type && ['take', 'discard', 'suit'].every((field) =>
            !(field in entry) || entry.type === 'take' || same(said[field], field))
            && (entry.type !== 'done' || (said.seat === null) === (entry.seat === null));
    };
    const all = [...document.querySelectorAll(buttons)].filter(fits);
    const key = all.find(shown);
    if (key) return key;
    return all.map((one) => one.closest('details.rank')?.querySelector('summary'))
        .find((one) => one && shown(one)) ?? null;
}"""
)


def bare(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name not in {"at", "unsure"}}


def seatless(entries: Sequence[Entry]) -> list[Entry]:
    return [
        {name: value for name, value in bare(entry).items() if name != "seat" or value is None}
        for entry in entries
    ]


def laid(entry: Entry) -> str | None:
    for field in CARD:
        card = entry.get(field)
        if card:
            return str(card[0] if isinstance(card, list) else card)
    return None


def top_of(log: Sequence[Entry]) -> str:
    """Return the card on top of the pile of Dutch."""
    top = ""
    for entry in log:
        if entry["type"] == "deal":
            top = entry["up"]
        elif entry["type"] in {"swap", "drop"} or (
            entry["type"] == "snap" and entry["card"][0] == top[0]
        ):
            top = entry["card"]
    return top


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
        self.counts = dict.fromkeys(COUNTED, 0)
        self._line = "good"
        self._tapped = 0.0

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
                if not await self._correct(log, done):
                    await self._undo()
            elif done == len(self.truth):
                return
            else:
                await self._go_on(done)
        raise AssertionError("the deal does not end")

    async def log(self) -> list[Entry]:
        found = await self.game.get("/entries", effective="true")
        return [bare(one["entry"]) for one in found["entries"] if one["type"] not in UNCOMPARED]

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
        elif roll < 0.72 and await self._miss_turn(at):
            return
        await self._tap_group(at)

    async def _tap_group(self, at: int) -> int:
        end = at + 1
        while end < len(self.truth) and await self.player.together(
            self.truth[end - 1], self.truth[end]
        ):
            end += 1
        await self._tap_all(self.truth[at:end], self.truth[:at])
        return end

    async def _tap_all(self, entries: list[Entry], before: list[Entry]) -> None:
        if isinstance(self.player, DutchPlayer):
            self.player.top = top_of(before)
        await self._lift()
        if not await self._tap_exactly(entries):
            await self.player.tap(entries)
        self._tapped = time.monotonic()

    async def _tap_exactly(self, entries: list[Entry]) -> bool:
        """Tap the key that enters just that; to find it by its name is slow."""
        wanted = [bare(one) for one in entries]
        for _ in range(2):
            handle = await self.page.evaluate_handle(EXACTLY, wanted)
            key = handle.as_element()
            if key is None:
                return False
            folded = await key.evaluate("(one) => one.tagName === 'SUMMARY'")
            await key.tap()
            if not folded:
                return True
        return False

    async def _lift(self) -> None:
        """Wait until a tap on the key tapped last is no bounce."""
        left_ms = BOUNCE_MS - 1000 * (time.monotonic() - self._tapped)
        if left_ms > 0:
            await self.page.wait_for_timeout(left_ms)

    def _turn(self, at: int) -> int:
        """Return how many entries one tap on a card enters there; 0: it takes more."""
        entries = self.truth[at : at + 2]
        if not entries or entries[0]["type"] != "draw":
            entries = entries[:1]
        elif "card" in entries[0]:
            return 0
        plain = all(one["type"] in PLAIN[self.ruleset] for one in entries) and entries
        one_card = plain and len(entries[-1].get("cards", "1")) == 1 and laid(entries[-1])
        return len(entries) if one_card and entries[-1]["type"] != "draw" else 0

    async def _miss_turn(self, at: int) -> bool:
        """Skip or double a turn, and continue for some turns until it is noticed."""
        forgotten = self.chance.random() < 0.5
        size = self._turn(at) if forgotten else self._turn_before(at)
        next_ = at + size if forgotten else at - size
        if not size or not self._turn(next_):
            return False
        self.counts["forgotten" if forgotten else "doubled"] += 1
        before = len(self.sent)
        for _ in range(self.chance.randint(1, FOLLOWING_MAX)):
            turn = self.truth[next_ : next_ + self._turn(next_)]
            if not turn or not await self._tap_as_offered(turn):
                break
            next_ += len(turn)
        self.meant += self.sent[before:]
        return True

    def _turn_before(self, at: int) -> int:
        return next((size for size in (2, 1) if at > size and self._turn(at - size) == size), 0)

    async def _tap_as_offered(self, turn: list[Entry]) -> bool:
        """Tap a card that need not be offered; False: it is not, or a question is open."""
        card = laid(turn[-1])
        panel = ".panel:not(.offline-pad, [hidden])"
        keys = self.page.locator(f'{panel} button.key[value="{card}"]')
        if not await keys.count() or await self.page.locator("dialog[open]").count():
            return False
        before_version = await self.page.locator(".board").get_attribute("data-version")
        rank = f'{panel} .rank:has([value="{card}"]) summary:visible'
        folded = self.page.locator(rank)
        if await folded.count():
            await folded.first.tap()
        key = keys.locator("visible=true").first
        if not await key.count() or await self.page.locator(LAYING).count():
            return False
        await self._lift()
        await key.tap()
        self._tapped = time.monotonic()
        await self.page.wait_for_function(TAKEN, arg=before_version)
        return not await self.page.locator("dialog[open]").count()

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
        slip = self.chance.choice(("wrong", "forgotten", "doubled"))
        place = (
            self.chance.randrange(next_, end) if self.chance.random() < 0.5 and end > next_ else -1
        )
        for number in range(next_, end):
            entry = self.truth[number]
            if number == place:
                self.counts[slip] += 1
                if slip == "wrong":
                    await self._slip_away(entry)
                if slip == "forgotten" or (slip == "wrong" and self.chance.random() < 0.5):
                    continue
                if slip == "doubled":
                    await self._tap_away(entry, check=False)
            await self._tap_away(entry, check=place < 0 or number < place)
        self._line = "good"
        await self.page.evaluate("dispatchEvent(new Event('online'))")
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
            await self._lift()
            summary = await key.evaluate("(one) => one.tagName === 'SUMMARY'")
            if not await key.is_visible():
                return False
            await key.tap()
            if not summary:
                self._tapped = time.monotonic()
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
        await self._lift()
        await keys.nth(self.chance.randrange(count)).tap()
        self._tapped = time.monotonic()
        await self._pick(entry)
        after = await self.waiting()
        if len(after) > len(before):
            self.meant += [bare(one) for one in after[-1]]

    async def _slip_online(self) -> None:
        keys = self.page.locator(
            ".panel:not(.offline-pad, [hidden]) [name^='key.']:not(.dim, .fills *):visible"
        )
        count = await keys.count()
        if not count:
            return
        self.counts["wrong"] += 1
        key = keys.nth(self.chance.randrange(count))
        said = await key.evaluate(ENTERED)
        self.meant += [bare(one) for one in (said if isinstance(said, list) else [said])]
        before = await self.page.locator(".board").get_attribute("data-version")
        await self._lift()
        if await self.page.locator(LAYING).count():
            return  # a key that lays enters nothing by itself
        await key.tap()
        self._tapped = time.monotonic()
        await self.page.wait_for_function(TAKEN, arg=before)

    async def _second_phone(self, at: int) -> None:
        """Record the true entry, a note or a wrong entry from another phone."""
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

    # --- answers to questions, and corrections

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

    async def _correct(self, log: list[Entry], at: int) -> bool:
        """Correct a slip by the pages if the entries after it are true except for their players."""
        if at and self._turn(at - 1) == 2:
            at -= 1
        wrong = seatless(log[at:])
        size, size_before = self._turn(at), self._turn_before(at)

        def follows(entries: Sequence[Entry], place: int) -> bool:
            return len(entries) > 0 and entries == seatless(
                self.truth[place : place + len(entries)]
            )

        if size and follows(wrong, at + size):
            right = at + size + len(wrong)
            way = self._insert(at, self.truth[at + size - 1])
            return await self._put("inserted", way, right)
        if size_before and follows(wrong[:size_before], at - size_before):
            if wrong[size_before:] and not follows(wrong[size_before:], at):
                return False
            return await self._put("removed", self._remove(at), at + len(wrong) - size_before)
        tapped = log[at + size - 1 : at + size]
        if size and tapped and self._differs_by_card(tapped[0], self.truth[at + size - 1]):
            if (
                log[at + size :]
                != [bare(one) for one in self.truth[at + size :]][: len(log) - at - size]
            ):
                return False
            way = self._amend(at + size - 1, self.truth[at + size - 1])
            return await self._put("corrected", way, len(log))
        return False

    def _differs_by_card(self, entry: Entry, true: Entry) -> bool:
        names = ("type", "seat", "card") if true["type"] == "beat" else ("type", "seat")
        return set(entry) == set(bare(true)) and all(
            entry.get(name) == true.get(name) for name in names
        )

    async def _put(self, what: str, way: Awaitable[bool], right: int) -> bool:
        done = await way
        self.counts[what if done else "not offered"] += 1
        if not done:
            logging.getLogger(__name__).info("not offered: %s, %s", what, self.page.url)
        await self.page.goto(f"/games/{self.game.id}")
        await self.page.wait_for_selector("html[data-ready]", state="attached")
        if done:
            found = await self.log()
            assert found == [bare(one) for one in self.truth[:right]], (what, found)
        return done

    async def _version_at(self, place: int) -> tuple[int, int]:
        found = await self.game.get("/entries", effective="true")
        entries = [one for one in found["entries"] if one["type"] not in UNCOMPARED]
        return entries[place]["version"], entries[place].get("part", 0)

    async def _open_entry(self, place: int) -> bool:
        """Open the page that corrects an entry, from the entries of this deal."""
        version, part = await self._version_at(place)
        at = f"?part={part}" if part else ""
        await self.page.goto(f"/games/{self.game.id}/correct/{version}{at}")
        return True

    async def _insert(self, at: int, card: Entry) -> bool:
        whole = self._turn(at + self._turn(at)) == 2
        await self._open_entry(at + 1 if whole else at)
        before = "Something was forgotten before this turn" if whole else "Insert before"
        await self._main("a", before).tap()
        await self.page.wait_for_url(re.compile(r"before=1"))
        return await self._key_and_confirm(card, r"^Insert it, and shift|^Correct it$")

    async def _remove(self, at: int) -> bool:
        await self._open_entry(at + self._turn_before(at) - 1)
        await self._main("button", "It never happened").tap()
        return await self._confirm(r"^Remove it, and shift|^Correct it$")

    async def _amend(self, place: int, entry: Entry) -> bool:
        await self._open_entry(place)
        return await self._key_and_confirm(entry, r"^Correct it$")

    def _main(self, kind: str, text: str) -> Locator:
        return self.page.locator(f"main {kind}", has_text=re.compile(text))

    async def _key_and_confirm(self, entry: Entry, text: str) -> bool:
        card = laid(entry)
        key = self.page.locator(f'main .key[value="{card}"]')
        shown = key.locator("visible=true")
        if not await shown.count():
            folded = self.page.locator(f'main .rank:has([value="{card}"]) summary:visible')
            if not await folded.count():
                return False
            await folded.first.tap()
        await shown.first.tap()
        return await self._confirm(text)

    async def _confirm(self, text: str) -> bool:
        await self.page.wait_for_url(re.compile(r"/preview|/games/[0-9a-f-]{36}$"))
        if "/preview" not in self.page.url:
            return True
        button = self._main("button[name=entries]", text)
        if not await button.count():
            return False
        await button.first.tap()
        await self.page.wait_for_url(re.compile(r"/games/[0-9a-f-]{36}$"))
        return True

    async def _undo(self) -> None:
        self.counts["undone"] += 1
        board = self.page.locator(".board")
        view: dict[str, Any] = await self.game.view()
        await self.page.wait_for_selector(f'.board[data-version="{view["version"]}"]')
        before = await board.get_attribute("data-version")
        await self.page.locator("[data-undo]").tap()
        await self.page.wait_for_selector(f'.board:not([data-version="{before}"])')
