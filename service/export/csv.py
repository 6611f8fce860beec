"""A score sheet as CSV (RFC 4180): one header, CRLF, every text quoted, numbers bare.

Promises: a text that a spreadsheet would run as a formula stays a text, marked with an apostrophe;
numbers, negative ones too, stay numbers. Headings, suits and outcomes are in the reader's language;
the layout is the same in all of them.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from projections.score_sheet import (
    AdjustmentRow,
    AnyRow,
    DealRow,
    FactColumn,
    FactValue,
    FinishRow,
    NoteRow,
    ScoreSheet,
    VoidRow,
)
from service.texts import Names, Texts

# RFC 4180 §3; the encoding is added where a response is made.
MEDIA_TYPE = "text/csv; header=present"

# What Excel, LibreOffice and Google Sheets begin a formula with, full-width signs included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")

Cell = int | str | None


def sheet_csv(sheet: ScoreSheet, names: Names, lang: str, texts: Texts) -> str:
    """Write a sheet: deal, row, dealer, the game's facts, points and totals a player, remark.

    Other ways to name a winner, where the game has some, follow as rows of their own.

    `names` are the players' by seat; a seat without one is called by its number.
    """
    written = _Writer(sheet, names, lang, texts)
    out = StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    for line in written.lines():
        writer.writerow([plain_text(cell) if isinstance(cell, str) else cell for cell in line])
    return out.getvalue()


def plain_text(text: str) -> str:
    """Keep a text from being run as a formula: put an apostrophe before one that begins like it."""
    return f"'{text}" if text.startswith(_FORMULA) else text


class _Writer:
    """One sheet in one language."""

    def __init__(self, sheet: ScoreSheet, names: Names, lang: str, texts: Texts) -> None:
        self.sheet = sheet
        self.lang = lang
        self.texts = texts
        self.players = [texts.player(seat, lang, names) for seat in range(sheet.seats)]

    def lines(self) -> Iterator[Sequence[Cell]]:
        """Yield the header, then a line a row."""
        word = self._word
        facts = [heading for column in self.sheet.columns for heading in self._headings(column)]
        totals = [f"{word('total')} {player}" for player in self.players]
        start = [word("number"), word("row"), word("dealer")]
        yield [*start, *facts, *self.players, *totals, word("remark")]
        for row in self.sheet.rows:
            yield [*self._start(row), *self._points(row), *row.totals, _remark(row)]
        for name, values in self.sheet.standings.items():
            yield [
                None,
                word(name),
                None,
                *[None] * len(facts),
                *values,
                *[None] * len(totals),
                None,
            ]

    def _word(self, name: str) -> str:
        return self.texts.word(name, self.lang)

    def _headings(self, column: FactColumn) -> list[str]:
        heading = self._word(column.name)
        if column.kind == "per_seat":
            return [f"{heading} {player}" for player in self.players]
        return [heading]

    def _start(self, row: AnyRow) -> Iterator[Cell]:
        dealt = row if isinstance(row, DealRow | VoidRow) else None
        yield dealt.number if dealt else None
        yield self._word(str(row.__struct_config__.tag))
        yield self._player(dealt.dealer) if dealt else None
        facts: Mapping[str, FactValue] = row.facts if isinstance(row, DealRow) else {}
        for column in self.sheet.columns:
            yield from self._fact(column, facts.get(column.name))

    def _fact(self, column: FactColumn, value: FactValue) -> Sequence[Cell]:
        match value:
            case tuple():
                return value
            case None:
                return [None] * len(self._headings(column))
            case int():
                return [self._player(value) if column.kind == "seat" else value]
            case str():
                suit = column.kind == "suit"
                return [self.texts.suit(value, self.lang) if suit else self._word(value)]

    def _points(self, row: AnyRow) -> Sequence[Cell]:
        match row:
            case DealRow(points=points):
                return points
            case AdjustmentRow(seat=seat, points=points):
                return [points if seat == place else None for place in range(self.sheet.seats)]
            case _:
                return [None] * self.sheet.seats

    def _player(self, seat: int | None) -> str | None:
        return None if seat is None else self.players[seat]


def _remark(row: AnyRow) -> str | None:
    match row:
        case NoteRow(text=text):
            return text
        case VoidRow(reason=reason) | AdjustmentRow(reason=reason) | FinishRow(reason=reason):
            return reason
        case DealRow():
            return None
