"""An evening typed at the table: somebody goes home, teams, a game lost together, a bad line.

A game of cards by result belongs to it: in French Rami, in German Dutch, each with a wrong number
that is found two deals later; in English Durak for six. At its end sheet, standings, year, history,
files and the shared picture equal the paper.
"""

import csv
import io
import re
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from service.web.format.catalogs import catalog
from tests.browser.conftest import SMALL, Phone
from tests.browser.hands import HABITS, Hands
from tests.browser.notes import PEOPLE, Entry, Kind, Note, durak, dutch, rami, small, teams, typed
from tests.browser.table import Table
from tests.browser.test_numbers_typed import Evening
from tests.http.club import Game, Json, add_player

MIDDLE: ViewportSize = {"width": 390, "height": 664}
SKYJO = Kind("scores", 5, small, {"wins": "lowest", "target": 100})
BELOTE = Kind("scores", 4, teams, {"target": 401, "teams": [[0, 2], [1, 3]]})
FIVE = ((12, 4, 30, 7, 0), (25, 8, 18, 11, 20))
# Günter has gone home.
FOUR = ((31, 9, 40, 5), (40, 22, 1, 14))
DEALS = ((82, 80), (252, 0), (100, 62))
PANDEMIC = {"en": "Pandemic", "fr": "Pandémie", "de": "Pandemie"}
HOME = "Günter"
Result = dict[str, tuple[int, int | None]]
# Total and place of each player, by the rules and by hand.
SKYJO_PAPER: Result = {"Léa": (108, 4), "Zoë": (79, 3), "Ann": (59, 2), "Björn": (39, 1)}
BELOTE_PAPER: Result = {"Léa": (434, 1), "Günter": (142, 3), "Zoë": (434, 1), "Ann": (142, 3)}
LOST_PAPER: Result = {"Léa": (0, None), "Zoë": (0, None), "Ann": (0, None)}
PAPER = (SKYJO_PAPER, BELOTE_PAPER, LOST_PAPER)
RAMI = Kind("rami", 3, rami, {"target": 150})
# By deal: the winner, and the points of the others. In the first one 80 is typed for Zoë,
# wrongly; she has 8.
RAMI_DEALS = (
    (1, {"Léa": 24, "Zoë": 80}),
    (0, {"Günter": 31, "Zoë": 12}),
    (2, {"Léa": 40, "Günter": 22}),
    (2, {"Léa": 90, "Günter": 10}),
)
DUTCH = Kind("dutch", 4, dutch, {"target": 100})
# By deal: the caller of Dutch, and the points of each. In the first one 52 is typed for Zoë,
# wrongly; she has 25.
DUTCH_DEALS = (
    (0, (3, 10, 52, 40)),
    (1, (12, 5, 9, 20)),
    (2, (7, 20, 8, 30)),
    (0, (4, 11, 6, 15)),
)
DURAK = Kind("durak", 6, durak, {"rules": "fr", "deals": 3})
DURAK_DEALS = ((3, 0, 5, 1, 4, 2), (0, 3, 1, 5, 2, 4), (0, 1, 3, 5, 4, 2))
BY_RESULT = {"fr": RAMI, "de": DUTCH, "en": DURAK}
BY_RESULT_PAPER: dict[str, Result] = {
    "fr": {"Léa": (154, 3), "Günter": (63, 2), "Zoë": (20, 1)},
    # Zoë said Dutch with more than Léa, and scores double.
    "de": {"Léa": (19, 1), "Günter": (41, 2), "Zoë": (56, 3), "Ann": (105, 4)},
    # Nobody of the first four was durak: they follow by their places.
    "en": {
        "Léa": (0, 1),
        "Günter": (0, 3),
        "Zoë": (2, 6),
        "Ann": (0, 2),
        "Björn": (1, 5),
        "Chloé": (0, 4),
    },
}


class Family(NamedTuple):
    """The people of a table by name, and the titles that they play."""

    http: httpx.AsyncClient
    people: dict[str, str]
    titles: tuple[str, ...]

    async def start(self, names: list[str], title: str, options: Json) -> Game:
        """Start a game of a title, or of a game of cards by its name."""
        body: Json = {"ruleset": title, "options": options}
        if title in self.titles:
            body |= {"ruleset": "scores", "title": title}
        players = [self.people[name] for name in names]
        answer = await self.http.post("/api/games", json=body | {"players": players})
        assert answer.status_code == httpx.codes.CREATED, answer.text
        return Game(self.http, answer.json())


async def family_of(http: httpx.AsyncClient, language: str) -> Family:
    people = {name: await add_player(http, name) for name in PEOPLE[:6]}
    titles = []
    for name in (f"Skyjo {language}", f"Belote {language}", PANDEMIC[language]):
        answer = await http.post("/api/titles", json={"name": name})
        assert answer.status_code == httpx.codes.CREATED, answer.text
        titles.append(answer.json()["id"])
    return Family(http, people, tuple(titles))


