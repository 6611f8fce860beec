"""Jobs on uploads and their results: pure functions from files to values."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, cast
from uuid import UUID

from msgspec import Struct, structs

from schemas.entries import Entry
from service.transfer.record_files import (
    BatchWords,
    NamedFile,
    OpenedUpload,
    TableReading,
    TooMany,
    open_files,
)
from service.transfer.uploads import Assessed, Format, assess

# Unpickling cannot be interrupted, so values are kept small.
_ENTRIES_AT_ONCE = 500


class Job(Protocol):
    """A struct whose `results` an `UploadReader` computes in a subprocess. Raises: MemoryError."""

    def results(self) -> Iterator[object]: ...


class RecordJob(Struct, frozen=True, kw_only=True):
    """Judge one record. Result: `Assessed` without entries, then tuples of entries."""

    data: bytes
    now: datetime
    form: Format | None = None
    sheet: bool = False

    def results(self) -> Iterator[object]:
        assessed, parts = _split(assess(self.data, self.now, self.form, sheet=self.sheet))
        yield assessed
        yield from parts


class BatchJob(Struct, frozen=True, kw_only=True):
    """Open files of several games; write their records to `out`.

    Result: `OpenedUpload`, or "many".
    """

    files: tuple[NamedFile, ...]
    out: str
    words: BatchWords
    now: datetime
    tables: TableReading = TableReading()

    def results(self) -> Iterator[object]:
        try:
            opened: OpenedUpload | Literal["many"]
            opened = open_files(self.files, Path(self.out), self.words, self.now, self.tables)
        except TooMany:
            opened = "many"
        yield opened


class RecordSlice(Struct, frozen=True):
    """A record in a file of records, and the command that imports it with these players.

    `began_at`: its start, where the record does not say it exactly; `tags`: no record has them.
    """

    begin: int
    end: int
    command: UUID
    players: tuple[str | None, ...]
    began_at: datetime | None = None
    tags: tuple[str, ...] = ()


class SelectedJob(Struct, frozen=True, kw_only=True):
    """Judge selected records of a batch again. Results: see `read_games`."""

    path: str
    slices: tuple[RecordSlice, ...]
    now: datetime

    def results(self) -> Iterator[object]:
        with Path(self.path).open("rb") as records:
            for record_slice in self.slices:
                records.seek(record_slice.begin)
                assessed = assess(records.read(record_slice.end - record_slice.begin), self.now)
                if assessed.record is not None:
                    date = record_slice.began_at or assessed.record.date
                    record = structs.replace(
                        assessed.record, players=record_slice.players, date=date
                    )
                    assessed = structs.replace(assessed, record=record)
                yield from importable(assessed, record_slice.command, record_slice.tags)


class ImportableGame(Struct, frozen=True, kw_only=True):
    """A judged game, and the command that imports it."""

    command: UUID
    assessed: Assessed
    tags: tuple[str, ...] = ()


def _split(assessed: Assessed) -> tuple[Assessed, Iterator[object]]:
    outcome = assessed.outcome
    if outcome is None:
        return assessed, iter(())
    entries = outcome.entries
    parts = (
        entries[first : first + _ENTRIES_AT_ONCE]
        for first in range(0, len(entries), _ENTRIES_AT_ONCE)
    )
    return structs.replace(assessed, outcome=structs.replace(outcome, entries=())), parts


def importable(assessed: Assessed, command: UUID, tags: tuple[str, ...] = ()) -> Iterator[object]:
    first, parts = _split(assessed)
    yield ImportableGame(command=command, assessed=first, tags=tags)
    yield from parts


async def read_games(values: AsyncIterator[object]) -> AsyncIterator[ImportableGame]:
    """Read the games of a job, each of which comes before its entries in parts."""
    game: ImportableGame | None = None
    entries: list[Entry] = []
    async for value in values:
        if isinstance(value, ImportableGame):
            if game is not None:
                yield structs.replace(game, assessed=join_assessment(game.assessed, entries))
            game, entries = value, []
        else:
            entries.extend(cast("tuple[Entry, ...]", value))
    if game is not None:
        yield structs.replace(game, assessed=join_assessment(game.assessed, entries))


def join_assessment(assessed: Assessed, entries: Sequence[Entry]) -> Assessed:
    outcome = assessed.outcome
    if outcome is None:
        return assessed
    return structs.replace(assessed, outcome=structs.replace(outcome, entries=tuple(entries)))
