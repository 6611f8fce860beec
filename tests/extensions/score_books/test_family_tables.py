"""Tables as families keep them: sums, rounds, remarks, several tables on one sheet, odd numbers.

Each is read as XLSX, ODS and CSV; everything in it is read or named by its cell.
"""

import io
from collections.abc import Callable
from datetime import UTC, date
from typing import Any
from xml.sax.saxutils import escape

import pytest
from xlsxwriter import Workbook

from service.extensions.score_books.books import Matching, guess_head, guess_roles, read_book
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
        ["Ana 3 Ben 4"],
        ["B4 table"],
    ),
    "a wider table below": (
        [["Ana", "Ben"], [3, 4], [None, None, None], ["Zoé", "Dan", "Eve"], [5, 6, 7]],
        ["Ana 3 Ben 4"],
        ["A4 table"],
    ),
    "two tables side by side": (
        [[*HEAD, None, "Date", "Zoé", "Dan"], [DAY, 3, 4, None, NEXT, 5, 6]],
        [],
        ["E1 twice"],
    ),
    "the head again": ([HEAD, [DAY, 3, 4], HEAD, [NEXT, 5, 6]], ["Ana 3 Ben 4", "Ana 5 Ben 6"], []),
    "a name twice": ([["Date", " Ana ", "Ben", "ana"], [DAY, 3, 4, 5]], [], ["D1 twice"]),
    "a name with blanks": ([["Date", " Ana ", "Ben\u00a0"], [DAY, 3, 4]], ["Ana 3 Ben 4"], []),
    "people as rows": ([["Joueur", "M1", "M2"], ["Ana", 1, 2], ["Ben", 4, 5]], [], ["A1 turned"]),
    "days as columns": ([[None, DAY, NEXT], ["Ana", 1, 2]], [], ["B1 name", "C1 name"]),
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
        ["Ana 3 Ben 4"],
        ["D2 number"],
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
    return "\n".join(
        ";".join("" if cell is None else str(cell) for cell in row) for row in rows
    ).encode()


def read(data: bytes, head: int | None = None) -> tuple[list[str], list[str], int | None]:
    sheet = only_sheet(data)
    head = head or guess_head(sheet)
    roles = guess_roles(sheet, head)
    matching = Matching(ruleset="scores", title="Skyjo", wins="highest", head=head, roles=roles)
    book = read_book(sheet, matching, NOW, UTC, WORDS)
    games = [
        " ".join(
            f"{who} {total}" for who, total in zip(game.record.players, game.totals, strict=True)
        )
        for game in book.games
    ]
    return games, [f"{one.cell} {one.wrong}" for one in book.problems], book.next_head


@pytest.mark.parametrize("write", [workbook, open_table, csv_table])
@pytest.mark.parametrize("what", TABLES)
def test_everything_in_a_table_is_read_or_named(what: str, write: Callable[[Table], bytes]) -> None:
    table, games, problems = TABLES[what]
    assert read(write(table))[:2] == (games, problems)


def test_a_table_below_is_read_by_its_own_head() -> None:
    data = csv_table(TABLES["two tables, one below"][0])
    next_head = read(data)[2]
    assert next_head == 4
    assert read(data, next_head) == (["Zoé 5 Dan 6"], [], None)


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
    assert read(out.getvalue())[:2] == (["Ana 1 Ben 2"], ["C2 merged", "C3 merged"])
