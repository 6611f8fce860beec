"""What a table leaves open is asked or named, never decided in silence."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.extensions.score_books.source import open_table
from service.transfer.record_files import BatchWords, TableGame, TitleChoice
from tests.extensions.score_books.test_books import NOW
from tests.extensions.score_books.test_family_tables import DAY, Table, csv_table

WORDS = BatchWords(lang="en", deal="{number}", beside="", ended="over", zone="UTC")
SKYJO = TitleChoice("11111111-1111-1111-1111-111111111111", "Skyjo", "lowest")
NOTHING: Mapping[str, str] = {}


def read(
    table: Table, answers: Mapping[str, str] = NOTHING, *titles: TitleChoice
) -> tuple[dict[str, Any], list[str]]:
    """Return the view of a table, and its games: title, who wins, people and the first points."""
    opened, games = open_table(("a.csv", csv_table(table)), answers, WORDS, titles, NOW)
    return opened.view, [_line(game) for game in games]


def _line(game: TableGame) -> str:
    record = game.record
    wins = getattr(record.options, "wins", "")
    points = getattr(record.log[0], "points", ())
    return f"{record.title or record.ruleset} {wins} {' '.join(map(str, record.players))} {points}"


@pytest.mark.parametrize("wins", ["highest", "lowest"])
def test_who_wins_in_an_unknown_game_is_asked(wins: str) -> None:
    table: Table = [["Day", "Game", "Ana", "Ben"], [DAY, "Zorg", 1, 2], [DAY, "Skyjo", 3, 4]]
    view, games = read(table)
    assert view["unknown"] == {"Zorg": ""}
    assert games == ["Skyjo lowest Ana Ben (3, 4)"]
    view, games = read(table, {"for": "0-1", "wins.Zorg": wins})
    assert view["unknown"] == {"Zorg": wins}
    assert games[0] == f"Zorg {wins} Ana Ben (1, 2)"


def test_a_row_without_the_name_of_its_game_is_named() -> None:
    view, games = read([["Day", "Game", "Ana", "Ben"], [DAY, None, 1, 2], [DAY, "Skyjo", 3, 4]])
    assert [problem["cell"] for problem in view["problems"]] == ["B2"]
    assert view["problems"][0]["message"] == "The name of the game is missing."
    assert games == ["Skyjo lowest Ana Ben (3, 4)"]


TWO_GAMES: dict[str, tuple[Table, list[str]]] = {
    "a title above each table": (
        [
            ["Skyjo", None, None, None, "Uno"],
            ["Date", "Ana", "Ben", None, "Date", "Zoé", "Dan"],
            [DAY, 1, 2, None, DAY, 3, 4],
        ],
        ["Skyjo lowest Ana Ben (1, 2)", "Uno highest Zoé Dan (3, 4)"],
    ),
    "a title above each group of names": (
        [
            ["Datum", "Skyjo", None, "Uno", None],
            [None, "Ana", "Ben", "Ana", "Ben"],
            [DAY, 1, 2, 3, 4],
        ],
        ["Skyjo lowest Ana Ben (1, 2)", "Uno highest Ana Ben (3, 4)"],
    ),
    "a title above other people": (
        [
            ["Datum", "Skyjo", None, "Uno", None],
            [None, "Ana", "Ben", "Zoé", "Dan"],
            [DAY, 1, 2, 3, 4],
        ],
        ["Skyjo lowest Ana Ben (1, 2)", "Uno highest Zoé Dan (3, 4)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("titles", [(), (SKYJO,)])
@pytest.mark.parametrize("what", TWO_GAMES)
def test_two_games_in_one_heading_are_reviewed_together(
    what: str, titles: tuple[TitleChoice, ...]
) -> None:
    table, expected = TWO_GAMES[what]
    view, games = read(table, {}, *titles)
    assert (view["complete"], view["sheets"], games) == (True, ("",), expected)


def test_a_table_below_without_a_title_is_not_of_the_game_above() -> None:
    table: Table = [["Uno", None], ["Ana", "Ben"], [1, 2], ["Zoé", "Dan"], [3, 4]]
    view, games = read(table)
    assert games == ["Uno highest Ana Ben (1, 2)"]
    assert [(one["cell"], one["message"]) for one in view["problems"]] == [
        ("A4", "The name of the game is missing.")
    ]


@pytest.mark.parametrize("title", ["Skyjo 31.02.2024", "Skyjo 1.3.2024 / 2.3.2024"])
def test_a_day_of_a_title_that_cannot_be_read_is_asked(title: str) -> None:
    table: Table = [[title, None, None], ["Runde", "Ana", "Ben"], [1, 3, 4]]
    view, games = read(table, {}, SKYJO)
    assert games == []
    (problem,) = view["problems"]
    assert (problem["cell"], problem["text"]) == ("A1", title)
    assert problem["message"] == f"“{title}”: which day is that? Write it like 2026-12-31."
    expected = ["Skyjo lowest Ana Ben (3, 4)"]
    for answer in ({"fix.A1": "2024-03-01"}, {"out.A1": "1"}):
        assert read(table, {"for": "0-2", "ruleset": SKYJO.id, **answer}, SKYJO)[1] == expected


def test_a_day_above_one_of_several_tables_is_asked_once() -> None:
    table: Table = [
        ["1.3.2024", None],
        ["Ana", "Ben"],
        [1, 2],
        ["31.2.2024", None],
        ["Ana", "Ben"],
        [3, 4],
        [5, 6],
    ]
    view, games = read(table, {}, SKYJO)
    assert ([one["cell"] for one in view["problems"]], view["problem_count"]) == (["A4"], 1)
    answers = {"for": "0-1", "fix.A4": "2.3.2024", "ruleset": SKYJO.id}
    view, games = read(table, answers, SKYJO)
    assert (view["problems"], len(games)) == ((), 3)


def test_tables_of_a_sheet_with_too_many_people_together_are_refused() -> None:
    names = [f"{first}{second}" for first in "abcdefghij" for second in "klmnopq"]
    table: Table = []
    for at in range(0, 70, 2):
        table += [["Uno", None], [*names[at : at + 2]], [1, 2]]
    view, games = read(table)
    assert (view["fault"], games) == ("rows", [])


@pytest.mark.parametrize("heading", ["Skyjo | Uno", "Skyjo / Uno 2020"])
def test_a_heading_of_two_games_is_asked_about(heading: str) -> None:
    view, games = read([[heading], ["Date", "Ana", "Ben"], [DAY, 1, 2]], {}, SKYJO)
    assert (view["complete"], games) == (False, [])


@pytest.mark.parametrize(
    ("table", "cell", "total"),
    [
        ([["Name", "R1", "R2", "Total"], ["Ana", 1, 2, 3], ["Ben", 4, 5, 8]], "D1", 8),
        ([["Name", "Total", "R1", "R2"], ["Ana", 4, 1, 2], ["Ben", 9, 4, 5]], "B1", 4),
        ([["Runde", "Ana", "Ben"], [1, 1, 4], [2, 2, 5], ["Summe", 3, 8]], "A4", 8),
        # Running totals, of which the last is written once more.
        ([["Nom", "M1", "M2", "Total"], ["Ana", 5, 12, 12], ["Ben", 3, 9, 9]], "D1", 12),
    ],
)
def test_a_total_that_the_points_do_not_add_up_to_is_named(
    table: Table, cell: str, total: int
) -> None:
    view, games = read(table, {}, SKYJO)
    (problem,) = view["problems"]
    assert problem["cell"] == cell
    said = f"“{total}” is written as a total, but the numbers do not add up to it."
    assert problem["message"] == said
    answers = {"ruleset": SKYJO.id, "for": "0-1", f"out.{cell}": "1"}
    view, games = read(table, answers, SKYJO)
    assert (view["problem_count"], len(games)) == (0, 1)


@pytest.mark.parametrize(
    "table",
    [
        [["Name", "R1", "R2", "Total"], ["Ana", 1, 2, 3], ["Ben", 4, "-", 4]],
        [["Name", "R1", "R2", "Total"], ["Ana", 1, None, 1], ["Ben", "1.000", -5, 995]],
        [["Name", "R1", "R2", "Moyenne"], ["Ana", 1, 2, 2], ["Ben", 4, 5, 5]],
        [["Name", "R1", "R2", "Rang"], ["Ana", 1, 2, 2], ["Ben", 4, 5, 1]],
        [["Name", "R1", "R2", "Total"], ["Ana", 1, 2, None], ["Ben", 4, 5, "4,5"]],
    ],
)
def test_a_total_that_adds_up_or_is_none_is_no_problem(table: Table) -> None:
    view, _ = read(table, {}, SKYJO)
    assert view["problems"] == ()
