"""Exports of many games: read in parts, translated, written."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from copy import copy
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from io import BytesIO
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from babel.dates import format_date
from msgspec import Struct

from service.club.game_filters import day_bound
from service.club.score_history import HiddenFrom, HistoryRequest, ScoreHistory
from service.club.temporary_files import StoredFile, TemporaryFiles
from service.errors import TooManyGames
from service.export.history.forms import HistoryForm
from service.export.history.rows import Writing
from service.export.history.writer import ExportContext, HistoryWriter
from service.language.texts import texts
from service.store.club.seasons import Seasons
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.records import Season

PROGRESS_SECONDS = 0.25
PIECE_BYTES = 64 * 1024
_PATIENCE_SECONDS = 1.0
_MICROSECOND = timedelta(microseconds=1)
_EARLIEST_END = datetime.min.replace(tzinfo=UTC) + _MICROSECOND


class Export(Struct, frozen=True, kw_only=True):
    """An export: games, form, reader."""

    form: HistoryForm
    asked: HistoryRequest
    context: ExportContext


class ResponseBody(Struct, frozen=True, kw_only=True):
    """A response body in pieces. `length` in bytes; None: unknown."""

    content: AsyncGenerator[bytes]
    length: int | None


class ExportMoment(Struct, frozen=True, kw_only=True):
    """The time of an export, and the zone of its days; None: the machine's."""

    now: datetime
    zone: tzinfo | None


def export_of(
    form: HistoryForm,
    context: ExportContext,
    which: GameFilter,
    after: GameCursor | None = None,
    limit: int | None = None,
) -> Export:
    """Build an export with the data that its form needs."""
    asked = HistoryRequest(which=which, deals=form.deals, log=form.log, after=after, limit=limit)
    return Export(form=form, asked=asked, context=context)


class Exports:
    def __init__(
        self,
        history: ScoreHistory,
        seasons: Seasons,
        files: TemporaryFiles,
        seconds: Callable[[], float],
        forgotten: Callable[[], None],
    ) -> None:
        self._history = history
        self._seasons = seasons
        self._files = files
        self._seconds = seconds
        self._forgotten = forgotten

    def as_seen(self, hidden_from: HiddenFrom) -> "Exports":
        """Return the exports for a reader from whom cards are hidden."""
        twin = copy(self)
        twin._history = self._history.as_seen(hidden_from)  # noqa: SLF001 -- own class
        return twin

    async def context(
        self, which: GameFilter, words: Writing, moment: ExportMoment, schema: str
    ) -> ExportContext:
        people = [] if which.player is None else [which.player, *which.others]
        names = await self._history.names(people) if people else []
        aside = await self._history.set_aside(which)
        dated = which.started_from is not None and which.started_before is not None
        seasons = await self._seasons.all() if dated else []
        return ExportContext(
            words=words,
            filters=(
                *_names_of_days(which, seasons, moment.zone),
                *_in_words(which, names, words),
                *_set_aside_words(which, aside, words),
            ),
            made=moment.now,
            zone=moment.zone,
            schema=schema,
        )

    async def body(self, export: Export) -> ResponseBody:
        """Yield an export: streamed or, if its form requires, after it is complete."""
        await self.check(export)
        if export.form.streamed:
            return ResponseBody(content=stream(self._history, export), length=None)
        out = cast("BinaryIO", TemporaryFile())  # noqa: SIM115 -- the reader closes it
        async for _ in write_export(self._history, export, out):
            pass
        return ResponseBody(length=out.tell(), content=_pieces(out))

    async def write_temporary(self, export: Export, advance: Callable[[int, int], object]) -> str:
        """Write an export to a temporary file; return its name.

        `advance` takes the number of games done and of all; what it raises stops the export.

        Raises: TooManyGames, OSError (the disk is full)
        """
        games, told_at = await self.check(export), self._seconds()
        advance(0, games)
        with self._files.draft() as draft:
            async with aclosing(write_export(self._history, export, draft.out)) as parts:
                async for done in parts:
                    if self._seconds() - told_at >= PROGRESS_SECONDS:
                        told_at = self._seconds()
                        advance(min(done, games), games)
            name = self._files.keep(
                draft, export.form.media_type, export.form.disposition(export.context)
            )
        advance(games, games)
        return name

    def open_temporary(self, name: str) -> tuple[StoredFile, ResponseBody]:
        file = self._files.find(name)
        out = file.path.open("rb")
        length = file.path.stat().st_size
        return file, ResponseBody(content=_pieces(out), length=length)

    def drop_temporary(self) -> None:
        """Delete temporary files, after a name or text was erased."""
        self._files.drop()
        self._forgotten()

    async def check(self, export: Export) -> int:
        """Check the number of games of an export. Raises: TooManyGames (too many for its form)."""
        games = await self._history.count(export.asked)
        most = export.form.most
        if most is not None and games > most:
            raise TooManyGames(games, most)
        return games


