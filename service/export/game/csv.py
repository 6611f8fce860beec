"""A score sheet as CSV: one header, a line a row, then other ways to name a winner.

Headings, suits and outcomes are in the reader's language; the layout is the same in all of them.
"""

from itertools import chain

from projections.score_sheet import ScoreSheet
from service.export.formats.dialects import RFC_4180, Dialect, csv_lines
from service.export.game.rows import SheetRows
from service.language.texts import Names, Texts


def sheet_csv(
    sheet: ScoreSheet, names: Names, lang: str, texts: Texts, dialect: Dialect = RFC_4180
) -> str:
    """Write a sheet: deal, row, dealer, the game's facts, points and totals a player, remark.

    `names` are the players' by seat; a seat without one is called by its number.
    """
    return rows_csv(SheetRows(sheet, names, lang, texts), dialect)


def rows_csv(rows: SheetRows, dialect: Dialect = RFC_4180) -> str:
    """Write the rows of a sheet."""
    return "".join(csv_lines(chain([rows.header()], rows.lines(), rows.standings()), dialect))
