import io
import zlib
from base64 import b64decode
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import pairwise
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import pytest
from xlsxwriter import Workbook

from schemas.catalogue import SHAPES
from schemas.days import day_without_time, timestamp_of_day
from service.extensions.score_books.books import (
    Book,
    CellProblem,
    Matching,
    Wrong,
    guess_head,
    guess_roles,
    read_book,
)
from service.extensions.score_books.cells import DayOrder, decimal_marks
from service.extensions.score_books.source import shown_problem
from service.extensions.score_books.tables import (
    ROWS_MAX,
    BadCell,
    BadTable,
    Sheet,
    cell_name,
    read_sheets,
)
from service.language.sentence import LANGUAGES
from service.transfer.games_from_points import whole_number
from service.transfer.record_files import BatchWords
from service.transfer.uploads import assess_record
from tests.faults.test_uploads import open_document

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
WORDS = BatchWords(lang="en", deal="Deal {number}", beside="", ended="From the score book")
EUCHRE = "euchre"
ROWS = 10_000
# A title without its winning rule, and the reverse.
BARE: tuple[tuple[str | None, Literal["lowest"] | None], ...] = (("Skyjo", None), (None, "lowest"))


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


def only_sheet(data: bytes) -> Sheet:
    (sheet,) = read_sheets(data)
    return sheet


def book_of(
    data: bytes,
    ruleset: str = EUCHRE,
    order: DayOrder | None = None,
    zone: tzinfo | None = UTC,
) -> Book:
    sheet = only_sheet(data)
    head = guess_head(sheet)
    roles = guess_roles(sheet, head)
    titled = ruleset == "scores"
    matching = Matching(
        ruleset=ruleset,
        title="Skyjo" if titled else None,
        wins="highest" if titled else None,
        head=head,
        roles=roles,
        order=order,
    )
    return read_book(sheet, matching, NOW, zone, WORDS)


def csv(*lines: str) -> bytes:
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def years() -> list[list[object]]:
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
        "C10": (9, 2, "?"),
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
    spoilt = {(row - 1) // 40 for row, _, _ in wrong.values()}
    assert sum(game.deals for game in book.games) == ROWS - 40 * len(spoilt)


def test_ten_thousand_deals_are_games_with_their_days_and_points(
    years: list[list[object]],
) -> None:
    book = book_of(workbook(years))
    assert (len(book.games), book.problems) == (250, ())
    assert book.games[0].record.date == timestamp_of_day(date(1990, 1, 3))
    assert sum(game.totals[1] for game in book.games) == ROWS
    last = assess_record(book.games[-1].record)
    assert last.faults == ()
    assert last.outcome is not None
    assert last.outcome.summary.totals == book.games[-1].totals


@pytest.mark.parametrize("ruleset", SHAPES)
def test_a_row_is_a_game_of_any_kind_that_the_rules_accept(ruleset: str) -> None:
    points = (7, -3, 0, 0, 0)[: SHAPES[ruleset].SEATS[0]]
    names = ("Ann", "Bob", "Cléo", "Dan", "Eve")[: len(points)]
    rows = (";".join(("Day", *names)), ";".join(("2020-01-02", *map(str, points))))
    book = book_of(csv(*rows), ruleset)
    (game,) = book.games
    assert assess_record(game.record).faults == ()
    assert game.totals == points


def test_whoever_has_no_points_did_not_play() -> None:
    book = book_of(csv("Jour,Ann,Bob,Cléo", "2/1/2020,7,–,3", "3/1/2020,1,2,3"), "rami")
    assert [game.record.players for game in book.games] == [("Ann", "Cléo"), ("Ann", "Bob", "Cléo")]


def test_a_dash_says_that_somebody_did_not_play() -> None:
    (game,) = book_of(csv("Day;Ann;Bob;Zoe", "2020-01-02;1;–;2")).games
    assert game.record.players == ("Ann", "Zoe")


def test_games_of_one_day_stay_in_order() -> None:
    book = book_of(csv("Day,Ann,Bob", *["2020-01-02,1,2"] * 3))
    begun = [game.record.date for game in book.games if game.record.date]
    assert all(one < other for one, other in pairwise(begun))
    assert len({game.key for game in book.games}) == 3
    assert {day_without_time(moment) for moment in begun} == {date(2020, 1, 2)}


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2020-03-04", "dmy", date(2020, 3, 4)),
        ("4.3.2020", "dmy", date(2020, 3, 4)),
        ("03/04/20", "mdy", date(2020, 3, 4)),
        ("4.3.98", "dmy", date(1998, 3, 4)),
    ],
)
def test_a_day_is_read_as_it_is_written(text: str, order: DayOrder, day: date) -> None:
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
        (("", "Day,Ann,Bob", "", "2020-01-01,1,?"), "C4", "number"),
    ],
)
def test_what_is_wrong_is_told_by_its_cell(lines: tuple[str, ...], cell: str, wrong: str) -> None:
    found = book_of(csv(*lines)).problems[0]
    assert (found.cell, found.wrong) == (cell, wrong)


