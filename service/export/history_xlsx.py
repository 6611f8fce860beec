"""The history as a workbook: games, deals and entries, one worksheet a view, whatever their length.

Assumes a temporary folder of the caller's machine to hold rows until the file is put together.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from service.export.history import Played
from service.export.history_rows import DEALS, ENTRIES, GAMES
from service.export.history_telling import Telling
from service.export.xlsx import ROWS_MAX, Book

VIEWS = (GAMES, DEALS, ENTRIES)


class XlsxHistory:
    """Writes every view, as the games come. `rows_max`: of a worksheet, its header included."""

    def __init__(self, out: BinaryIO, telling: Telling, rows_max: int = ROWS_MAX) -> None:
        self._words = telling.words
        self._folder = TemporaryDirectory(prefix="carnet-", ignore_cleanup_errors=True)
        self._book = Book(
            out,
            title=": ".join(("Carnet", *telling.filters)),
            made=telling.made,
            folder=Path(self._folder.name),
            rows_max=rows_max,
        )
        self._tables = [
            (view, self._book.table(self._words.word(view.name), view.header(self._words)))
            for view in VIEWS
        ]

    def add(self, games: Sequence[Played]) -> None:
        """Write some more games."""
        for view, table in self._tables:
            table.add(view.lines(games, self._words))

    def finish(self) -> None:
        """Put the file together."""
        self._book.close()
        self._folder.cleanup()

    def abandon(self) -> None:
        """Leave no rows behind."""
        self._book.abandon()
        self._folder.cleanup()
