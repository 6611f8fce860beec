"""A family's year: six titles, the card games by result, two phones, imports, one person twice."""

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import httpx
from msgspec import Struct
from playwright.async_api import FilePayload, Page, expect
from xlsxwriter import Workbook

from tests.browser.conftest import Phone
from tests.browser.table import Table
from tests.browser.test_scores import SEND, press
from tests.http.club import Json

FAMILY = ("Léa", "Tom", "Zoé", "Paul")
WINS = {
    **dict.fromkeys(("Skyjo", "Uno", "Barbu"), "lowest"),
    **dict.fromkeys(("Belote", "Tarot", "Yam’s"), "highest"),
}
# A game by its result: options, entry, and by the rules the points of two players and the winner.
CARDS: dict[str, tuple[Json, Json, tuple[int, int], int]] = {
    "euchre": ({}, {"maker": 0, "tricks": 5, "dealer": 0}, (2, 0), 0),
    "durak": ({"rules": "fr"}, {"places": [[1], [0]], "durak": 0}, (1, 0), 1),
    "rami": ({}, {"winner": 0, "hands": [None, {"opened": True, "points": 24}]}, (0, 24), 0),
    "dutch": ({}, {"caller": 0, "counter": None, "totals": [4, 17]}, (0, 17), 0),
}
EVENINGS = [f"2025-{month:02}-{day:02}" for month in range(1, 11) for day in (3, 10, 17, 24)]


class Sum(Struct):
    """What each person should have, by title: games, wins, points."""

    games: Counter[tuple[str, str]]
    wins: Counter[tuple[str, str]]
    points: Counter[tuple[str, str]]

    def add(self, title: str, names: Sequence[str], totals: Sequence[int], won: set[int]) -> None:
        for seat, (name, total) in enumerate(zip(names, totals, strict=True)):
            self.games[name, title] += 1
            self.wins[name, title] += seat in won
            self.points[name, title] += total

    def add_rounds(
        self, title: str, names: Sequence[str], rounds: Iterable[Sequence[int | None]], wins: str
    ) -> None:
        # Whoever has no number in any round did not play.
        totals = {
            name: sum(points or 0 for points in column)
            for name, column in zip(names, zip(*rounds, strict=True), strict=True)
            if any(points is not None for points in column)
        }
        best = min(totals.values()) if wins == "lowest" else max(totals.values())
        won = {seat for seat, total in enumerate(totals.values()) if total == best}
        self.add(title, [*totals], [*totals.values()], won)


async def import_record(http: httpx.AsyncClient, day: str, title: str | None, record: Json) -> None:
    body = record | {"date": f"{day}T19:00:00Z", "title": title}
    finish = {"type": "finish", "reason": "late"}
    answer = await http.post("/api/imports", json=body | {"log": [*record["log"], finish]})
    assert answer.status_code == 201, answer.text


async def play_evenings(http: httpx.AsyncClient, expected: Sum) -> None:
    drawn = random.Random(43)  # noqa: S311 -- points of games
    for number, day in enumerate(EVENINGS):
        for title in drawn.sample([*WINS], 2):
            names = drawn.sample(FAMILY, drawn.randint(2, 4))
            rounds: list[list[int | None]] = [
                [drawn.randint(-9, 40) for _ in names] for _ in range(drawn.randint(1, 3))
            ]
            if len(names) > 2:
                rounds[0][1] = None
            log = [{"type": "result", "points": points} for points in rounds]
            record = {"ruleset": "scores", "options": {"wins": WINS[title]}, "seats": len(names)}
            await import_record(http, day, title, record | {"players": names, "log": log})
            expected.add_rounds(title, names, rounds, WINS[title])
        ruleset = [*CARDS][number % len(CARDS)]
        options, result, totals, first = CARDS[ruleset]
        names = drawn.sample(FAMILY, 2)
        record = {"ruleset": ruleset, "options": options, "seats": 2, "players": names}
        await import_record(http, day, None, record | {"log": [{"type": "result", **result}]})
        expected.add(ruleset, names, totals, {first})


def workbook(rows: Sequence[Sequence[object]]) -> FilePayload:
    out = io.BytesIO()
    made: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    sheet = made.add_worksheet("Tabelle1")
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    made.close()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return FilePayload(name="alte Zettel.xlsx", mimeType=kind, buffer=out.getvalue())


async def import_workbook(page: Page, expected: Sum) -> None:
    """Import old scores of Skyjo, in which Léa is written Lea: a second person for now."""
    rows: list[list[object]] = [
        ["Skyjo bei Oma"],
        ["Tag", "Partie", "Lea", "Tom"],
        ["2019-05-04", 1, 12, 7],
    ]
    await page.goto("/import")
    table = workbook([*rows, [None, 1, 30, -2], ["2019-05-05", 2, 3, 9]])
    await page.get_by_label("A file").set_input_files(table)
    await page.get_by_role("button", name="Preview").click()
    # By the row above the names.
    await expect(page.get_by_text("Skyjo: the lowest total wins")).to_be_visible()
    await page.get_by_label("Is that somebody you have already?").select_option("new")
    await page.get_by_role("button", name="Import what is ticked").click()
    await expect(page.get_by_text("2 games were imported")).to_be_visible()
    expected.add_rounds("Skyjo", ("Léa", "Tom"), [(12, 7), (30, -2)], "lowest")
    expected.add_rounds("Skyjo", ("Léa", "Tom"), [(3, 9)], "lowest")


