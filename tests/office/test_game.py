import pytest

from service.export.formats.dialects import DIALECTS, Cell, Line, csv_lines
from service.export.game.forms import game_xlsx, sheet_csv
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.office.conftest import SEMICOLONS, Opened
from tests.office.flat import Value, Worksheets
from tests.service.export.games import PLAYED, STARTED, euchre
from tests.service.refused import Log

LOG: Log = [*PLAYED, {"type": "note", "text": "-1"}, {"type": "note", "text": "two\nlines"}]
NAMES = ("=SUM(A1)", "Łukasz")


def trimmed(line: Line) -> list[Cell]:
    kept = list(line)
    while kept and kept[-1] is None:
        kept.pop()
    return kept


def unmarked(value: Value) -> Value:
    return value[1:] if isinstance(value, str) and value.startswith("'") else value


Read = dict[str, Worksheets]


@pytest.fixture(scope="module")
def workbooks(opened: Opened) -> Read:
    return opened({lang: game_xlsx(euchre(LOG, NAMES, lang)) for lang in LANGUAGES}, "xlsx")


def csv_of(lang: str, program: str | None = None) -> bytes:
    game = euchre(LOG, NAMES, lang)
    how = (DIALECTS[program],) if program else ()
    return sheet_csv(game.sheet, game.players, lang, texts(), *how).encode()


@pytest.fixture(scope="module")
def with_commas(opened: Opened) -> Read:
    return opened({lang: csv_of(lang) for lang in LANGUAGES}, "csv")


@pytest.fixture(scope="module", params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def with_semicolons(opened: Opened, dialect: str) -> Read:
    numbers = "".join(csv_lines([[1.5, -2.25, STARTED]], DIALECTS[dialect])).encode()
    files = {"sheet": csv_of(dialect[-2:], dialect), "numbers": numbers}
    return opened(files, "csv", SEMICOLONS[dialect])


def lines_of(lang: str) -> list[list[Cell]]:
    rows = euchre(LOG, NAMES, lang).rows
    return [*map(trimmed, [rows.header(), *rows.lines()])]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_workbook_holds_the_same_cells(workbooks: Read, lang: str) -> None:
    game = euchre(LOG, NAMES, lang)
    sheets = workbooks[lang].values()
    # Each sheet says which game it is of.
    heads = {tuple(line[:2]) for sheet in sheets for line in sheet[1:]}
    assert heads == {(STARTED.astimezone().replace(tzinfo=None), "Euchre")}
    deals, standings, entries = ([line[2:] for line in sheet] for sheet in sheets)
    assert deals == lines_of(lang)
    assert standings[1:] == [[1, "Łukasz", 2], [2, "=SUM(A1)", -3]]
    assert [row[0] for row in entries[1:]] == [line.version for line in game.log]
    assert entries[1][1] == STARTED.astimezone().replace(tzinfo=None)
    assert [row[4] for row in entries[1:]] == [line.entry for line in game.log]


def test_worksheets_are_named_in_the_reader_s_language(workbooks: Read) -> None:
    assert [*workbooks["fr"]] == ["Donnes", "Classement", "Entrées"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_csv_holds_the_same_cells(with_commas: Read, lang: str) -> None:
    (rows,) = with_commas[lang].values()
    assert [[*map(unmarked, row)] for row in rows] == lines_of(lang)


def test_csv_for_a_spreadsheet_holds_the_same_cells(with_semicolons: Read, dialect: str) -> None:
    (rows,) = with_semicolons["sheet"].values()
    assert [[*map(unmarked, row)] for row in rows] == lines_of(dialect[-2:])


def test_decimal_commas_and_moments_are_understood(with_semicolons: Read) -> None:
    ((row,),) = with_semicolons["numbers"].values()
    assert row == [1.5, -2.25, STARTED.astimezone().replace(tzinfo=None)]
