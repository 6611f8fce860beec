"""Score books as tables: every cell that is wrong by its place, and games with their days."""

import io
import zipfile
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import Any

import pytest
from xlsxwriter import Workbook

from schemas.catalogue import SHAPES
from service.transfer.archives import UNPACKED_BYTES_MAX
from service.transfer.score_books import (
    Book,
    BookWords,
    CellProblem,
    Matching,
    guessed,
    read_book,
)
from service.transfer.score_tables import ROWS_MAX, BadTable, Cell, place, read_table
from service.transfer.uploads import judged

TODAY = date(2026, 11, 22)
WORDS = BookWords(deal="Deal {number}", final="Final score", ended="From the score book")
EUCHRE = "euchre"
ROWS = 10_000


def workbook(rows: list[list[object]]) -> bytes:
    out = io.BytesIO()
    book: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    sheet = book.add_worksheet()
    days = book.add_format({"num_format": "dd.mm.yyyy"})
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if isinstance(cell, date):
                moment = datetime.combine(cell, time())
                sheet.write_datetime(number, column, moment, days)
            else:
                sheet.write(number, column, cell)
    book.close()
    return out.getvalue()


def book_of(data: bytes, ruleset: str = EUCHRE, order: str = "dmy") -> Book:
    table = read_table(data)
    roles = guessed(table)
    matching = Matching(ruleset=ruleset, roles=roles, order="mdy" if order == "mdy" else "dmy")
    return read_book(table, matching, TODAY, UTC, WORDS)


def csv(*lines: str) -> bytes:
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def years() -> list[list[object]]:
    """Write a score book of 10,000 deals: 250 games of 40, a game a month or so."""
    head: list[object] = ["Datum", "Spiel", "Ann", "Bob", "Bemerkung"]
    rows: list[list[object]] = [
        [date(1990 + number // 400, 1 + number // 40 % 10, 3), number // 40, number % 3, 1, ""]
        for number in range(ROWS)
    ]
    return [head, *rows]


def test_ten_thousand_rows_with_errors_in_ten_cells_are_told_by_cell(
    years: list[list[object]],
) -> None:
    wrong: dict[str, tuple[int, int, object]] = {
        "A2": (1, 0, "someday"),
        "C10": (9, 2, "x"),
        "D77": (76, 3, 1.5),
        "A401": (400, 0, date(2093, 1, 1)),
        "C4000": (3_999, 2, "12a"),
        "D5001": (5_000, 3, "=1/0"),
        "C6666": (6_665, 2, 2_000_000),
        "A7000": (6_999, 0, "31.02.2001"),
        "D9999": (9_998, 3, "?"),
        "C10001": (10_000, 2, "I"),
    }
    rows = [[*row] for row in years]
    for row, column, cell in wrong.values():
        rows[row][column] = cell if cell != "=1/0" else "#"
    book = book_of(workbook(rows))
    assert [one.cell for one in book.problems] == [*wrong]
    assert book.problem_count == len(wrong)
    assert sum(game.deals for game in book.games) == ROWS - len(wrong)


def test_ten_thousand_deals_are_games_with_their_days_and_points(
    years: list[list[object]],
) -> None:
    book = book_of(workbook(years))
    assert (len(book.games), book.problems) == (250, ())
    assert book.games[0].record.date == datetime(1990, 1, 3, 12, tzinfo=UTC)
    assert sum(game.totals[1] for game in book.games) == ROWS
    last = judged(book.games[-1].record)
    assert last.faults == ()
    assert last.judged is not None
    assert last.judged.history.game.totals == book.games[-1].totals


@pytest.mark.parametrize("ruleset", SHAPES)
def test_a_row_is_a_game_of_any_kind_that_the_rules_accept(ruleset: str) -> None:
    points = (7, -3, 0, 0, 0)[: SHAPES[ruleset].SEATS[0]]
    names = ("Ann", "Bob", "Cléo", "Dan", "Eve")[: len(points)]
    rows = (";".join(("Day", *names)), ";".join(("2020-01-02", *map(str, points))))
    book = book_of(csv(*rows), ruleset)
    (game,) = book.games
    assert judged(game.record).faults == ()
    assert game.totals == points


def test_whoever_has_no_points_did_not_play() -> None:
    book = book_of(csv("Jour,Ann,Bob,Cléo", "2/1/2020,7,,3", "3/1/2020,1,2,3"), "rami")
    assert [game.record.players for game in book.games] == [("Ann", "Cléo"), ("Ann", "Bob", "Cléo")]


def test_games_of_one_day_stay_in_order() -> None:
    book = book_of(csv("Day,Ann,Bob", *["2020-01-02,1,2"] * 3))
    begun = [game.record.date for game in book.games if game.record.date]
    assert all(one < other for one, other in pairwise(begun))
    assert len({game.key for game in book.games}) == 3


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2020-03-04", "dmy", date(2020, 3, 4)),
        ("4.3.2020", "dmy", date(2020, 3, 4)),
        ("03/04/20", "mdy", date(2020, 3, 4)),
        ("4.3.98", "dmy", date(1998, 3, 4)),
    ],
)
def test_a_day_is_read_as_it_is_written(text: str, order: str, day: date) -> None:
    (game,) = book_of(csv("Day,Ann,Bob", f"{text},1,2"), order=order).games
    assert game.day == day


