"""The history as text that is written from the first byte on: CSV, one view a file, and JSON."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from schemas.history import FORMAT
from service.export.formats.cells import Line
from service.export.formats.dialects import Dialect, csv_lines
from service.export.history.games import PlayedGame
from service.export.history.ranking import Ranking, header, lines
from service.export.history.rows import View
from service.export.history.writer import Telling


class CsvHistory:
    """Writes one view as CSV in a dialect, as the games come."""

    def __init__(self, out: BinaryIO, telling: Telling, view: View, dialect: Dialect) -> None:
        self._out = out
        self._words = telling.words
        self._zone = telling.zone
        self._view = view
        self._dialect = replace(dialect, begin="")
        self._write([view.header(self._words)], dialect)

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Write the lines of some more games."""
        self._write(self._view.lines(games, self._words), self._dialect)

    def rank(self, ranking: Ranking) -> None:
        """Leave the standings out: they are a view of their own."""

    def finish(self) -> None:
        """Write nothing more."""

    def abandon(self) -> None:
        """Leave the file as it is."""

    def _write(self, lines: Iterable[Line], dialect: Dialect) -> None:
        self._out.write("".join(csv_lines(lines, dialect, self._zone)).encode())


class CsvRanking:
    """Writes the standings as CSV in a dialect."""

    def __init__(self, out: BinaryIO, telling: Telling, dialect: Dialect) -> None:
        self._out = out
        self._words = telling.words
        self._dialect = dialect

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Leave the games out."""

    def rank(self, ranking: Ranking) -> None:
        """Write the standings."""
        told = chain([header(self._words)], lines(ranking, self._words))
        self._out.write("".join(csv_lines(told, self._dialect)).encode())

    def finish(self) -> None:
        """Write nothing more."""

    def abandon(self) -> None:
        """Leave the file as it is."""


class JsonHistory:
    """Writes a `schemas.history.HistoryFile`, a game a line."""

    def __init__(self, out: BinaryIO, telling: Telling) -> None:
        self._out = out
        self._encoder = msgspec.json.Encoder()
        self._before = b"\n"
        told = {"$schema": telling.schema, "format": FORMAT}
        out.write(msgspec.json.encode(told).removesuffix(b"}") + b',"games":[')

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Write some more games."""
        for played in games:
            self._out.write(self._before)
            self._out.write(self._encoder.encode(played.game))
            self._before = b",\n"

    def rank(self, ranking: Ranking) -> None:
        """Leave the standings out: they follow from the games."""

    def finish(self) -> None:
        """Close the document."""
        self._out.write(b"\n]}\n")

    def abandon(self) -> None:
        """Leave the file as it is."""
