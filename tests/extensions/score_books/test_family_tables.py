"""Tables as families keep them: sums, rounds, remarks, several tables on one sheet, odd numbers.

Each is read as XLSX, ODS and CSV; everything in it is read or named by its cell.
"""

import csv
import io
from collections.abc import Callable
from datetime import UTC, date
from typing import Any
from xml.sax.saxutils import escape

import pytest
from xlsxwriter import Workbook

from service.extensions.score_books.books import (
    BookGame,
    GameKind,
    Matching,
    guess_head,
    guess_roles,
    read_book,
)
from service.extensions.score_books.layouts import arrange
from service.transfer.games_from_points import first_seats
from tests.extensions.score_books.test_books import NOW, WORDS, only_sheet, workbook
from tests.faults.test_uploads import open_document

Table = list[list[object]]
HEAD: list[object] = ["Date", "Ana", "Ben"]
DAY, NEXT = "2020-01-02", "2020-01-03"
_CELL = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
# By what is odd: the table, its games as totals by name, and the cells named with their problem.
TABLES: dict[str, tuple[Table, list[str], list[str]]] = {
    "a labelled sum": (
        [HEAD, [DAY, 3, 4], [NEXT, 5, 6], ["Total", 8, 10]],
        ["Ana 3 Ben 4", "Ana 5 Ben 6"],
        ["A4 sum"],
    ),
    "sums of months": (
        [HEAD, [DAY, 3, 4], ["Sous-total :", 3, 4], [NEXT, 5, 6], ["Moyenne", "4,0", "5,0"]],
        ["Ana 3 Ben 4", "Ana 5 Ben 6"],
        ["A3 sum", "A5 sum"],
    ),
    "a sum without a label": (
        [["Ana", "Ben"], [3, 4], [5, 6], [8, 10]],
        ["Ana 3 Ben 4", "Ana 5 Ben 6"],
        ["A4 sum"],
    ),
    "a sum below a game": (
        [["Tag", "Spiel", "Ana", "Ben"], [DAY, 1, 3, 4], [None, None, 5, 6], [None, None, 8, 10]],
        ["Ana 8 Ben 10"],
        ["C4 sum"],
    ),
    "a sum as the number of a game": (
        [["Tag", "Spiel", "Ana", "Ben"], [DAY, 1, 3, 4], [None, "Summe", 3, 4]],
        ["Ana 3 Ben 4"],
        ["B3 sum"],
    ),
    "columns of no person": (
        [
            ["Date", "Heure", "Donneur", "Ana", "Ben", "Total", "Gagnant", "Rang"],
            [DAY, "20 h 30", "Ben", 3, 4, 7, "Ben", 1],
        ],
        ["Ana 3 Ben 4"],
        [],
    ),
    "rounds as rows": (
        [["Runde", "Ana", "Ben"], [1, 3, 4], [2, 5, 6], [1, 1, 0], ["Gesamt", 9, 10]],
        ["Ana 8 Ben 10", "Ana 1 Ben 0"],
        ["A5 sum"],
    ),
    "a remark about a sum": (
        [[*HEAD, "Note"], [DAY, 3, 4, "total chaos"], [NEXT, 3, 4, "total"]],
        ["Ana 3 Ben 4"],
        ["D3 sum"],
    ),
    "rounds without a head": (
        [[None, "Ana", "Ben"], ["Manche 1", 3, 4], ["Manche 2", 5, 6], ["Total", 8, 10]],
        ["Ana 8 Ben 10"],
        ["A4 sum"],
    ),
    "days without a head": ([[None, "Ana", "Ben"], ["1.2.2020", 3, 4]], ["Ana 3 Ben 4"], []),
    "days of another name": ([["Abend", "Ana", "Ben"], [DAY, 3, 4]], ["Ana 3 Ben 4"], []),
    "a day once for several rows": (
        [HEAD, [DAY, 3, 4], [None, 5, 6]],
        ["Ana 3 Ben 4"],
        ["A3 day"],
    ),
    "days without a year": ([HEAD, ["sam. 3 janv.", 3, 4]], [], ["A2 day"]),
    "two tables, one below": (
        [HEAD, [DAY, 3, 4], [None, None, None], ["Date", "Zoé", "Dan"], [NEXT, 5, 6]],
        ["Ana 3 Ben 4", "Zoé 5 Dan 6"],
        [],
    ),
    "a wider table below": (
        [["Ana", "Ben"], [3, 4], [None, None, None], ["Zoé", "Dan", "Eve"], [5, 6, 7]],
        ["Ana 3 Ben 4", "Zoé 5 Dan 6 Eve 7"],
        [],
    ),
    "two tables side by side": (
        [[*HEAD, None, "Date", "Zoé", "Dan"], [DAY, 3, 4, None, NEXT, 5, "?"]],
        ["Ana 3 Ben 4"],
        ["G2 number"],
    ),
    "two tables of names side by side": (
        [["Ana", "Ben", None, "Zoé", "Dan"], [3, 4, None, 5, 6]],
        ["Ana 3 Ben 4", "Zoé 5 Dan 6"],
        [],
    ),
    "the head again": ([HEAD, [DAY, 3, 4], HEAD, [NEXT, 5, 6]], ["Ana 3 Ben 4", "Ana 5 Ben 6"], []),
    "a name twice": ([["Date", " Ana ", "Ben", "ana"], [DAY, 3, 4, 5]], [], ["D1 twice"]),
    "a name with blanks": ([["Date", " Ana ", "Ben\u00a0"], [DAY, 3, 4]], ["Ana 3 Ben 4"], []),
    "people as rows": (
        [["Joueur", "M1", "M2", "Total"], ["Ana", 1, 2, 3], ["Ben", 4, "?", 9], ["Zoé", 0, 1, 1]],
        [],
        ["C3 number"],
    ),
    "people as rows of rounds": (
        [["Joueur", 1, 2], ["Ana", 1, 2], ["Ben", 4, 5]],
        ["Ana 3 Ben 9"],
        [],
    ),
    "days as columns": (
        [[None, DAY, NEXT], ["Ana", 1, 2], ["Ben", 3, "abs"], ["Zoé", 4, 5]],
        ["Ana 1 Ben 3 Zoé 4", "Ana 2 Zoé 5"],
        [],
    ),
    "games as columns": (
        [["Name", "Skyjo", "Uno"], ["Ana", 30, 200], ["Ben", 41, 510]],
        ["Skyjo lowest: Ana 30 Ben 41", "Uno highest: Ana 200 Ben 510"],
        [],
    ),
    "a row for each person": (
        [
            ["Date", "Joueur", "Score"],
            [DAY, "Ana", 3],
            [None, "Ben", 4],
            [NEXT, "Ana", "?"],
            [NEXT, "Ben", 6],
        ],
        ["Ana 3 Ben 4"],
        ["C4 number"],
    ),
    "a row for each person and game": (
        [
            ["Datum", "Spiel", "Spieler", "Punkte", "Platz"],
            [DAY, "Skyjo", "Ana", 3, 1],
            [DAY, "Skyjo", "Ben", 4, 2],
            [DAY, "Uno", "Ana", 50, 2],
            [DAY, "Uno", "Ben", 500, 1],
        ],
        ["Skyjo lowest: Ana 3 Ben 4", "Uno highest: Ana 50 Ben 500"],
        [],
    ),
    "a column of games": (
        [
            ["Jour", "Jeu", "Ana", "Ben"],
            [DAY, "Uno", 3, 4],
            [DAY, "Skyjo", 5, 6],
            [NEXT, "Uno", 7, 8],
        ],
        ["Uno highest: Ana 3 Ben 4", "Skyjo lowest: Ana 5 Ben 6", "Uno highest: Ana 7 Ben 8"],
        [],
    ),
    "places": (
        [HEAD, [DAY, "1.", "2."], [NEXT, "2nd", "1st"], ["2020-01-04", "2e", "1er"]],
        ["Ana 1 Ben 2", "Ana 2 Ben 1", "Ana 2 Ben 1"],
        [],
    ),
    "a row of winners and a day above": (
        [
            ["Skyjo 2.1.2020", None, None],
            [None, "Ana", "Ben"],
            ["Runde 1", 3, 4],
            ["Winner", "Ben", "Ana"],
        ],
        ["2020-01-02 Ana 3 Ben 4"],
        ["A4 sum"],
    ),
    "a row longer than its head": (
        [HEAD, [DAY, 0, 5, 1, 0], [NEXT, 3, 4]],
        ["Ana 3 Ben 4"],
        ["D2 long"],
    ),
    "a sheet of Carnet": (
        [
            ["Round", "Row", "Dealer", "Sat out", "Ana", "Ben", "Total Ana", "Total Ben", "Remark"],
            [1, "Round", "Ana", 0, 3, 4, 3, 4, None],
            [2, "Round", "Ben", 1, 5, None, 8, 4, None],
            [None, "Note", None, None, None, None, 8, 4, "at the lake"],
        ],
        ["Ana 8 Ben 4"],
        [],
    ),
    "the history of Carnet": (
        [
            [
                *("Game", "Rules", "Started", "Deals", "Player no.", "Player", "Total", "Place"),
                *("Won", "Name of the game"),
            ],
            ["a1", "scores", "2020-01-02T20:00:00+01:00", 2, 1, "Ana", 12, 2, 0, "Skyjo"],
            ["a1", "scores", "2020-01-02T20:00:00+01:00", 2, 2, "Ben", 8, 1, 1, "Skyjo"],
            ["b2", "euchre", "2020-01-02T21:00:00+01:00", 2, 1, "Ana", 10, 1, 1, "Euchre"],
            ["b2", "euchre", "2020-01-02T21:00:00+01:00", 2, 2, "Ben", 8, 2, 0, "Euchre"],
        ],
        ["Skyjo lowest: Ana 12 Ben 8", "Ana 10 Ben 8"],
        [],
    ),
    "heads over two rows": (
        [
            ["Date", "Ana", None, "Ben", None],
            [None, "Points", "Rang", "Points", "Rang"],
            [DAY, 3, 2, 4, 1],
        ],
        ["Ana 3 Ben 4"],
        ["A2 day", "B2 number", "D2 number"],
    ),
    "titles between": (
        [HEAD, ["Janvier", None, None], [DAY, 3, 4]],
        ["Ana 3 Ben 4"],
        ["A2 day"],
    ),
    "blank columns": (
        [["Date", None, "Ana", None, "Ben"], [DAY, None, 3, None, 4]],
        ["Ana 3 Ben 4"],
        [],
    ),
    "marks of thousands": ([HEAD, [DAY, "1.250", "-2 000"]], ["Ana 1250 Ben -2000"], []),
    "minus signs": ([HEAD, [DAY, "\u221225", "– 40"]], ["Ana -25 Ben -40"], []),
    "a minus behind": ([HEAD, [DAY, "25-", 4]], [], ["B2 number"]),
    "brackets": ([HEAD, [DAY, "(25)", 4]], [], ["B2 number"]),
    "halves": ([HEAD, [DAY, "10½", 4], [NEXT, 10.5, 4]], [], ["B2 number", "B3 number"]),
    "a star at who won": ([HEAD, [DAY, "12*", 4]], [], ["B2 number"]),
    "units": ([HEAD, [DAY, "12 pts", 4], [NEXT, "+12", 8]], ["Ana 12 Ben 8"], ["B2 number"]),
    "words of absence": (
        [["Date", "Ana", "Ben", "Zoé"], [DAY, 3, 4, "abs"], [NEXT, 3, 4, "–"]],
        ["Ana 3 Ben 4", "Ana 3 Ben 4"],
        [],
    ),
}  # fmt: skip


