from datetime import datetime
from io import BytesIO

import pytest

from service.export.formats.dialects import DIALECTS, RFC_4180, Cell, Line
from service.export.history import ranking as standings_lines
from service.export.history.forms import XLSX, HistoryForm, as_csv
from service.export.history.rows import DEALS, ENTRIES, GAMES, View, ViewName
from service.language.sentence import LANGUAGES
from service.store.records import Description
from tests.office.conftest import COMMAS, SEMICOLONS, Opened
from tests.office.flat import Worksheets
from tests.office.test_game import trimmed, unmarked
from tests.service.export.finished_games import context, played, ranking

PLAYED = [
    played(0, ("=SUM(A1)", "Łukasz"), (-3, 10)),
    played(1, ("+1", "@x", "-2"), (7, 0, -1), "rami"),
    played(2, ("=SUM(A1)", "-Ben"), (2, 2), status="open"),
    played(3, ("Ann", "Bob"), (4, 1), said=Description(place="=A1", tags=("Noël", "-1"))),
]
VIEWS: dict[ViewName, View] = {view.name: view for view in (DEALS, ENTRIES, GAMES)}
Read = dict[str, Worksheets]


def write(form: HistoryForm, lang: str = "en") -> bytes:
    out = BytesIO()
    writer = form.begin(out, context(lang))
    writer.add(PLAYED[:1])
    writer.add(PLAYED[1:])
    writer.rank(ranking(PLAYED))
    writer.finish()
    return out.getvalue()


def describe(cell: Cell) -> Cell:
    return cell.astimezone().replace(tzinfo=None) if isinstance(cell, datetime) else cell


def lines(view: View, lang: str = "en") -> list[list[Cell]]:
    words = context(lang).words
    found: list[Line] = [view.header(words), *view.lines(PLAYED, words)]
    return [[*map(describe, trimmed(line))] for line in found]


def by_column(sheet: list[list[Cell]]) -> dict[Cell, list[Cell]]:
    """Return the cells of each column by its heading; short lines end with empty cells."""
    header, *rows = sheet
    filled = [[*row, *[""] * (len(header) - len(row))] for row in rows]
    return {name: [row[at] for row in filled] for at, name in enumerate(header)}


@pytest.fixture(scope="module")
def workbooks(opened: Opened) -> Read:
    return opened({lang: write(XLSX, lang) for lang in LANGUAGES}, "xlsx")


@pytest.fixture(scope="module", params=DIALECTS)
def tables(request: pytest.FixtureRequest, opened: Opened) -> Read:
    dialect = DIALECTS[request.param]
    names: tuple[ViewName, ...] = ("standings", *VIEWS)
    files = {name: write(as_csv(name, dialect)) for name in names}
    return opened(files, "csv", SEMICOLONS[request.param])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_workbook_holds_the_same_cells(workbooks: Read, lang: str) -> None:
    games, deals, standings, *groups, entries = workbooks[lang].values()
    assert len(groups) == 4
    for sheet, view in ((games, GAMES), (deals, DEALS), (entries, ENTRIES)):
        shown, expected = by_column(sheet), by_column(lines(view, lang))
        assert {name: shown[name] for name in expected} == expected
        # The day comes first, also where a view has none; the game's id is last.
        assert {*shown} - {*expected} <= {sheet[0][0]}
        assert sheet[0][-1] == lines(GAMES, lang)[0][0]
    words = context(lang).words
    ranked = [standings_lines.header(words), *standings_lines.lines(ranking(PLAYED), words)]
    assert standings == [trimmed(line) for line in ranked]


@pytest.mark.parametrize("name", VIEWS)
def test_csv_for_a_spreadsheet_holds_the_same_cells(tables: Read, name: ViewName) -> None:
    (rows,) = tables[name].values()
    assert [[*map(unmarked, row)] for row in rows] == lines(VIEWS[name])


def test_csv_holds_the_same_numbers(opened: Opened) -> None:
    read = opened({"games": write(as_csv("games", RFC_4180))}, "csv", COMMAS)
    (rows,) = read["games"].values()
    wanted = [[row[6], row[7], row[8], row[9]] for row in lines(GAMES)]
    assert [[*map(unmarked, row[6:10])] for row in rows] == wanted


def test_shares_and_ratings_are_numbers_with_decimals(tables: Read) -> None:
    (rows,) = tables["standings"].values()
    words = context().words
    expected = [trimmed(line) for line in standings_lines.lines(ranking(PLAYED), words)]
    assert [[*map(unmarked, row)] for row in rows[1:]] == expected
