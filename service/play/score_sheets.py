"""A game's score sheet as a file: read at one version, translated, written."""

import asyncio
from collections.abc import Hashable, Sequence
from datetime import tzinfo
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.catalogue import shapes
from schemas.record import Times
from service.export.game.forms import Form, disposition, file_name
from service.export.game.game import GameSheet, LogLine
from service.language.texts import texts
from service.play.course import GameCourse
from service.play.game_cache import beginning
from service.play.pdf_queue import PdfQueue
from service.play.queries import GameQueries
from service.play.views import EntryView, PlayerView, Sheet


class SheetData(Struct, frozen=True, kw_only=True):
    """A game's sheet, options and log, all of `sheet.version`; those of a chain are joined.

    `seats`: of the game itself; `tag`: names its version.
    """

    id: UUID
    sheet: Sheet
    options: Any
    log: tuple[LogLine, ...]
    times: Times
    seats: int
    tag: str
    title_name: str | None = None

    @property
    def players(self) -> tuple[PlayerView, ...]:
        return self.sheet.players


class File(Struct, frozen=True, kw_only=True):
    """A file to send. `tag` names the version of the game; `lang` is that of its words."""

    content: bytes
    form: Form
    name: str
    tag: str
    lang: str

    @property
    def disposition(self) -> str:
        return disposition(self.name, shown=self.form.shown)


class FileReader(Struct, frozen=True, kw_only=True):
    """The reader of a file. `names`: the players by seat, as the reader calls them.

    `who` identifies the reader in the print queue; `zone`: the reader's, None: the machine's.
    `replay`: the address of the game's replay, if phones reach it.
    """

    names: Sequence[str]
    lang: str
    who: Hashable
    pdf_queue: PdfQueue
    zone: tzinfo | None = None
    replay: str = ""


async def read_sheet_data(games: GameQueries, game_id: UUID) -> SheetData:
    return await games.work_on(partial(_sheet_data, await games.course_of(game_id)))


def _sheet_data(course: GameCourse) -> SheetData:
    game, columns = course.game, {player.id: at for at, player in enumerate(course.players)}
    return SheetData(
        id=game.id,
        sheet=course.sheet(),
        options=course.options,
        log=tuple(
            _log_line(view, [columns[player.id] for player in part.players])
            for part in course.parts
            for view in part.log()
        ),
        times=game.loaded.times,
        seats=len(game.players),
        tag=course.tag,
        title_name=game.title_name,
    )


async def write(
    gathered: SheetData,
    form: Form,
    reader: FileReader,
) -> File:
    """Write a file for a reader.

    Raises: TooManyRequests (too many print jobs of this reader), NotPrintable
    """
    lang = reader.lang
    game = await asyncio.to_thread(game_sheet, gathered, reader.names, lang, reader.zone)
    game = replace(game, replay=reader.replay)
    if form.job is None:
        content = await asyncio.to_thread(form.write, game)
    else:
        job = await asyncio.to_thread(form.job, game)
        content = await reader.pdf_queue.print_job(job, reader.who)
    return File(
        content=content,
        form=form,
        name=file_name(game.day, game.title, game.players, form.suffix),
        tag=gathered.tag,
        lang=lang,
    )


def game_sheet(
    gathered: SheetData, names: Sequence[str], lang: str, zone: tzinfo | None = None
) -> GameSheet:
    """Translate the data to a reader's language and zone."""
    language_texts = texts()
    ruleset = gathered.sheet.sheet.ruleset
    return GameSheet(
        id=gathered.id,
        version=gathered.sheet.version,
        players=tuple(names),
        options=describe_options(ruleset, gathered.options, names, lang),
        sheet=gathered.sheet.sheet,
        erased=gathered.sheet.erased_rows,
        log=gathered.log,
        lang=lang,
        texts=language_texts,
        began_at=beginning(gathered.log[0].entry.encode()).at,
        times=gathered.times,
        zone=zone,
        title_name=gathered.title_name,
    )


def describe_options(
    ruleset: str, options: Struct, names: Sequence[str], lang: str
) -> tuple[str, ...]:
    """Return a sentence for each option that differs from the default. `names`: by seat."""
    chosen = shapes(ruleset).non_default_options(options, len(names))
    return tuple(
        texts().option(ruleset, name, value, lang, names) for name, value in chosen.items()
    )


class _SeatField(Struct):
    seat: int | None = None


def _log_line(view: EntryView, columns: Sequence[int]) -> LogLine:
    raw = bytes(view.entry)
    seat = msgspec.json.decode(raw, type=_SeatField).seat
    return LogLine(
        version=view.version,
        type=view.type,
        recorded_at=view.recorded_at,
        seat=None if seat is None else columns[seat],
        entry=raw.decode(),
    )
