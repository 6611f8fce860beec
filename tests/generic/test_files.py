import csv
import io
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest

from projections.games import sheet_of
from projections.score_sheet import AdjustmentRow, DealRow
from service.export.game.forms import game_xlsx, sheet_csv
from service.export.game.game import GameSheet
from service.export.game.pdf import game_pdf
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from tests.generic.games import every_game, walks
from tests.generic.walks import Walk
from tests.service.export.games import told
from tests.service.export.pages import pages

NAMES = (
    "Anna",
    "Łukasz",
    "Zoë",
    "Jürgen",
    "Anne-Marie",
    "Eve",
    "Ben",
    "Cy",
    "Di",
    "Flo",
    "Gil",
    "Hé",
)


def sheet(one: Walk, lang: str) -> GameSheet:
    record = one.record
    return told(one.ruleset, record["log"], NAMES[: one.seats], lang, record["options"])


@every_game
def test_sheet__adds_up_to_the_totals_row_by_row(ruleset: str) -> None:
    for one in walks(ruleset):
        found = sheet_of(one.history)
        totals = [0] * one.seats
        for row in found.rows:
            if isinstance(row, DealRow):
                totals = [a + (b or 0) for a, b in zip(totals, row.points, strict=True)]
                assert row.facts.keys() == {column.name for column in found.columns}
            elif isinstance(row, AdjustmentRow):
                totals[row.seat] += row.points
            assert list(row.totals) == totals
        assert found.totals == one.history.game.totals == tuple(totals)
        assert sorted(seat for tied in found.ranking for seat in tied) == [*range(one.seats)]


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_csv__has_a_line_a_row_each_as_long_as_its_header(ruleset: str, lang: str) -> None:
    for one in walks(ruleset):
        game = sheet(one, lang)
        header, *rows = csv.reader(
            io.StringIO(sheet_csv(game.sheet, game.players, lang, texts()), newline=""), strict=True
        )
        assert {len(row) for row in rows} <= {len(header)}
        assert len(rows) == len(game.sheet.rows) + len(game.sheet.standings)
        assert len(set(header)) == len(header)


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_xlsx__is_a_whole_workbook(ruleset: str, lang: str) -> None:
    for one in walks(ruleset):
        with ZipFile(io.BytesIO(game_xlsx(sheet(one, lang)))) as archive:
            damaged = archive.testzip()
            assert damaged is None, f"expected a whole workbook, got a damaged {damaged}"
            parts = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
            trees = {name: _tree(archive, name) for name in parts}
        lines = trees["xl/worksheets/sheet1.xml"].findall(".//{*}sheetData/{*}row")
        assert len(lines) >= 1 + len(sheet_of(one.history).rows)


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_pdf__names_the_players_and_keeps_to_the_paper(ruleset: str, lang: str) -> None:
    one = walks(ruleset)[0]
    found = pages(game_pdf(sheet(one, lang), "a4"))
    text = "\n".join(page.text for page in found)
    missing = [name for name in NAMES[: one.seats] if name not in text]
    assert missing == [], f"expected every name in the PDF, got none of {missing}"
    wide = [(page.right, page.size[0]) for page in found if page.right > page.size[0]]
    assert wide == [], f"expected text within the paper, got (right end, width) {wide}"


def _tree(archive: ZipFile, name: str) -> ET.Element:
    return ET.fromstring(archive.read(name))  # noqa: S314 written by the program under test
