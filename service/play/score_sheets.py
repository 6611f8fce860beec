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
from service.play.game_cache import beginning
from service.play.pdf_queue import PdfQueue
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import EntryView, PlayerView, Sheet


class SheetData(Struct, frozen=True, kw_only=True):
    """A game's sheet, options and log, all of `sheet.version`."""

    id: UUID
    sheet: Sheet
    options: Any
    log: tuple[EntryView, ...]
    times: Times
    title_name: str | None = None

    @property
    def players(self) -> tuple[PlayerView, ...]:
        return self.sheet.players


class File(Struct, frozen=True, kw_only=True):
    """A file to send. `version` of the game; `lang` of its words."""

    content: bytes
    form: Form
    name: str
    version: int
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
    return await games.work_on(partial(_sheet_data, await games.snapshot(game_id)))


def _sheet_data(snapshot: GameSnapshot) -> SheetData:
    return SheetData(
        id=snapshot.id,
        sheet=snapshot.sheet(),
        options=snapshot.loaded.history.game.options,
        log=snapshot.log(),
        times=snapshot.loaded.times,
        title_name=snapshot.title_name,
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
        version=game.version,
        lang=lang,
    )


def game_sheet(
    gathered: SheetData, names: Sequence[str], lang: str, zone: tzinfo | None = None
) -> GameSheet:
    """Translate the data to a reader's language and zone."""
    language_texts = texts()
    ruleset, seats = gathered.sheet.sheet.ruleset, gathered.sheet.sheet.seats
    return GameSheet(
        id=gathered.id,
        version=gathered.sheet.version,
        players=tuple(names),
        options=describe_options(ruleset, gathered.options, seats, lang),
        sheet=gathered.sheet.sheet,
        erased=frozenset(gathered.sheet.erased),
        log=tuple(map(_log_line, gathered.log)),
        lang=lang,
        texts=language_texts,
        began_at=beginning(bytes(gathered.log[0].entry)).at,
        times=gathered.times,
        zone=zone,
        title_name=gathered.title_name,
    )


def describe_options(ruleset: str, options: Struct, seats: int, lang: str) -> tuple[str, ...]:
    """Return a sentence for each option that differs from the default."""
    chosen = shapes(ruleset).non_default_options(options, seats)
    return tuple(texts().option(ruleset, name, value, lang) for name, value in chosen.items())


class _SeatField(Struct):
    seat: int | None = None


def _log_line(view: EntryView) -> LogLine:
    raw = bytes(view.entry)
    return LogLine(
        version=view.version,
        type=view.type,
        recorded_at=view.recorded_at,
        seat=msgspec.json.decode(raw, type=_SeatField).seat,
        entry=raw.decode(),
    )