# Written down as families do, before anybody looked how they are read.
TABLES |= {
    "weekdays in words": (
        [
            ["Wann", "Oma", "Opa", "Lena", "Bemerkungen"],
            ["Sa, 3. Mai 2025", 120, 85, "fehlt", "Regen"],
            ["So, 4. Mai 2025", 90, 95, 110, None],
        ],
        ["Oma 120 Opa 85", "Oma 90 Opa 95 Lena 110"],
        [],
    ),
    "slashes, thousands and a dash": (
        [
            ["Le", "Mamie", "Papi", "Zoé", "Vainqueur"],
            ["03/05/25", "1 020", "-40", "–", "Mamie"],
            ["17/05/25", "980", "1 000", "7", "Papi"],
        ],
        ["Mamie 1020 Papi -40", "Mamie 980 Papi 1000 Zoé 7"],
        [],
    ),
    "totals above the names": (
        [["Total", None, 300, 250], ["Date", "Jeu", "Pa", "Ma"], [DAY, "Uno", 100, 150]],
        ["Uno highest: Pa 100 Ma 150"],
        [],
    ),
    "sums, means and wins below": (
        [
            ["Datum", "Anna", "Bernd"],
            [DAY, 10, 20], [NEXT, 30, 20],
            ["Summe", 40, 40], ["Durchschnitt", 20, 20], ["Siege", 1, 1],
        ],
        ["Anna 10 Bernd 20", "Anna 30 Bernd 20"],
        ["A4 sum", "A5 sum", "A6 day"],
    ),
    "only who won": ([["Date", "Game", "Winner"], [DAY, "Chess", "Ana"]], [], ["A2 players"]),
    "names for each of two games": (
        [
            ["Datum", "Skyjo", None, "Uno", None],
            [None, "Ana", "Ben", "Ana", "Ben"],
            [DAY, 10, 20, 30, 40],
        ],
        ["Skyjo lowest: Ana 10 Ben 20", "Uno highest: Ana 30 Ben 40"],
        [],
    ),
    "results of sets": ([HEAD, [DAY, "3:2", 4]], [], ["B2 number"]),
    "strokes": ([HEAD, [DAY, "IIII", 2]], [], ["B2 number"]),
    "a remark behind the points": ([HEAD, [DAY, "25 (capot)", 12]], [], ["B2 number"]),
    "minus in words": ([HEAD, [DAY, "minus 10", 20]], [], ["B2 number"]),
    "rounds below a title with a day": (
        [
            ["Tarot du 3 mai 2025"],
            [None, "Ana", "Ben", "Zoé"],
            ["Donne 1", 50, -25, -25],
            ["Donne 2", -60, 30, 30],
            ["Total", -10, 5, 5],
        ],
        ["2025-05-03 Ana -10 Ben 5 Zoé 5"],
        ["A5 sum"],
    ),
    "months first and who did not play": (
        [
            ["Date", "Mom", "Dad", "Kid"],
            ["5/13/2025", 210, 180, 95],
            ["5/4/2025", 10, "DNP", 95],
        ],
        ["Mom 210 Dad 180 Kid 95", "Mom 10 Kid 95"],
        [],
    ),
    "a winner of either sex and a place": (
        [["Date", "Lieu", "Ana", "Ben", "Gagnant(e)"], [DAY, "Chez Ben", 10, 20, "Ben"]],
        ["Ana 10 Ben 20"],
        [],
    ),
    "who did not finish": ([HEAD, [DAY, 10, "DNF"]], [], ["C2 number"]),
    "hours of another name": (
        [["Date", "Début", "Ana", "Ben"], [DAY, "20:30", 10, 20]],
        ["Ana 10 Ben 20"],
        [],
    ),
    "numbers of evenings": (
        [["Spieltag", "Ana", "Ben"], [1, 10, 20], [2, 5, 7]],
        ["Ana 10 Ben 20", "Ana 5 Ben 7"],
        [],
    ),
    "numbers of another name": (
        [["Rencontre", "Ana", "Ben"], [1, 10, 20], [2, 5, 7], [3, 5, 7]],
        ["Ana 10 Ben 20", "Ana 5 Ben 7", "Ana 5 Ben 7"],
        [],
    ),
    "teams as names": (
        [["Date", "Ana & Ben", "Cem & Zoé"], [DAY, 10, 20]],
        ["Ana & Ben 10 Cem & Zoé 20"],
        [],
    ),
    "rows without anything": (
        [HEAD, [DAY, 10, 20], [None, None, None], [NEXT, 30, 5]],
        ["Ana 10 Ben 20", "Ana 30 Ben 5"],
        [],
    ),
    "a column of known games below another name": (
        [["When", "What we played", "Tom", "Sue"], [DAY, "Skyjo", 34, 51], [NEXT, "Uno", 8, 9]],
        ["Skyjo lowest: Tom 34 Sue 51", "Uno highest: Tom 8 Sue 9"],
        [],
    ),
    "rounds named by words below a day": (
        [
            ["Kniffel am 12.1.2025"],
            [None, "Mama", "Papa"],
            ["Einser", 3, 2], ["Bonus", 35, 0], ["Gesamt", 38, 2],
        ],
        ["2025-01-12 Mama 38 Papa 2"],
        ["A5 sum"],
    ),
    "totals behind the names": (
        [["Round", "Amy", "Bob", "Amy total", "Bob total"], [1, 5, 10, 5, 10], [2, 7, 3, 12, 13]],
        ["Amy 12 Bob 13"],
        [],
    ),
    "marks instead of points": (
        [HEAD, [DAY, "12 (1er)", 10], [NEXT, "forfait", 10], ["2020-01-04", "?", 10]],
        [],
        ["B2 number", "B3 number", "B4 number"],
    ),
    "days as columns and a sum": (
        [[None, "3.5.2025", "10.5.2025", "Gesamt"], ["Anna", 12, 7, 19], ["Bernd", 8, None, 8]],
        ["Anna 12 Bernd 8", "Anna 7"],
        [],
    ),
    "a day that does not exist, as a column": (
        [["Joueur", "28.02.2025", "30.02.2025"], ["Ana", 1, 2], ["Ben", 3, 4]],
        ["Ana 1 Ben 3"],
        ["C1 day"],
    ),
    "a day that does not exist, below another name": (
        [["Sitzung", "Ana", "Ben"], ["29.02.2024", 3, 4], ["30.02.2024", 5, 6]],
        ["Ana 3 Ben 4"],
        ["A3 day"],
    ),
    "numbers of no person": (
        [
            ["Semaine", "Tisch", "Duration", "Ana", "Ben", "Écart", "Avg", "Cumul Ana"],
            [9, 1, 45, 10, 20, 10, 15, 10],
        ],
        ["Ana 10 Ben 20"],
        [],
    ),
    "weekdays beside the days": (
        [["Tag", "Datum", "Ana", "Ben"], ["Sa", DAY, 10, 20], ["So", NEXT, 5, 8]],
        ["Ana 10 Ben 20", "Ana 5 Ben 8"],
        [],
    ),
    "units behind the names": (
        [["date", "Ana (pts)", "Ben\n(Punkte)"], [DAY, 10, 20]],
        ["Ana 10 Ben 20"],
        [],
    ),
    "comments with numbers": (
        [[*HEAD, "Commentaires"], [DAY, 10, 20, "3 fois"], [NEXT, 5, 8, "2e tour"]],
        ["Ana 10 Ben 20", "Ana 5 Ben 8"],
        [],
    ),
    "a table for each game": (
        [
            ["Skyjo", None, None], HEAD, [DAY, 10, 20], [None, None, None],
            ["Uno", None, None], HEAD, [NEXT, 100, 200],
        ],
        ["Skyjo lowest: Ana 10 Ben 20", "Uno highest: Ana 100 Ben 200"],
        [],
    ),
    "a table for each day": (
        [
            ["May 3rd 2025"], ["Round", "Ana", "Ben"], [1, 10, 20], [2, 10, 20],
            ["May 10th 2025"], ["Round", "Ana", "Ben"], [1, 1, 2], [2, 3, "?"],
        ],
        ["Ana 20 Ben 40"],
        ["C8 number"],
    ),
    "games below the title of a day": (
        [
            ["Spieltag 1 (3.5.2025)"], [None, "Ana", "Ben"], ["Skyjo", 10, 20], ["Uno", 7, 9],
            ["Spieltag 2 (10.5.2025)"], [None, "Ana", "Ben"], ["Skyjo", 1, 2],
        ],
        ["Skyjo lowest: Ana 10 Ben 20", "Uno highest: Ana 7 Ben 9", "Skyjo lowest: Ana 1 Ben 2"],
        [],
    ),
    "amounts of money": ([HEAD, [DAY, "5 €", "-5 €"]], [], ["B2 number", "C2 number"]),
    "footnotes": ([HEAD, [DAY, "10¹", 20], [NEXT, 1, 2]], ["Ana 1 Ben 2"], ["B2 number"]),
    "a letter in a number": ([HEAD, [DAY, "1O", 20]], [], ["B2 number"]),
    "several days in a cell": ([HEAD, ["8./9.3.2025", 5, 8]], [], ["A2 day"]),
}  # fmt: skip
# By what is odd: the table, and per game its winners by name, or the problem.
WINNERS: dict[str, tuple[Table, list[str]]] = {
    "the points say it": ([[*HEAD, "Winner"], [DAY, 3, 4, "Ben"]], ["Ben"]),
    "a tie that the table broke": ([[*HEAD, "Gagnant"], [DAY, 70, 70, "Ana"]], ["Ana"]),
    "another than the most points": ([[*HEAD, "Sieger"], [DAY, 3, 4, "Ana"]], ["Ana"]),
    "a shared win": ([[*HEAD, "Sieger"], [DAY, 3, 4, "Ana und Ben"]], ["Ana Ben"]),
    "an initial": ([[*HEAD, "Gewinner"], [DAY, 3, 3, "B"]], ["Ben"]),
    "nobody": ([[*HEAD, "Vainqueur"], [DAY, 3, 4, "personne"]], [""]),
    "a draw": ([[*HEAD, "Winner"], [DAY, 4, 4, "draw"]], ["Ana Ben"]),
    "a draw that is none": ([[*HEAD, "Winner"], [DAY, 3, 4, "draw"]], ["D2 winner"]),
    "somebody else": ([[*HEAD, "Winner"], [DAY, 3, 4, "Zoé"]], ["D2 winner"]),
    "not written": ([[*HEAD, "Winner"], [DAY, 3, 4, None], [NEXT, 3, 4, "-"]], ["Ben", "Ben"]),
    "a row below the rounds": (
        [["Runde", "Ana", "Ben"], [1, 3, 4], [2, 5, 4], ["Sieger", "Ana"]],
        ["Ana"],
    ),
    "a mark below a name": (
        [["Manche", "Ana", "Ben"], [1, 3, 4], ["Gagnant", None, "x"]],
        ["Ben"],
    ),
    "a column of yes and no": (
        [
            ["Datum", "Spiel", "Spieler", "Punkte", "Gewonnen"],
            [DAY, "Azul", "Ana", 70, "nein"],
            [DAY, "Azul", "Ben", 70, "ja"],
            [NEXT, "Pandemic", "Ana", 0, "nein"],
            [NEXT, "Pandemic", "Ben", 0, "nein"],
        ],
        ["Ben", ""],
    ),
    "places of a row for each person": (
        [
            ["Date", "Jeu", "Joueur", "Place"],
            [DAY, "Azul", "Ana", 2],
            [DAY, "Azul", "Ben", 1],
        ],
        ["Ben"],
    ),
}  # fmt: skip