def test_cells_are_named_as_spreadsheets_do() -> None:
    assert [cell_name(1, column) for column in (0, 25, 26, 701, 702)] == [
        "A1",
        "Z1",
        "AA1",
        "ZZ1",
        "AAA1",
    ]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"PK\x03\x04 no archive", "unreadable"),
        pytest.param(b"a,b\n" * (ROWS_MAX + 1), "rows", id="rows"),
        (b",\n,\n", "empty"),
        (b"a\0b", "unreadable"),
        # No signs are put in place of bytes that are no text.
        (b"\xff\xfeD", "unreadable"),
        (b"Day;Zo\x81;Bob\n", "unreadable"),
    ],
)
def test_what_would_take_too_much_or_is_no_table_is_refused(data: bytes, fault: str) -> None:
    assert refused_for(data) == fault


def refused_for(data: bytes) -> str:
    with pytest.raises(BadTable) as refused:
        read_sheets(data)
    return refused.value.fault


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_table_is_read_as_spreadsheets_save_it(encoding: str) -> None:
    sheet = only_sheet("Jour;Zoë;Bob\n1.2.2020;3;4\n".encode(encoding))
    assert list(sheet.rows[0]) == ["Jour", "Zoë", "Bob"]


def test_no_more_problems_are_told_than_anybody_reads() -> None:
    book = book_of(csv("Day,Ann,Bob", *["2020-01-01,?,y"] * 100))
    assert (len(book.problems), book.problem_count) == (100, 200)
    assert book.problems[0] == CellProblem(cell="B2", wrong="number", found="?")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.000", 1000),
        ("1,000", 1000),
        ("1 000", 1000),
        ("1\u202f000", 1000),
        ("1'000", 1000),
        ("-1.000,00", -1000),
        ("\u22127", -7),
        ("7,0", 7),
        ("1.000.000", 1_000_000),
        ("10,5", None),
        ("0.500", None),
        ("1,00,000", None),
        ("V", None),
    ],
)
def test_a_whole_number_is_read_with_the_marks_of_three_languages(
    text: str, number: int | None
) -> None:
    assert whole_number(text) == number


def test_a_mark_that_begins_fractions_elsewhere_marks_no_thousands() -> None:
    assert whole_number("1,000", decimal_marks(["10,5", "1,000"])) is None
    assert whole_number("1,000", decimal_marks(["7", "2,000"])) == 1000


@pytest.mark.parametrize("cell", ["V", "10,5", "?"])
def test_one_odd_cell_is_named_and_its_column_stays(cell: str) -> None:
    book = book_of(csv("Day;Ann;Bob", f"2020-01-02;1;{cell}"))
    assert [(one.cell, one.wrong, one.found) for one in book.problems] == [("C2", "number", cell)]


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (("12/31/2025", "12/01/2025"), (date(2025, 12, 31), date(2025, 12, 1))),
        (("12/01/2025", "31/12/2025"), (date(2025, 1, 12), date(2025, 12, 31))),
        (("12.01.2025", "1.2.2025"), (date(2025, 1, 12), date(2025, 2, 1))),
    ],
)
def test_the_order_of_days_is_the_one_that_the_rows_prove(
    texts: tuple[str, str], days: tuple[date, date]
) -> None:
    book = book_of(csv("Day;Ann;Bob", *(f"{text};1;2" for text in texts)), order="dmy")
    assert (tuple(game.day for game in book.games), book.unclear) == (days, None)


def test_a_day_that_could_be_either_is_asked_about() -> None:
    book = book_of(csv("Day;Ann;Bob", "03/04/2025;1;2"))
    assert book.unclear is not None
    assert (book.unclear.day_first, book.unclear.month_first) == (
        date(2025, 4, 3),
        date(2025, 3, 4),
    )