def _names_of_days(
    which: GameFilter, seasons: Sequence[Season], zone: tzinfo | None
) -> Iterator[str]:
    for season in seasons:
        bounds = day_bound(season.first_day, zone), day_bound(season.last_day, zone, ends=True)
        if bounds == (which.started_from, which.started_before):
            yield season.name


def _in_words(which: GameFilter, names: Sequence[str | None], words: Writing) -> Iterator[str]:
    """Yield the conditions of a filter in words, as for a heading."""
    yield from (name or words.word("forgotten_player") for name in names)
    yield from (said for said in (which.place, which.tag) if said)
    if which.text:
        yield f"“{which.text}”"
    if which.ruleset is not None:
        yield texts().game(which.ruleset, words.lang)
    if which.status is not None:
        yield words.word(f"only_{which.status}")
    begin, end = which.started_from, which.started_before
    first = begin and format_date(begin.day, "long", words.lang)
    last = end and format_date(max(end.day, _EARLIEST_END) - _MICROSECOND, "long", words.lang)
    if first and last:
        yield first if first == last else f"{first} – {last}"
    elif first:
        yield words.word("from_day").format(day=first)
    elif last:
        yield words.word("to_day").format(day=last)


def _set_aside_words(which: GameFilter, number: int, words: Writing) -> Iterator[str]:
    if number or which.set_aside == "only":
        yield words.word(f"set_aside_{which.set_aside}").format(number=number)


async def _pieces(out: BinaryIO) -> AsyncGenerator[bytes]:
    with out:
        out.seek(0)
        while piece := await asyncio.to_thread(out.read, PIECE_BYTES):
            yield piece


async def stream(history: ScoreHistory, export: Export) -> AsyncGenerator[bytes]:
    out = BytesIO()
    async with aclosing(write_export(history, export, out)) as parts:
        async for _ in parts:
            if out.tell() >= PIECE_BYTES:
                yield out.getvalue()
                out.seek(0)
                out.truncate()
    yield out.getvalue()


async def write_export(history: ScoreHistory, export: Export, out: BinaryIO) -> AsyncGenerator[int]:
    """Write an export to `out`; yield the number of games done.

    If the iteration is abandoned, `out` is closed.
    """
    work = _Work(export.form.begin(out, export.context), out)
    try:
        async with aclosing(_write_parts(history, export, work)) as parts:
            async for done in parts:
                yield done
        work.whole = True
    finally:
        work.end()


async def _write_parts(history: ScoreHistory, export: Export, work: "_Work") -> AsyncGenerator[int]:
    # With standings, games are read twice; the first time counts half.
    form, done = export.form, 0
    passes = form.games + form.standings
    if form.games:
        async with aclosing(history.read_games(export.asked)) as parts:
            async for games in parts:
                await work.step(partial(work.writer.add, games))
                done += len(games)
                yield done // passes
    if form.standings:
        ranking = history.ranking(export.asked.which, export.context.zone, grouped=form.figures)
        async with aclosing(ranking.apply_all()) as folding:
            async for folded in folding:
                yield (done + folded) // passes
        await work.step(partial(work.writer.rank, await ranking.result()))
    finishing = asyncio.ensure_future(work.step(work.writer.finish))
    while not (await asyncio.wait({finishing}, timeout=_PATIENCE_SECONDS))[0]:
        yield done // passes
    finishing.result()


class _Work:
    """A file being written. `whole`: it is complete."""

    def __init__(self, writer: HistoryWriter, out: BinaryIO) -> None:
        self.writer = writer
        self.whole = False
        self._out = out
        self._running: asyncio.Future[None] | None = None

    async def step(self, write: Callable[[], None]) -> None:
        """Run a write in a thread; cancellation does not wait for it."""
        self._running = asyncio.ensure_future(asyncio.to_thread(write))
        await asyncio.shield(self._running)

    def end(self) -> None:
        if self.whole:
            return
        if self._running is None or self._running.done():
            self._drop()
        else:
            self._running.add_done_callback(self._drop_after)

    def _drop_after(self, running: asyncio.Future[None]) -> None:
        running.exception()  # mark it as retrieved
        self._drop()

    def _drop(self) -> None:
        self.writer.abandon()
        self._out.close()
