"""A score sheet as CSV: a header, a line per row, then the alternative rankings."""

from itertools import chain

from projections.score_sheet import ScoreSheet
from service.export.formats.dialects import RFC_4180, Dialect, csv_lines
from service.export.game.rows import SheetRows
from service.language.texts import Names, Texts


def sheet_csv(
    sheet: ScoreSheet, names: Names, lang: str, texts: Texts, dialect: Dialect = RFC_4180
) -> str:
    """Write a sheet: deal, row, dealer, facts, points and total per player, remark.

    `names` by seat; a seat without one is called by its number.
    """
    return rows_csv(SheetRows(sheet, names, lang, texts), dialect)


def rows_csv(rows: SheetRows, dialect: Dialect = RFC_4180) -> str:
    return "".join(csv_lines(chain([rows.header()], rows.lines(), rows.standings()), dialect))
