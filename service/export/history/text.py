"""The history as streamed text: CSV, one view per file, and JSON."""

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
from service.export.history.writer import ExportContext


class CsvHistory:
    def __init__(self, out: BinaryIO, context: ExportContext, view: View, dialect: Dialect) -> None:
        self._out = out
        self._words = context.words
        self._zone = context.zone
        self._view = view
        self._dialect = replace(dialect, begin="")
        self._write([view.header(self._words)], dialect)

    def add(self, games: Sequence[PlayedGame]) -> None:
        self._write(self._view.lines(games, self._words), self._dialect)

    def rank(self, ranking: Ranking) -> None: ...

    def finish(self) -> None:
        pass

    def abandon(self) -> None:
        pass

    def _write(self, lines: Iterable[Line], dialect: Dialect) -> None:
        self._out.write("".join(csv_lines(lines, dialect, self._zone)).encode())


class CsvRanking:
    def __init__(self, out: BinaryIO, context: ExportContext, dialect: Dialect) -> None:
        self._out = out
        self._words = context.words
        self._dialect = dialect

    def add(self, games: Sequence[PlayedGame]) -> None:
        pass

    def rank(self, ranking: Ranking) -> None:
        told = chain([header(self._words)], lines(ranking, self._words))
        self._out.write("".join(csv_lines(told, self._dialect)).encode())

    def finish(self) -> None:
        pass

    def abandon(self) -> None:
        pass


class JsonHistory:
    """Writes a `schemas.history.HistoryFile`, one game per line."""

    def __init__(self, out: BinaryIO, context: ExportContext) -> None:
        self._out = out
        self._encoder = msgspec.json.Encoder()
        self._before = b"\n"
        told = {"$schema": context.schema, "format": FORMAT}
        out.write(msgspec.json.encode(told).removesuffix(b"}") + b',"games":[')

    def add(self, games: Sequence[PlayedGame]) -> None:
        for played in games:
            self._out.write(self._before)
            self._out.write(self._encoder.encode(played.game))
            self._before = b",\n"

    def rank(self, ranking: Ranking) -> None: ...

    def finish(self) -> None:
        self._out.write(b"\n]}\n")

    def abandon(self) -> None:
        pass