def test_a_remark_is_kept_with_its_game() -> None:
    (game,) = book_of(csv("Day,Ann,Bob,Note", "2020-01-02,1,2,at the lake")).games
    assert "at the lake" in {getattr(entry, "text", "") for entry in game.record.log}


@pytest.mark.parametrize(
    ("lines", "cell", "wrong"),
    [
        (("Day,Ann,Bob", ",1,2"), "A2", "day"),
        (("Day,Ann,Bob", "2099-01-01,1,2"), "A2", "future"),
        (("Day,Ann,Bob", "2020-01-01,1,"), "B2", "players"),
        (("Day,Ann,Ann", "2020-01-01,1,2"), "C1", "twice"),
        (("Day,Ann,Bob", "2020-01-01,1,one"), "C2", "number"),
        (("", "Day,Ann,Bob", "", "2020-01-01,1,x"), "C4", "number"),
    ],
)
def test_what_is_wrong_is_told_by_its_cell(lines: tuple[str, ...], cell: str, wrong: str) -> None:
    table = read_table(csv(*lines))
    matching = Matching(ruleset=EUCHRE, roles=("day", "points", "points"))
    found = read_book(table, matching, TODAY, UTC, WORDS).problems[0]
    assert (found.cell, found.wrong) == (cell, wrong)


def test_cells_are_named_as_spreadsheets_do() -> None:
    assert [place(1, column) for column in (0, 25, 26, 701, 702)] == [
        "A1",
        "Z1",
        "AA1",
        "ZZ1",
        "AAA1",
    ]


def _spoiled(member: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook([["Day", "Ann"], ["x", 1]]))) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, content if name == member else old.read(name))
    return out.getvalue()


_SHEET = "xl/worksheets/sheet1.xml"
_CELL = '<worksheet><sheetData><row r="1"><c r="A1"/><c r="{}"/></row></sheetData></worksheet>'


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param(b"\0" * (UNPACKED_BYTES_MAX + 1), "large", id="large"),
        (_CELL.format("XFD1048576").encode(), "rows"),
        (_CELL.format("A20001").encode(), "rows"),
        (_CELL.format("é").encode(), "unreadable"),
        (b"<!DOCTYPE x [<!ENTITY y 'z'>]><x/>", "unreadable"),
        (b"<worksheet>", "unreadable"),
    ],
)
def test_a_workbook_that_would_take_too_much_or_has_no_table_is_refused(
    content: bytes, fault: str
) -> None:
    assert refused_for(_spoiled(_SHEET, content)) == fault


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"PK\x03\x04 no archive", "unreadable"),
        pytest.param(b"a,b\n" * (ROWS_MAX + 1), "rows", id="rows"),
        (b",\n,\n", "empty"),
        (b"a\0b", "unreadable"),
    ],
)
def test_what_would_take_too_much_or_is_no_table_is_refused(data: bytes, fault: str) -> None:
    assert refused_for(data) == fault


def refused_for(data: bytes) -> str:
    with pytest.raises(BadTable) as refused:
        read_table(data)
    return refused.value.fault


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_table_is_read_as_spreadsheets_save_it(encoding: str) -> None:
    table = read_table("Jour;Zoë;Bob\n1.2.2020;3;4\n".encode(encoding))
    row: tuple[Cell, ...] = ("Jour", "Zoë", "Bob")
    assert table.rows[0] == row


def test_no_more_problems_are_told_than_anybody_reads() -> None:
    table = read_table(csv("Day,Ann,Bob", *["2020-01-01,x,y"] * 100))
    matching = Matching(ruleset=EUCHRE, roles=("day", "points", "points"))
    book = read_book(table, matching, TODAY, UTC, WORDS)
    assert (len(book.problems), book.problem_count) == (100, 200)
    assert book.problems[0] == CellProblem(cell="B2", wrong="number", found="x")