@pytest.mark.parametrize(
    "text",
    [
        "4 mai 2019",
        "sam. 4 mai 19",
        "Samstag, 4. Mai 2019",
        "May 4th, 2019",
        "4-May-19",
        "2019/5/4",
        "le 4 mai 2019",
    ],
)
def test_a_month_is_read_by_its_name(text: str) -> None:
    (game,) = book_of(csv("Day;Ann;Bob", f"{text};1;2")).games
    assert game.day == date(2019, 5, 4)


@pytest.mark.parametrize("text", ["4 mai 2019 20h30", "2019-05-04 20:30", "May 4, 2019 8:30 PM"])
def test_an_hour_that_is_written_is_kept(text: str) -> None:
    (game,) = book_of(csv("Day;Ann;Bob", f'"{text}";1;2')).games
    assert game.record.date == datetime(2019, 5, 4, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2019-05-04T20:15Z", date(2019, 5, 5)),
        ("2019-05-04T20:15:00.000Z", date(2019, 5, 5)),
        ("2019-05-04 22:15 +02:00", date(2019, 5, 5)),
        ("4 mai 2019 20:15 UTC", date(2019, 5, 5)),
        ("2019-05-04T15:15:00-0500", date(2019, 5, 5)),
        ("5/5/2019 5:15 am", date(2019, 5, 5)),
    ],
)
def test_an_offset_that_is_written_counts_before_the_readers_zone(text: str, day: date) -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    (game,) = book_of(csv("Day;Ann;Bob", f'"{text}";1;2'), zone=tokyo).games
    assert game.record.date == datetime(2019, 5, 4, 20, 15, tzinfo=UTC)
    assert game.day == day


def test_an_hour_later_today_is_in_the_future() -> None:
    book = book_of(csv("Day;Ann;Bob", "2026-11-22 11:59;1;2", "2026-11-22 12:01;1;2"))
    assert [(one.cell, one.wrong) for one in book.problems] == [("A3", "future")]


# A workbook of Excel 97, which XlsxWriter cannot write: two sheets, the second with #DIV/0! in B4.
_OLD_WORKBOOK = (
    "eNrtWE1oE0EU/mZ38ydtmtZUaMUQClaNLaSpBy/tmqD2ZKleFBE0sT1ISyLBS71YrTkKgifFS6EXL1Uv/qCC3jwIFT"
    "0IopDYoydBwUOb9b23uzWtOTSg8W+/zbx982a+mcm8N7Oz+3KxvTx3t7uCdRiGjqoVgr/GpiiF3EwEVG5ZrLr3ICXL"
    "w1+FUJAc6ffhUeuLAPuQ/V2BhjvGM5LAB0oncBajhfxEvInIyBiyiscwpAyKPQ03KYXRJePqEHla5GaRt6XuY5H7xH"
    "JF5BDVLavjWDRHE3udOD6m9UhZmKTCfeG8FcsAOvGc4/jCVWXX9SFdPJOd+jMLYkYL5kGeG5nITxSzU2VEyYXz+GLF"
    "gc/uWn0a9+zNtSuQ/etae6CO/ZpmADOwTikOxBJtr0u67eA0Z9757ExmGXuwiVTOU4X92WmS6XyeZKaQo5JUMpXsTw"
    "70J1O1mUHm2Es8smaJt0rgt5AcR5vo7RL+EdrEl299enUoN2aeFMuMbOv25r+dRwsLF5lB5LCU6KsyIYzdIi9Jq1tF"
    "7xYZpdHTvXes01EOzkqdy1LaS/0MCl6bO2r0naSXPh5+ECstmbtIXxipnI8uvDHn0EMTNE58vmbRp/rUjeuMh6Z7V8"
    "428V5k1w9bRlCLOGO3nCdcG1ZknkHzwbBzPDtqNac5c8VsVYethM3z8YT6V8KOiS0sbOZpdXia1OEZ9mlBxyeKvLWN"
    "dM1pkR+wNimAmOKfPqx14B5zadf7jmY43vAc/zsdz83p65rjBnRpIKBsnRtIKAkS1AsSDx48ePDgwcN/ByUnE/sUZz"
    "gvGH45ZdjfdVYoVb3PJP8sjqBA1zl6LT2APN2LmG4ofrbAp9y21AY57vdCxlHqvYhJ5GQckw3HL53zVe3/2TAx8vOW"
    "UKP9VxsZ5y/u/xt3zwDH"
)