def open_table(rows: Table) -> bytes:
    def cell(value: object) -> str:
        match value:
            case None:
                return "<table:table-cell/>"
            case int() | float():
                return _CELL.format(f' office:value-type="float" office:value="{value}"', value)
            case _:
                return _CELL.format(' office:value-type="string"', escape(str(value)))

    lines = ("".join(map(cell, row)) for row in rows)
    return open_document("".join(f"<table:table-row>{line}</table:table-row>" for line in lines))


def csv_table(rows: Table) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def read(data: bytes) -> tuple[list[str], list[str]]:
    games: list[str] = []
    problems: list[str] = []
    sheet = only_sheet(data)
    for part in arrange(sheet, guess_head(sheet)):
        first = guess_head(part)
        roles = guess_roles(part, first)
        euchre = {"euchre": GameKind(ruleset="euchre")}
        matching = Matching(
            ruleset="scores", title="Foo", wins="highest", head=first, roles=roles, kinds=euchre
        )
        book = read_book(part, matching, NOW, UTC, WORDS)
        games += [_line(game, dated="day" not in roles) for game in book.games]
        problems += [f"{problem.cell} {problem.wrong}" for problem in book.problems]
    return games, problems


def _line(game: BookGame, *, dated: bool) -> str:
    """Return a game as totals by name, with a title or day that no column has."""
    totals = " ".join(
        f"{who} {total}" for who, total in zip(game.record.players, game.totals, strict=True)
    )
    title = game.record.title
    named = (
        f"{title} {getattr(game.record.options, 'wins', '')}: "
        if title not in {None, "Foo"}
        else ""
    )
    day = f"{game.day} " if dated and game.day else ""
    return f"{day}{named}{totals}"