def note(names: list[str], points: tuple[int, ...], seats: int = 0) -> Note:
    """Note a round; two teams of `seats` players share their points."""
    numbers = [points[seat % 2] for seat in range(seats)] if seats else [*points]
    answers = {name: typed(value) for name, value in zip(names, points, strict=True)}
    return Note({"type": "result", "points": numbers}, answers)


async def sit_down(hands: Hands, game: Game, kind: Kind, names: list[str], by: str = "") -> Evening:
    evening = Evening(hands, game, kind)
    evening.names = names
    await Table(hands.page, game.id).open(by)
    return evening


async def go_home(hands: Hands, game: Game, name: str) -> str:
    """Let a player leave; return the id of the game as which it goes on."""
    await hands.page.goto(f"/games/{game.id}/more")
    hands.scrolls = True
    await hands.tap(hands.words("Players or rules change"))
    await hands.page.wait_for_url("**/go-on")
    await hands.tap(name, "checkbox")
    await hands.tap(hands.words("Preview"), "button")
    await hands.page.wait_for_selector("#preview")
    await hands.tap(hands.words("Go on like this"), "button")
    await hands.page.wait_for_url(lambda url: "/go-on" not in url and game.id not in url)
    await Table(hands.page, game.id).ready()
    hands.scrolls = False
    return hands.page.url.rpartition("/")[2].partition("?")[0]


async def type_skyjo(hands: Hands, family: Family) -> Game:
    names = list(PEOPLE[:5])
    begun = await family.start(names, family.titles[0], SKYJO.options)
    evening = await sit_down(hands, begun, SKYJO, names)
    await evening.type(note(names, FIVE[0]))
    # The line drops before the second round, and is back at the latest during the change.
    await evening.type(note(names, FIVE[1]), "away")
    await hands.page.context.set_offline(offline=False)
    await evening.expect_paper()
    after = await go_home(hands, begun, HOME)
    view = (await family.http.get(f"/api/games/{after}")).json()
    assert (view["continues"], view["totals"]) == (begun.id, [37, 48, 18, 20])
    names.remove(HOME)
    evening = await sit_down(hands, Game(family.http, view), SKYJO, names)
    await evening.type(note(names, FOUR[0]), "lost", "reload")
    await evening.type(note(names, FOUR[1]), insists=True)
    assert evening.is_over
    return evening.game


async def type_belote(hands: Hands, family: Family) -> Game:
    names = list(PEOPLE[:4])
    sides = [f"{names[side]} + {names[side + 2]}" for side in range(2)]
    game = await family.start(names, family.titles[1], BELOTE.options)
    evening = await sit_down(hands, game, BELOTE, names)
    await evening.type(note(sides, DEALS[0], 4), interruption="leave")
    # In the middle of a number the line drops a second time.
    await evening.type(note(sides, DEALS[1], 4), "breaks")
    await evening.type(note(sides, DEALS[2], 4))
    assert evening.is_over
    return game


async def lose_together(hands: Hands, family: Family) -> Game:
    """End a game from its first page; `Lost` is one of its buttons."""
    names = [name for name in PEOPLE[:4] if name != HOME]
    game = await family.start(names, family.titles[2], {})
    await hands.page.goto(f"/games/{game.id}/more")
    hands.scrolls = True
    await hands.tap(str(catalog(hands.language).pgettext("a game", "Lost")), "button")
    await hands.page.wait_for_url(lambda url: not url.endswith("/more"))
    entries = await game.log()
    ended: list[Entry] = [line["entry"] for line in entries if line["type"] == "game_ended"]
    assert [one["ranking"] for one in ended] == [[]]
    return game


def notes_of(language: str, names: list[str]) -> list[Note]:
    """Note the deals of the game by result, as they are typed."""
    if language == "fr":
        return [
            Note(
                {
                    "type": "result",
                    "winner": winner,
                    "hands": [
                        {"opened": True, "points": points[name]} if name in points else None
                        for name in names
                    ],
                },
                {name: typed(value) for name, value in points.items()},
                (names[winner],),
            )
            for winner, points in RAMI_DEALS
        ]
    if language == "de":
        return [
            Note(
                {"type": "result", "caller": caller, "counter": None, "totals": [*rows]},
                {name: typed(value) for name, value in zip(names, rows, strict=True)},
                (names[caller],),
            )
            for caller, rows in DUTCH_DEALS
        ]
    return [
        Note(
            {"type": "result", "places": [[seat] for seat in order], "durak": order[-1]},
            asked=tuple(names[seat] for seat in order[:-1]),
        )
        for order in DURAK_DEALS
    ]