def test_an_error_in_a_workbook_of_excel_97_is_named() -> None:
    first, second = read_sheets(zlib.decompress(b64decode(_OLD_WORKBOOK)))
    assert [row[1] for row in first.rows] == ["Ann", 7, "TRUE"]
    assert [row[1] for row in second.rows] == ["Ann", 7, "TRUE", "#DIV/0!"]
    assert isinstance(second.rows[3][1], BadCell)


def odd_workbook() -> bytes:
    out = io.BytesIO()
    made: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    made.add_worksheet("other").write(1, 2, "?")
    sheet = made.add_worksheet("Euchre")
    sheet.write_row(0, 0, ["Day", "Ann", "Bob", "Remark"])
    for row in range(1, 9):
        sheet.write_row(row, 0, ["2020-01-02", 7, 3])
    sheet.write_formula(1, 2, "=1/0", None, "#DIV/0!")
    sheet.write_formula(2, 2, "=B2+1", None, "")
    sheet.write(3, 2, bool(1))
    sheet.write_datetime(4, 2, date(2020, 1, 2), made.add_format({"num_format": "d/m/yy"}))
    sheet.write_datetime(5, 2, timedelta(hours=30), made.add_format({"num_format": "[h]:mm"}))
    sheet.write_number(6, 2, 1, made.add_format({"num_format": '0.0%;"%"'}))
    sheet.write_formula(7, 3, "=A99", None, "#REF!")
    sheet.write_formula(8, 0, "=B2+1", None, "")
    made.close()
    return out.getvalue()


_ODS_CELLS = (
    (
        '<table:table-cell office:value-type="string" calcext:value-type="error">'
        "<text:p>#DIV/0!</text:p></table:table-cell>"
    ),
    (
        '<table:table-cell office:value-type="float" office:value="0" calcext:value-type="error">'
        "<text:p>Err:502</text:p></table:table-cell>"
    ),
    '<table:table-cell table:formula="of:=[.B2]+1"/>',
    '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>',
    '<table:table-cell office:value-type="time" office:time-value="PT30H20M00S"/>',
    '<table:table-cell office:value-type="percentage" office:value="1"/>',
    "<table:table-cell><text:p>seven</text:p></table:table-cell>",
)


def test_cells_that_are_no_points_are_named_in_a_workbook() -> None:
    sheet = read_sheets(odd_workbook())[1]
    matching = Matching(ruleset=EUCHRE, head=1, roles=guess_roles(sheet, 1))
    book = read_book(sheet, matching, NOW, UTC, WORDS)
    assert [(one.cell, one.wrong, one.found) for one in book.problems] == [
        ("C2", "number", "#DIV/0!"),
        ("C3", "number", "=B2+1"),
        ("C4", "number", "TRUE"),
        ("C5", "number", "2020-01-02"),
        ("C6", "number", "1 day, 6:00:00"),
        ("C7", "number", "100%"),
        ("D8", "bad", "#REF!"),
        ("A9", "day", "=B2+1"),
    ]


def test_cells_that_are_no_points_are_named_in_an_open_document() -> None:
    day = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = ["".join(map(day.format, ("Day", "Ann", "Bob")))]
    ann = '<table:table-cell office:value-type="float" office:value="7"/>'
    rows += [day.format("2020-01-02") + ann + cell for cell in (*_ODS_CELLS, ann)]
    data = open_document("".join(f"<table:table-row>{row}</table:table-row>" for row in rows))
    book = book_of(data)
    assert [(one.cell, one.found) for one in book.problems] == [
        ("C2", "#DIV/0!"),
        ("C3", "Err:502"),
        ("C4", "of:=[.B2]+1"),
        ("C5", "TRUE"),
        ("C6", "PT30H20M00S"),
        ("C7", "100%"),
        ("C8", "seven"),
    ]


def test_an_error_in_text_is_no_remark_and_no_number_of_a_game() -> None:
    book = book_of(csv("Day;Game;Ann;Bob;Note", "2020-01-02;#REF!;1;2;", "2020-01-02;2;1;2;#N/A"))
    assert [(one.cell, one.wrong) for one in book.problems] == [("B2", "bad"), ("E3", "bad")]


def test_a_column_of_errors_is_not_left_out() -> None:
    book = book_of(csv("Day;Ann;#REF!;Bob", "2020-01-02;1;2;#VALUE!"))
    assert [(one.cell, one.wrong) for one in book.problems] == [("C1", "bad"), ("D2", "number")]