@pytest.mark.parametrize("write", [workbook, open_table, csv_table])
@pytest.mark.parametrize("what", TABLES)
def test_everything_in_a_table_is_read_or_named(what: str, write: Callable[[Table], bytes]) -> None:
    table, games, problems = TABLES[what]
    assert read(write(table)) == (games, problems)


@pytest.mark.parametrize("write", [workbook, csv_table])
@pytest.mark.parametrize("what", WINNERS)
def test_the_winners_of_a_table_win(what: str, write: Callable[[Table], bytes]) -> None:
    table, expected = WINNERS[what]
    found: list[str] = []
    sheet = only_sheet(write(table))
    for part in arrange(sheet, guess_head(sheet)):
        roles = guess_roles(part, guess_head(part))
        matching = Matching(
            ruleset="scores", title="Foo", wins="highest", head=guess_head(part), roles=roles
        )
        book = read_book(part, matching, NOW, UTC, WORDS)
        found += [f"{problem.cell} {problem.wrong}" for problem in book.problems]
        for game in book.games:
            won = sorted(first_seats(game.record))
            found.append(" ".join(game.record.players[seat] or "" for seat in won))
    assert found == expected


def test_days_without_a_known_head_are_the_days_of_the_games() -> None:
    for head in (None, "Abend"):
        sheet = only_sheet(workbook([[head, "Ana", "Ben"], [date(2020, 2, 1), 3, 4]]))
        assert guess_roles(sheet, 1) == ("day", "points", "points")


def test_words_without_a_head_are_remarks() -> None:
    sheet = only_sheet(csv_table([[*HEAD, None], [DAY, 3, 4, "at the lake"]]))
    assert guess_roles(sheet, 1) == ("day", "points", "points", "note")


def test_points_in_a_cell_across_rows_are_named_and_a_day_is_of_all_of_them() -> None:
    out = io.BytesIO()
    made: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    sheet = made.add_worksheet()
    sheet.write_row(0, 0, HEAD)
    sheet.merge_range("A2:A3", DAY)
    sheet.write_column("B2", [3, 5])
    sheet.merge_range("C2:C3", 4)
    sheet.write_row("A4", [NEXT, 1, 2])
    made.close()
    assert read(out.getvalue()) == (["Ana 1 Ben 2"], ["C2 merged", "C3 merged"])
