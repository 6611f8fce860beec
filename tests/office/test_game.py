"""One game's sheet, opened in LibreOffice: the same numbers, and texts that stayed texts."""

import pytest

from service.export.formats.cells import Cell, Line
from service.export.formats.dialects import DIALECTS, csv_lines
from service.export.game.csv import sheet_csv
from service.export.game.workbook import game_xlsx
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.office.conftest import SEMICOLONS, Opened
from tests.office.flat import Value
from tests.service.export.games import PLAYED, STARTED, euchre
from tests.service.refused import Log

LOG: Log = [*PLAYED, {"type": "note", "text": "-1"}, {"type": "note", "text": "two\nlines"}]
NAMES = ("=SUM(A1)", "Łukasz")


def trimmed(line: Line) -> list[Cell]:
    """Leave out what stands empty at the end of a line."""
    kept = list(line)
    while kept and kept[-1] is None:
        kept.pop()
    return kept


def unmarked(value: Value) -> Value:
    """Take away the apostrophe by which CSV keeps a text from being run."""
    return value[1:] if isinstance(value, str) and value.startswith("'") else value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_workbook_holds_the_same_cells(opened: Opened, lang: str) -> None:
    game = euchre(LOG, NAMES, lang)
    deals, standings, entries = opened(game_xlsx(game), "xlsx").values()
    assert deals == [[*line] for line in map(trimmed, [game.rows.header(), *game.rows.lines()])]
    assert standings[1:] == [[1, "Łukasz", 2], [2, "=SUM(A1)", -3]]
    assert [row[0] for row in entries[1:]] == [line.version for line in game.log]
    assert entries[1][1] == STARTED.astimezone().replace(tzinfo=None)
    assert [row[4] for row in entries[1:]] == [line.entry for line in game.log]


def test_worksheets_are_named_in_the_reader_s_language(opened: Opened) -> None:
    assert [*opened(game_xlsx(euchre(lang="fr")), "xlsx")] == ["Donnes", "Classement", "Entrées"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_csv_holds_the_same_cells(opened: Opened, lang: str) -> None:
    game = euchre(LOG, NAMES, lang)
    content = sheet_csv(game.sheet, game.players, lang, texts()).encode()
    (rows,) = opened(content, "csv").values()
    lines = [game.rows.header(), *game.rows.lines()]
    assert [[*map(unmarked, row)] for row in rows] == [*map(trimmed, lines)]


@pytest.mark.parametrize("program", DIALECTS)
def test_csv_for_a_spreadsheet_holds_the_same_cells(opened: Opened, program: str) -> None:
    game = euchre(LOG, NAMES, program[-2:])
    content = sheet_csv(game.sheet, game.players, game.lang, texts(), DIALECTS[program]).encode()
    (rows,) = opened(content, "csv", SEMICOLONS[program]).values()
    lines = [game.rows.header(), *game.rows.lines()]
    assert [[*map(unmarked, row)] for row in rows] == [*map(trimmed, lines)]


@pytest.mark.parametrize("program", DIALECTS)
def test_decimal_commas_and_moments_are_understood(opened: Opened, program: str) -> None:
    content = "".join(csv_lines([[1.5, -2.25, STARTED]], DIALECTS[program])).encode()
    ((row,),) = opened(content, "csv", SEMICOLONS[program]).values()
    assert row == [1.5, -2.25, STARTED.astimezone().replace(tzinfo=None)]
