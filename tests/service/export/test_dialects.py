from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from service.export.formats.dialects import DIALECTS, RFC_4180, Dialect, Line, csv_lines
from service.export.game.forms import ascii_name, disposition, file_name, sheet_csv
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


DAY = date(2026, 11, 22)


def test_a_file_is_named_after_its_day_its_game_and_who_played() -> None:
    name = file_name(DAY, "Rami 51", ["Ann", "Bob"], "pdf")
    assert name == "2026-11-22 Rami 51 Ann, Bob.pdf"


def test_of_a_game_without_a_day_the_rest_is_named() -> None:
    assert file_name(None, "Dutch", ["Ann"], "csv") == "Dutch Ann.csv"


def test_of_many_players_the_first_are_named() -> None:
    name = file_name(DAY, "Dutch", list("ABCDEFGH"), "csv")
    assert name == "2026-11-22 Dutch A, B, C, D, ….csv"


@pytest.mark.parametrize("player", ["../../etc/passwd", 'a"b\\c:d*?<e>|', "a\r\nSet-Cookie: b"])
def test_no_name_holds_what_a_system_or_a_header_refuses(player: str) -> None:
    name = file_name(DAY, "Euchre", [player, "Bob"], "pdf")
    assert not set(name) & set('\\/:*?"<>|\r\n')
    assert disposition(name).isascii()
    assert "\n" not in disposition(name)


def test_a_name_is_no_longer_than_a_system_can_keep() -> None:
    assert len(file_name(DAY, "Euchre", ["x" * 500] * 2, "pdf").encode()) <= 255


@pytest.mark.parametrize(
    ("player", "spelt"),
    [("Zoë Müller", "Zoe-Muller"), ("Strauß", "Strauss"), ("Łukasz", "Lukasz"), ("Björn", "Bjorn")],
)
def test_in_ascii_letters_lose_their_marks(player: str, spelt: str) -> None:
    assert ascii_name(file_name(DAY, "Durak", [player], "pdf")) == f"2026-11-22-Durak-{spelt}.pdf"


def test_a_name_in_another_script_is_told_beside_one_in_ascii() -> None:
    said = disposition(file_name(DAY, "Durak", ["Аня"], "pdf"), shown=True)
    assert said == (
        'inline; filename="2026-11-22-Durak.pdf"; '
        "filename*=UTF-8''2026-11-22%20Durak%20%D0%90%D0%BD%D1%8F.pdf"
    )
