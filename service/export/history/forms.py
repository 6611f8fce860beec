"""The file forms of the history: CSV (one view per file), JSON, XLSX, PDF."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.history import FORMAT
from service.export.formats import dialects, xlsx
from service.export.formats.dialects import RFC_4180, Dialect, Line, csv_lines
from service.export.formats.xlsx import ROWS_MAX, OpenTable, XlsxBook
from service.export.game import pdf
from service.export.game.forms import disposition, file_name
from service.export.history import groups
from service.export.history.ranking import Ranking, header, lines
from service.export.history.rows import DEALS, ENTRIES, GAMES, PlayedGame, View, ViewName, Writing
from service.export.history.season import GAMES_MAX, PdfSeason
from service.export.history.writer import ExportContext, OpensHistory

_GROUPED = (
    ("people", groups.PEOPLE, groups.people),
    ("pairs", groups.PAIRS, groups.pairs),
    ("figures", groups.GROUPS, groups.groups),
    ("ratings", groups.RATINGS, groups.ratings),
)


# Columns of a worksheet: these first, and the ids after all others.
_FIRST = ("started_at", "title_name", "player", "points", "points_so_far", "total", "place", "won")
_IDS = ("ruleset", "title", "game")


def _sheet_view(view: View) -> View:
    """Return a view as people read it: the day and names of each line first, ids last."""
    columns = dict.fromkeys((*view.columns, "started_at"))
    between = [column for column in columns if column not in {*_FIRST, *_IDS}]
    order = [column for column in (*_FIRST, *between, *_IDS) if column in columns]

    def of_game(played: PlayedGame, words: Writing) -> Iterator[Line]:
        day = None if played.game.times == "none" else played.game.started_at
        for line in view.of_game(played, words):
            cells = {"started_at": day, **dict(zip(view.columns, line, strict=True))}
            yield [cells[column] for column in order]

    return View(name=view.name, columns=tuple(order), of_game=of_game)


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
        self._tables = [self._open(GAMES), self._open(DEALS)]
        self._ranking = self._table("standings", header(self._words))
        self._groups = [
            (lines_of, self._table(name, [*map(self._words.word, columns)]))
            for name, columns, lines_of in _GROUPED
        ]
        self._tables.append(self._open(ENTRIES))

    def _open(self, view: View) -> tuple[View, OpenTable]:
        shown = _sheet_view(view)
        return shown, self._table(view.name, shown.header(self._words))

    def _table(self, name: str, header: Line) -> OpenTable:
        return self._book.table(self._words.word(name), header)

    def add(self, games: Sequence[PlayedGame]) -> None:
        for view, table in self._tables:
            table.add(view.lines(games, self._words))

    def rank(self, ranking: Ranking) -> None:
        self._ranking.add(lines(ranking, self._words))
        for lines_of, table in self._groups:
            table.add(lines_of(ranking, self._words))

    def finish(self) -> None:
        self._book.close()
        self._folder.cleanup()

    def abandon(self) -> None:
        self._book.abandon()
        self._folder.cleanup()


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
        header_fields = {"$schema": context.schema, "format": FORMAT}
        out.write(msgspec.json.encode(header_fields).removesuffix(b"}") + b',"games":[')

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


class HistoryForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file form: how to write and name it, and the data it needs.

    `name`: the word for its contents.

    `streamed`: sent while it is written, else when complete. `most`: the games that fit, None for
    any number. `figures`: with everybody's figures in groups. `shown`: browsers display it inline.
    """

    name: str
    suffix: str
    media_type: str
    begin: OpensHistory
    games: bool = True
    deals: bool = False
    log: bool = False
    standings: bool = False
    figures: bool = False
    streamed: bool = False
    most: int | None = None
    shown: bool = False

    def disposition(self, context: ExportContext) -> str:
        """Return the `Content-Disposition` with a name of the day, the view and the filters."""
        day = context.made.astimezone(context.zone).date()
        title = f"Carnet {context.words.word(self.name)}"
        return disposition(file_name(day, title, context.filters, self.suffix), shown=self.shown)


def as_csv(view: ViewName = "games", dialect: Dialect = RFC_4180) -> HistoryForm:
    if view == "standings":
        return HistoryForm(
            name="standings",
            suffix="csv",
            media_type=dialects.MEDIA_TYPE,
            begin=partial(CsvRanking, dialect=dialect),
            games=False,
            standings=True,
            streamed=True,
        )
    return _view_as_csv({"games": GAMES, "deals": DEALS, "entries": ENTRIES}[view], dialect)


def _view_as_csv(view: View, dialect: Dialect) -> HistoryForm:
    return HistoryForm(
        name=view.name,
        suffix="csv",
        media_type=dialects.MEDIA_TYPE,
        begin=partial(CsvHistory, view=view, dialect=dialect),
        deals=view is DEALS,
        log=view is ENTRIES,
        streamed=True,
    )


JSON = HistoryForm(
    name="past_games",
    suffix="json",
    media_type="application/json",
    begin=JsonHistory,
    deals=True,
    streamed=True,
)

XLSX = HistoryForm(
    name="past_games",
    suffix="xlsx",
    media_type=xlsx.MEDIA_TYPE,
    begin=XlsxHistory,
    deals=True,
    log=True,
    standings=True,
    figures=True,
)

PDF = HistoryForm(
    name="past_games",
    suffix="pdf",
    media_type=pdf.MEDIA_TYPE,
    begin=PdfSeason,
    standings=True,
    most=GAMES_MAX,
    shown=True,
)
