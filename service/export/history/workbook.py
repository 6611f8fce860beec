"""The history as a workbook of any length: worksheets of games, deals, standings, entries."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from service.export.formats.cells import Line
from service.export.formats.xlsx import ROWS_MAX, OpenTable, XlsxBook
from service.export.history.games import PlayedGame
from service.export.history.ranking import Ranking, header, lines
from service.export.history.rows import DEALS, ENTRIES, GAMES
from service.export.history.writer import ExportContext


class XlsxHistory:
    def __init__(self, out: BinaryIO, context: ExportContext, rows_max: int = ROWS_MAX) -> None:
        self._words = context.words
        self._folder = TemporaryDirectory(prefix="carnet-", ignore_cleanup_errors=True)
        self._book = XlsxBook(
            out,
            title=": ".join(("Carnet", *context.filters)),
            made=context.made,
            zone=context.zone,
            folder=Path(self._folder.name),
            rows_max=rows_max,
        )
        self._tables = [
            (GAMES, self._table("games", GAMES.header(self._words))),
            (DEALS, self._table("deals", DEALS.header(self._words))),
        ]
        self._ranking = self._table("standings", header(self._words))
        self._tables.append((ENTRIES, self._table("entries", ENTRIES.header(self._words))))

    def _table(self, name: str, header: Line) -> OpenTable:
        return self._book.table(self._words.word(name), header)

    def add(self, games: Sequence[PlayedGame]) -> None:
        for view, table in self._tables:
            table.add(view.lines(games, self._words))

    def rank(self, ranking: Ranking) -> None:
        self._ranking.add(lines(ranking, self._words))

    def finish(self) -> None:
        self._book.close()
        self._folder.cleanup()

    def abandon(self) -> None:
        self._book.abandon()
        self._folder.cleanup()
