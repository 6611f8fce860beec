"""Results typed with the habits of a table: the log holds what was noted on paper.

Habits, pace, screens, languages, outages and interruptions are drawn from a seed.
`dev.py test --deep` types more than three hundred results; `CARNET_EVENINGS` counts the evenings.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Page, Request, Route, ViewportSize, expect

from tests.browser.conftest import SMALL, Phone
from tests.browser.hands import HABITS, LOOK_MS, LOOKS_MAX, Hands
from tests.browser.line import lose_line
from tests.browser.notes import KINDS, PEOPLE, Entry, Kind, Note, dutch, rami, typed
from tests.browser.table import Table
from tests.browser.test_rami import LAST_HAND
from tests.browser.test_rows_revealed import SAID
from tests.depth import run_size
from tests.http.club import Game, Json, add_player

SIZES: tuple[ViewportSize, ...] = (
    SMALL,
    {"width": 390, "height": 664},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
)
LANGUAGES = ("fr", "de", "en")
RESULTS = 4
DEAL_MS = 1100
# What stands in an entry and on no paper.
UNNOTED = {"at", "dealer", "reason"}
# How often the arrow is pressed once too often.
INSISTS = 0.3
PACES_MS = ((0, 30), (0, 30), (0, 30), (100, 300))
PACES_DEEP_MS = (*PACES_MS, (100, 1000), (1000, 3000))
LINES = ("good", "good", "good", "away", "breaks", "gone", "lost")
INTERRUPTIONS = ("none", "none", "lock", "reload", "leave")
HIDE = """(state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


Event = Callable[[], Awaitable[None]]


class Evening:
    """A game whose results are typed one after the other; `paper` is what the log must hold."""

    def __init__(self, hands: Hands, game: Game, kind: Kind) -> None:
        self.hands, self.page, self.chance = hands, hands.page, hands.chance
        self.game, self.kind = game, kind
        self.names = list(PEOPLE[: kind.seats])
        self.paper: list[Entry] = []
        self.is_away = False
        # Whether the paper says that the game is over.
        self.is_over = False

    async def type(
        self, note: Note, line: str = "good", interruption: str = "none", *, insists: bool = False
    ) -> None:
        """Type one result; the line and the interruption come at moments drawn by chance."""
        __tracebackhide__ = True
        hands = self.hands
        carried, self.is_away = self.is_away, False
        line = "good" if carried else line
        hands.events = self._events(note, line, interruption, carried=carried)
        if not note.answers:
            # No deal is played in a second: the page would ask whether it was tapped twice.
            await self.page.wait_for_timeout(DEAL_MS)
        await self.agree()
        await hands.meet("before")
        if self.kind.ruleset == "euchre":
            await self._tap_tricks(note)
        for at, words in enumerate(note.asked if self.kind.ruleset != "euchre" else ()):
            await hands.tap(words if words in self.names else hands.words(words))
            if not note.answers and at:
                await hands.meet("in")
        if note.answers:
            await hands.type(note.answers, filled=note.filled, insists=insists)
            await hands.expect_fields(self.shown(note))
            await hands.send()
        self.paper.append(note.entry)
        for moment in tuple(hands.events):
            await hands.meet(*moment)
        self.is_over = await self._ends()
        if line in {"away", "breaks", "gone"}:
            await self._come_back(note)
        if not self.is_away:
            await self.expect_paper()
            await self.page.unroute_all()

    async def _come_back(self, note: Note) -> None:
        """Look at what waits; the line comes back now, or in the middle of the next number."""
        waiting = self.page.locator("[data-pending] li").last
        await expect(waiting).to_be_attached()
        if note.answers:
            for name, answer in note.answers.items():
                if not answer.key:
                    await expect(waiting).to_contain_text(name)
        if self.is_over:
            await self._expect_end()
        elif note.answers:
            asked = await self.hands.fields(list(note.answers))
            if asked:
                assert {name: one.value for name, one in asked.items()} == dict.fromkeys(asked, "")
                assert next(iter(asked.values())).chosen, "the first player is not chosen"
        self.is_away = self.chance.random() < 0.5 and not self.is_over
        if not self.is_away:
            await self.page.context.set_offline(offline=False)

    async def _ends(self) -> bool:
        """Return whether the game is over with the results on paper, as the service judges them."""
        log = await self.game.log()
        written = [line for line in log if line["type"] == "result"]
        waiting = {"entries": self.paper[len(written) :]}
        if not waiting["entries"]:
            return bool((await self.game.view())["status"] == "finished")
        at = f"{self.game.path}/at/{log[-1]['version']}/preview"
        answer = await self.game.http.post(at, json=waiting)
        assert answer.status_code == httpx.codes.OK, answer.text
        return bool(answer.json()["state"]["status"] == "finished")

    async def _expect_end(self) -> None:
        """Check that a phone without a line says that the game is over, and asks for nothing."""
        __tracebackhide__ = True
        over = await self.hands.find(
            lambda one: (
                one.kind == "button" and one.name.startswith(self.hands.words("Undo: %(entry)s"))
            ),
            "undo",
        )
        assert over.is_free
        seen = await self.hands.look()
        left = [one.name for one in seen if one.kind == "input" or one.words in {*"0123456789→"}]
        assert left == [], f"the game is over; still asked: {left}"

    def shown(self, note: Note) -> dict[str, str]:
        says = {"Sat out": "sat out", "Not opened": "not opened"}
        return {
            name: self.hands.words(says[answer.key]) if answer.key else answer.stands
            for name, answer in note.answers.items()
        }

    async def agree(self) -> None:
        """Agree to how the deal before has ended, where that is asked."""
        if await self.hands.sees("Next deal"):
            await self.hands.tap(self.hands.words("Next deal"), "button")

    async def _tap_tricks(self, note: Note) -> None:
        maker, _, tricks = note.asked[0].partition(":")
        column = self.names[int(maker)]
        await self.hands.touch(
            await self.hands.find(
                lambda one: bool(re.match(rf"{column}\D+{tricks}\D", f"{one.name}.")), note.asked[0]
            )
        )

    # --- what happens meanwhile

    def _events(
        self, note: Note, line: str, interruption: str, *, carried: bool
    ) -> dict[tuple[str, int], Event]:
        events: dict[tuple[str, int], Event] = {}
        at = self.chance.randrange(max(len(note.answers), 1))
        if carried:
            events["in", at] = self._reconnect
        elif line in {"away", "breaks", "gone"}:
            moments = {"away": ("before", 0), "breaks": ("in", at), "gone": ("after", at)}
            events[moments[line] if note.answers else ("before", 0)] = self._disconnect
        elif line == "lost":
            events["before", 0] = self._lose_answers
        if interruption != "none" and note.answers and line in {"good", "lost"} and not carried:
            events["in", at] = {
                "lock": self.lock,
                "reload": self.reload,
                "leave": self._leave,
            }[interruption]
        return events

    async def _disconnect(self) -> None:
        await lose_line(self.page.context)

    async def _reconnect(self) -> None:
        await self.page.context.set_offline(offline=False)
        await self.hands.expect_sent()

    async def _lose_answers(self) -> None:
        """Drop the first answer of the service after it has stored the entry."""
        lost: list[Request] = []

        async def drop(route: Route) -> None:
            if lost:
                await route.continue_()
            else:
                lost.append(route.request)
                await route.fetch()
                await route.abort()

        await self.page.route(re.compile(r"/outbox\?"), drop)

    async def lock(self) -> None:
        await self.page.evaluate(HIDE, "hidden")
        await self.page.wait_for_timeout(50)
        await self.page.evaluate(HIDE, "visible")

    async def reload(self) -> None:
        await self.page.reload()
        await Table(self.page, self.game.id).ready()

    async def _leave(self) -> None:
        await self.page.goto("/games")
        await self.page.go_back()
        await Table(self.page, self.game.id).ready()

    # --- paper

    async def expect_paper(self, kind: str = "result") -> None:
        __tracebackhide__ = True
        log: list[Json] = []
        written: list[Json] = []
        for _ in range(LOOKS_MAX):
            log = await self.game.log()
            written = [line["entry"] for line in log if line["type"] == kind]
            if len(written) >= len(self.paper):
                break
            await self.page.wait_for_timeout(LOOK_MS)
        if kind == "result":
            await self.hands.expect_board(len(log))
            await self.hands.expect_sent()
        bare = [{key: entry[key] for key in entry if key not in UNNOTED} for entry in written]
        assert bare == self.paper, f"the log has {bare}, the paper {self.paper}"


def reload(page: Page) -> Event:
    async def happens() -> None:
        await page.reload()
        await page.wait_for_selector("html[data-numbered]", state="attached")

    return happens


def leave(page: Page) -> Event:
    async def happens() -> None:
        await page.goto("/games")
        await page.go_back()
        await page.wait_for_selector("html[data-numbered]", state="attached")

    return happens


async def start(http: httpx.AsyncClient, kind: Kind) -> Game:
    players = [await add_player(http, name) for name in PEOPLE[: kind.seats]]
    body: dict[str, object] = {"ruleset": kind.ruleset, "options": kind.options, "players": players}
    if kind.ruleset == "scores":
        named = await http.post("/api/titles", json={"name": uuid4().hex[:8]})
        body["title"] = named.json()["id"]
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == httpx.codes.CREATED, answer.text
    return Game(http, answer.json())


async def sit_down(page: Page, http: httpx.AsyncClient, hands: Hands, kind: Kind) -> Evening:
    evening = Evening(hands, await start(http, kind), kind)
    await Table(page, evening.game.id).open("?by=result")
    return evening


@pytest.mark.parametrize("seed", range(run_size(11, deep=88, variable="CARNET_EVENINGS")))
async def test_the_log_equals_the_notes(phone: Phone, http: httpx.AsyncClient, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 games, not secrets
    kind = KINDS[list(KINDS)[seed % len(KINDS)]]
    language = LANGUAGES[seed // 2 % len(LANGUAGES)]
    page = await phone.page(language=language, viewport=SIZES[seed % len(SIZES)])
    paces = run_size(0, deep=1, variable="CARNET_SLOW")
    hands = Hands(page, language, chance, chance.choice(PACES_DEEP_MS if paces else PACES_MS))
    evening = await sit_down(page, http, hands, replace(kind, options=kind.options | kind.ends))
    for number in range(RESULTS):
        hands.habit = HABITS[(seed + number) % len(HABITS)]
        line = chance.choice(LINES) if number < RESULTS - 1 else "good"
        note = kind.draw(chance, evening.names)
        interruption = chance.choice(INTERRUPTIONS)
        print(f"seed {seed}, {number}: {hands.habit}, {line}, {interruption}, {note}")  # noqa: T201
        insists = chance.random() < INSISTS
        await evening.type(note, line, interruption, insists=insists)
        if evening.is_over:
            break


@pytest.mark.parametrize("seed", range(run_size(4, deep=40, variable="CARNET_EVENINGS")))
async def test_a_corrected_result_equals_the_notes(
    phone: Phone, http: httpx.AsyncClient, seed: int
) -> None:
    chance = Random(seed)  # noqa: S311 games, not secrets
    kind = KINDS[("highest", "rami", "dutch", "teams")[seed % 4]]
    language = LANGUAGES[seed % len(LANGUAGES)]
    page = await phone.page(language=language, viewport=SIZES[seed // 2 % len(SIZES)])
    hands = Hands(page, language, chance, habit=("arrow", "fields")[seed // 4 % 2], scrolls=True)
    evening = Evening(hands, await start(http, kind), kind)
    before = kind.draw(chance, evening.names)
    right = kind.draw(chance, evening.names)
    while right.asked != before.asked or right.entry == before.entry:
        right = kind.draw(chance, evening.names)
    await evening.game.record(
        before.entry, *([kind.draw(chance, evening.names).entry] * (seed % 2))
    )
    print(f"seed {seed}: {hands.habit}, {before}, {right}")  # noqa: T201 shown with a failure
    await page.goto(f"/games/{evening.game.id}/correct/2?by=result")
    await page.wait_for_selector("html[data-numbered]", state="attached")
    await hands.choose(next(iter(right.answers)))
    moment = chance.choice(("in", "after")), chance.randrange(len(right.answers))
    hands.events = {moment: (reload, leave)[seed % 2](page)}
    await hands.type(right.answers)
    await hands.expect_fields(evening.shown(right))
    await hands.send()
    if await hands.comes("Correct it"):
        await hands.tap(hands.words("Correct it"), "button")
    evening.paper.append({"type": "amend", "version": 2, "move": right.entry})
    await evening.expect_paper("amend")


@pytest.mark.parametrize("seed", range(run_size(2, deep=20, variable="CARNET_EVENINGS")))
async def test_an_adjusted_score_equals_the_notes(
    phone: Phone, http: httpx.AsyncClient, seed: int
) -> None:
    chance = Random(seed)  # noqa: S311 games, not secrets
    kind = KINDS[("rami", "highest")[seed % 2]]
    language = LANGUAGES[seed % len(LANGUAGES)]
    page = await phone.page(language=language, viewport=SIZES[seed % len(SIZES)])
    hands = Hands(page, language, chance, scrolls=True)
    evening = Evening(hands, await start(http, kind), kind)
    seat, points = chance.randrange(3), chance.choice((-25, 5, 110))
    await page.goto(f"/games/{evening.game.id}/more")
    await page.wait_for_selector("html[data-numbered]", state="attached")
    await hands.tap(hands.words("Adjust the score"))
    await hands.tap(evening.names[seat], "radio")
    await hands.choose(hands.words("Points"))
    hands.events = {("in", 0): (leave, reload)[seed % 2](page)}
    await hands.type({hands.words("Points"): typed(points)})
    await hands.send()
    evening.paper.append({"type": "adjust", "seat": seat, "points": points})
    await evening.expect_paper("adjust")


@pytest.mark.parametrize("seed", range(run_size(3, deep=30, variable="CARNET_EVENINGS")))
async def test_a_counted_hand_equals_the_notes(
    phone: Phone, http: httpx.AsyncClient, seed: int
) -> None:
    chance = Random(seed)  # noqa: S311 games, not secrets
    language = LANGUAGES[seed % len(LANGUAGES)]
    page = await phone.page(language=language, viewport=SIZES[seed % len(SIZES)])
    hands = Hands(page, language, chance, habit=HABITS[seed % len(HABITS)])
    kind = (Kind("rami", 2, rami), Kind("dutch", 2, dutch))[seed % 2]
    evening = Evening(hands, await start(http, kind), kind)
    await evening.game.record(*(LAST_HAND if seed % 2 == 0 else SAID))
    await Table(page, evening.game.id).open()
    name = hands.words(("Points in the hand", "Points of the whole row")[seed % 2])
    for seat in range(1 + seed % 2):
        points = chance.choice((5, 10, 12, 15, 20))
        answers = {name: typed(points)}
        if kind.ruleset == "dutch":
            await hands.tap(hands.words("Points"), "radio")
        hands.events = {("in", 0): chance.choice((evening.lock, evening.reload))}
        await hands.type(answers)
        await hands.expect_fields({name: str(points)})
        await hands.send()
        evening.paper.append(
            {"type": ("count", "reveal")[seed % 2], "seat": seat, "points": points}
        )
        await evening.expect_paper(("count", "reveal")[seed % 2])
        await hands.expect_sent()