def test_several_columns_of_remarks_are_all_kept_and_a_second_day_is_asked_about() -> None:
    (game,) = book_of(csv("Day;Ann;Bob;Note;Place", "2020-01-02;1;2;late;at home")).games
    assert "late\nat home" in {getattr(entry, "text", "") for entry in game.record.log}
    book = book_of(csv("Day;Date;Ann;Bob", "2020-01-02;2020-01-03;1;2"))
    assert [(one.cell, one.wrong) for one in book.problems] == [("B1", "twice")]


def test_a_quotation_mark_without_its_end_swallows_no_lines() -> None:
    assert refused_for(csv("Day,Ann,Bob,Note", '2020-01-02,1,2,"late', "2020-01-03,1,2,")) == (
        "unreadable"
    )


def test_a_game_with_a_row_that_cannot_be_read_is_left_out_whole() -> None:
    rows = ("2020-01-02;1;1;2", ";1;?;2", "never;2;1;2", ";2;1;2", ";3;1;2", "2020-01-05;4;1;2")
    book = book_of(csv("Day;Game;Ann;Bob", *rows))
    assert [one.cell for one in book.problems] == ["C3", "A4"]
    assert [game.row for game in book.games] == [7]


def test_a_title_row_and_merged_heads_lead_to_the_row_with_the_names() -> None:
    out = io.BytesIO()
    made: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    sheet = made.add_worksheet("2024")
    sheet.merge_range("A1:C1", "Our Dutch evenings")
    sheet.merge_range("A2:A3", "Date")
    sheet.merge_range("B2:C2", "Points")
    for row, cells in enumerate([(None, "Ann", "Bob"), ("2019-05-04", 7, 3)], 2):
        for column, cell in enumerate(cells):
            if cell is not None:
                sheet.write(row, column, cell)
    made.close()
    (game,) = book_of(out.getvalue()).games
    assert (game.row, game.record.players, game.totals) == (4, ("Ann", "Bob"), (7, 3))
    assert game.day == date(2019, 5, 4)


def test_every_sheet_that_holds_anything_can_be_chosen() -> None:
    out = io.BytesIO()
    made: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    for name in ("Read me", "2023", "2024", "empty"):
        sheet = made.add_worksheet(name)
        if name != "empty":
            sheet.write(0, 0, name)
    made.close()
    assert [one.name for one in read_sheets(out.getvalue())] == ["Read me", "2023", "2024"]


def test_a_guard_against_formulas_is_no_part_of_a_name() -> None:
    (game,) = book_of(csv("Day;'=1+1;'+33", "2020-01-02;1;2")).games
    assert game.record.players == ("=1+1", "+33")


def test_rows_of_a_game_by_points_are_its_rounds() -> None:
    sheet = only_sheet(csv("Day,Game,Ann,Bob", "2020-01-02,1,12,", ",1,-5,30", ",1,,", ",2,1,2"))
    head = guess_head(sheet)
    matching = Matching(
        ruleset="scores",
        title="Skyjo",
        wins="lowest",
        head=head,
        roles=guess_roles(sheet, head),
    )
    book = read_book(sheet, matching, NOW, UTC, WORDS)
    first, _ = book.games
    assert (first.record.title, first.totals, first.deals) == ("Skyjo", (7, 30), 2)
    found = assess_record(first.record)
    assert found.faults == ()
    assert found.outcome is not None
    assert [getattr(one, "points", None) for one in first.record.log] == [
        (12, None),
        (-5, 30),
        None,
    ]
    assert found.outcome.deals == ((12, 0), (-5, 30))
    assert found.outcome.summary.places == (1, 2)


def test_a_game_by_points_needs_a_title_and_who_wins() -> None:
    sheet = only_sheet(csv("Day,Ann,Bob", "2020-01-02,12,7"))
    for title, wins in BARE:
        matching = Matching(
            ruleset="scores", title=title, wins=wins, head=1, roles=("day", "points", "points")
        )
        assert read_book(sheet, matching, NOW, UTC, WORDS).games == ()


def test_every_problem_of_a_cell_has_a_sentence() -> None:
    for wrong in get_args(Wrong):
        problem = CellProblem(cell="B2", wrong=wrong, found="12")
        said = {lang: shown_problem(problem, lang).message for lang in LANGUAGES}
        assert len({*said.values()}) == len(LANGUAGES), wrong
