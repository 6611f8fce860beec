"""CSV in two dialects: what RFC 4180 says, and what Excel in France and Germany reads."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from service.export.formats.dialects import DIALECTS, RFC_4180, Dialect, Line, csv_lines
from service.export.game.forms import sheet_csv
from service.language.texts import texts
from tests.service.export.games import NAMES, STARTED, euchre

LINE: Line = ["Zoë", -3, 1.5, None, 'a "b"; c']


def test_rfc_4180__has_commas_points_and_no_mark() -> None:
    assert list(csv_lines([LINE])) == ['"Zoë",-3,1.5,"","a ""b""; c"\r\n']


@pytest.mark.parametrize("program", DIALECTS)
def test_excel__has_a_mark_semicolons_and_decimal_commas(program: str) -> None:
    written = list(csv_lines([LINE, LINE], DIALECTS[program]))
    line = '"Zoë";-3;1,5;"";"a ""b""; c"\r\n'
    assert written == [f"\ufeff{line}", line]


@pytest.mark.parametrize("dialect", [RFC_4180, *DIALECTS.values()])
def test_a_text_like_a_formula_stays_text_and_a_negative_number_a_number(dialect: Dialect) -> None:
    (line,) = csv_lines([["-1", -1]], dialect)
    assert line == f'{dialect.begin}"\'-1"{dialect.delimiter}-1\r\n'


def test_moments__tell_a_spreadsheet_the_reader_s_clock() -> None:
    (line,) = csv_lines([[STARTED]], DIALECTS["excel-de"], ZoneInfo("Asia/Tokyo"))
    assert line == '\ufeff"2026-11-22 05:37:05"\r\n'


def test_moments__tell_their_zone_but_to_a_spreadsheet_the_machine_s() -> None:
    assert list(csv_lines([[STARTED]])) == ['"2026-11-21T20:37:05+00:00"\r\n']
    local = datetime(2026, 11, 21, 20, 37, 5, tzinfo=UTC).astimezone()
    (line,) = csv_lines([[STARTED]], DIALECTS["excel-de"])
    assert line == f'\ufeff"{local:%Y-%m-%d %H:%M:%S}"\r\n'


def test_no_line__is_an_empty_file() -> None:
    assert list(csv_lines([])) == []


def test_a_sheet_for_excel_has_the_same_cells() -> None:
    sheet = euchre().sheet
    plain = sheet_csv(sheet, NAMES, "de", texts())
    excel = sheet_csv(sheet, NAMES, "de", texts(), DIALECTS["excel-de"])
    assert excel.startswith('\ufeff"Spiel";"Zeile"')
    assert excel.count(";") == plain.count(",") - plain.count('", twice')
