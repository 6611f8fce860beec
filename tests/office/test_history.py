"""The history, opened in LibreOffice: the same numbers and days, and texts that stayed texts."""

from datetime import datetime
from io import BytesIO

import pytest

from service.export.formats.cells import Cell, Line
from service.export.formats.dialects import DIALECTS, RFC_4180
from service.export.history import ranking as standings_lines
from service.export.history.forms import XLSX, HistoryForm, as_csv
from service.export.history.rows import DEALS, ENTRIES, GAMES, View
from service.language.sentence import LANGUAGES
from service.store.records import Description
from tests.office.conftest import COMMAS, SEMICOLONS, Opened
from tests.office.test_game import trimmed, unmarked
from tests.service.export.finished_games import played, ranking, telling

PLAYED = [
    played(0, ("=SUM(A1)", "Łukasz"), (-3, 10)),
    played(1, ("+1", "@x", "-2"), (7, 0, -1), "rami"),
    played(2, ("=SUM(A1)", "-Ben"), (2, 2), status="open"),
    played(3, ("Ann", "Bob"), (4, 1), said=Description(place="=A1", tags=("Noël", "-1"))),
]


def written(form: HistoryForm, lang: str = "en") -> bytes:
    """Write the games in a form."""
    out = BytesIO()
    writer = form.begin(out, telling(lang))
    writer.add(PLAYED[:1])
    writer.add(PLAYED[1:])
    writer.rank(ranking(PLAYED))
    writer.finish()
    return out.getvalue()


def told(cell: Cell) -> Cell:
    """Tell a moment as a worksheet does: in the machine's zone, which it does not name."""
    return cell.astimezone().replace(tzinfo=None) if isinstance(cell, datetime) else cell


def lines(view: View, lang: str = "en") -> list[list[Cell]]:
    """Return what a view holds, header included."""
    words = telling(lang).words
    found: list[Line] = [view.header(words), *view.lines(PLAYED, words)]
    return [[*map(told, trimmed(line))] for line in found]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_workbook_holds_the_same_cells(opened: Opened, lang: str) -> None:
    games, deals, standings, entries = opened(written(XLSX, lang), "xlsx").values()
    assert games == lines(GAMES, lang)
    assert deals == lines(DEALS, lang)
    assert entries == lines(ENTRIES, lang)
    words = telling(lang).words
    expected = [standings_lines.header(words), *standings_lines.lines(ranking(PLAYED), words)]
    assert standings == [trimmed(line) for line in expected]


@pytest.mark.parametrize("view", [DEALS, ENTRIES, GAMES], ids=lambda view: view.name)
@pytest.mark.parametrize("program", DIALECTS)
def test_csv_for_a_spreadsheet_holds_the_same_cells(
    opened: Opened, program: str, view: View
) -> None:
    content = written(as_csv(view.name, DIALECTS[program]))
    (rows,) = opened(content, "csv", SEMICOLONS[program]).values()
    assert [[*map(unmarked, row)] for row in rows] == lines(view)


def test_csv_holds_the_same_numbers(opened: Opened) -> None:
    (rows,) = opened(written(as_csv("games", RFC_4180)), "csv", COMMAS).values()
    wanted = [[row[6], row[7], row[8], row[9]] for row in lines(GAMES)]
    assert [[*map(unmarked, row[6:10])] for row in rows] == wanted


@pytest.mark.parametrize("program", DIALECTS)
def test_shares_and_ratings_are_numbers_with_decimals(opened: Opened, program: str) -> None:
    content = written(as_csv("standings", DIALECTS[program]))
    (rows,) = opened(content, "csv", SEMICOLONS[program]).values()
    words = telling().words
    expected = [trimmed(line) for line in standings_lines.lines(ranking(PLAYED), words)]
    assert [[*map(unmarked, row)] for row in rows[1:]] == expected