async def type_by_result(hands: Hands, family: Family) -> Game:
    kind = BY_RESULT[hands.language]
    names = list(PEOPLE[: kind.seats])
    game = await family.start(names, kind.ruleset, kind.options)
    evening = await sit_down(hands, game, kind, names, "?by=result")
    notes = notes_of(hands.language, names)
    for note in notes[:3]:
        await evening.type(note)
    if right := {"fr": 8, "de": 25}.get(hands.language):
        await put_right(hands, game, "Zoë", right)
        await evening.type(notes[3])
    assert evening.is_over
    return game


async def put_right(hands: Hands, game: Game, name: str, right: int) -> None:
    """Correct a number of the first deal."""
    page = hands.page
    await page.goto(f"/games/{game.id}/correct/2?by=result")
    await page.wait_for_selector("html[data-numbered]", state="attached")
    hands.scrolls = True
    await hands.choose(name)
    await hands.type({name: typed(right)})
    await hands.send()
    if await hands.comes("Correct it"):
        await hands.tap(hands.words("Correct it"), "button")
    await page.wait_for_url(lambda url: "/preview" not in url and "/correct" not in url)
    hands.scrolls = False
    await Table(page, game.id).open("?by=result")


async def expect_files(http: httpx.AsyncClient, game: Game, paper: Result) -> None:
    """Check the totals in the file of the sheet, and that a picture of the game can be shared."""
    text = (await http.get(f"{game.path}/sheet.csv", headers={"Accept-Language": "en"})).text
    rows = [*csv.reader(io.StringIO(text))]
    assert any({*map(str, (total for total, _ in paper.values()))} <= {*row} for row in rows), text
    picture = await http.get(f"/games/{game.id}/picture.png")
    assert picture.content.startswith(b"\x89PNG"), picture.text


async def expect_sheet(page: Page, game: Game, totals: list[int], rounds: int) -> None:
    await page.goto(f"/games/{game.id}/sheet")
    table = page.locator(".scores-table")
    await expect(table.locator("tfoot .total td")).to_have_text([str(one) for one in totals])
    numbers = table.locator("tbody th.number").filter(has_text=re.compile(r"^\s*\d"))
    await expect(numbers).to_have_count(rounds)


async def expect_figures(page: Page, family: Family, papers: dict[str, Result]) -> None:
    """Check first places in the standings of each title, and games and first places of the year."""
    for title, paper in papers.items():
        await page.goto(f"/standings?title={title}")
        for name, (_, place) in paper.items():
            row = page.locator(f'.standings tr:has(a[href="/players/{family.people[name]}"])')
            await expect(row.locator("td.points").nth(1)).to_contain_text(str(int(place == 1)))
    await page.goto(f"/years/{datetime.now(UTC).year}")
    for name, person in family.people.items():
        places = [paper[name][1] for paper in papers.values() if name in paper]
        if not places:
            continue
        row = page.locator(f'.versus tr:has(a[href*="{person}"]) td')
        await expect(row.nth(0)).to_have_text(str(len(places)))
        await expect(row.nth(1)).to_have_text(str(places.count(1)))


async def expect_history(http: httpx.AsyncClient, games: list[tuple[Game, Result]]) -> None:
    text = (await http.get("/api/history.csv")).text
    rows = [[*row.values()] for row in csv.DictReader(io.StringIO(text))]
    for game, paper in games:
        found = {
            row[7]: (int(row[8]), int(row[9]) if row[9] else None, row[10])
            for row in rows
            if row[0] == game.id
        }
        assert found == {
            name: (total, place, str(int(place == 1))) for name, (total, place) in paper.items()
        }


@pytest.mark.parametrize(
    ("language", "size"), [("fr", SMALL), ("de", MIDDLE), ("en", SMALL)], ids=["fr", "de", "en"]
)
async def test_an_evening_equals_the_paper(
    phone: Phone, http: httpx.AsyncClient, language: str, size: ViewportSize
) -> None:
    page = await phone.page(language=language, viewport=size)
    seed = ("fr", "de", "en").index(language)
    hands = Hands(page, language, Random(seed), habit=HABITS[seed])  # noqa: S311 no secrets
    family = await family_of(http, language)
    skyjo = await type_skyjo(hands, family)
    belote = await type_belote(hands, family)
    lost = await lose_together(hands, family)
    by_result = await type_by_result(hands, family)
    await expect_sheet(page, skyjo, [*(total for total, _ in SKYJO_PAPER.values()), 12], 4)
    await expect_sheet(page, belote, [total for total, _ in BELOTE_PAPER.values()], 3)
    papers = dict(zip(family.titles, PAPER, strict=True))
    papers[BY_RESULT[language].ruleset] = BY_RESULT_PAPER[language]
    await expect_figures(page, family, papers)
    games = [*zip((skyjo, belote, lost, by_result), papers.values(), strict=True)]
    await expect_history(http, games)
    for game, paper in games:
        await expect_files(http, game, paper)