async def import_plays(page: Page, expected: Sum) -> None:
    """Import plays that BG Stats exported: one of a known title, one of a new one."""
    players = [{"id": seat, "name": name} for seat, name in enumerate(FAMILY)]
    games = [{"id": 1, "name": "Skyjo", "highestWins": False}, {"id": 2, "name": "Azul"}]

    def play(game: int, *scores: tuple[int, int, bool]) -> Json:
        by = [
            {"playerRefId": who, "score": str(score), "winner": won} for who, score, won in scores
        ]
        day = f"2024-06-0{game} 20:00:00"
        return {"uuid": f"u{game}", "gameRefId": game, "playDate": day, "playerScores": by}

    plays = [
        play(1, (0, 20, False), (2, 8, True)),
        play(2, (1, 61, True), (2, 50, False), (3, 44, False)),
    ]
    body = json.dumps({"games": games, "players": players, "plays": plays}).encode()
    await page.goto("/import")
    file = FilePayload(name="BGStatsExport.json", mimeType="application/json", buffer=body)
    await page.get_by_label("A file").set_input_files(file)
    await page.get_by_role("button", name="Preview").click()
    await page.get_by_role("button", name="Import what is ticked").click()
    await expect(page.get_by_text("2 games were imported")).to_be_visible()
    expected.add_rounds("Skyjo", ("Léa", "Zoé"), [(20, 8)], "lowest")
    expected.add_rounds("Azul", ("Tom", "Zoé", "Paul"), [(61, 50, 44)], "highest")


async def play_on_two_phones(first: Page, second: Page, http: httpx.AsyncClient) -> None:
    """Record a round of Skyjo on each of two phones; the game ends after two rounds."""
    ids = {one["name"]: one["id"] for one in (await http.get("/api/players")).json()["players"]}
    titles = (await http.get("/api/titles")).json()["titles"]
    (skyjo,) = [one["id"] for one in titles if one["name"] == "Skyjo"]
    people = [ids[name] for name in FAMILY]
    body = {"ruleset": "scores", "title": skyjo, "players": people, "options": {"rounds": 2}}
    game = (await http.post("/api/games", json=body)).json()["id"]
    for page in (first, second):
        await Table(page, game).open()
    await press(first, "7→12→0→3+6+2")
    await first.locator(SEND).click()
    await expect(second.locator(".bar .title")).to_contain_text("Skyjo · Round 2")
    await second.wait_for_timeout(
        1_000
    )  # keys that another phone has moved ignore taps for a moment
    await second.get_by_role("button", name="Sat out").click()
    await press(second, "→±5→20→1")
    await second.locator(SEND).click()
    for page in (first, second):
        await expect(page.locator(".outcome .victory")).to_contain_text("Léa and Tom")


async def merge_twins(page: Page) -> None:
    await page.goto("/players")
    await page.get_by_role("link", name="Lea").click()
    await page.locator("#merge summary").click()
    await page.get_by_label("Lea is").select_option(label="Léa")
    await page.locator("#merge").get_by_role("button", name="Merge").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Léa")


async def test_a_year_of_a_family_adds_up(phone: Phone, http: httpx.AsyncClient) -> None:
    expected = Sum(Counter(), Counter(), Counter())
    await play_evenings(http, expected)
    one, other = await phone.page(), await phone.page()
    await import_workbook(one, expected)
    await import_plays(other, expected)
    await play_on_two_phones(one, other, http)
    expected.add_rounds("Skyjo", FAMILY, [(7, 12, 0, 11), (0, -5, 20, 1)], "lowest")
    await merge_twins(one)

    ids = {one["name"]: one["id"] for one in (await http.get("/api/players")).json()["players"]}
    assert set(ids) == set(FAMILY)
    found = Sum(Counter(), Counter(), Counter())
    shown: dict[str, str] = {}  # titles by name
    for name in FAMILY:
        for part in (await http.get(f"/api/players/{ids[name]}")).json()["rulesets"]:
            title, figures = part["title_name"] or part["ruleset"], part["figures"]
            shown[title] = part["title"]
            found.games[name, title] = figures["finished"]
            found.wins[name, title] = figures["wins"]
            found.points[name, title] = figures["points"]
    assert found == expected
    assert set(shown) == {*WINS, *CARDS, "Azul"}

    # Every list and file tells titles apart.
    for name, title in shown.items():
        games = (await http.get("/api/history", params={"title": title})).json()["games"]
        sizes = sum(place is not None for game in games for place in game["places"])
        assert {game["title"] for game in games} == {title}
        assert sizes == sum(
            many for (_, called), many in expected.games.items() if called == name
        ), name
        (table,) = (await http.get("/api/standings", params={"title": title})).json()["rulesets"]
        wins = {row["player"]["name"]: row["figures"]["wins"] for row in table["standings"]}
        assert wins == {who: expected.wins[who, name] for who in wins}
    told = (await http.get("/api/history.csv", params={"title": shown["Skyjo"]})).text
    rows = [row for row in csv.DictReader(io.StringIO(told)) if row["Place"]]
    assert {[*row.values()][-1] for row in rows} == {"Skyjo"}
    assert len(rows) == sum(many for (_, name), many in expected.games.items() if name == "Skyjo")
    for path in ("/standings", f"/players/{ids['Léa']}"):
        await one.goto(path)
        for title in WINS:
            if path == "/standings" or expected.games["Léa", title]:
                await expect(one.locator("summary").get_by_text(title, exact=True)).to_be_visible()
