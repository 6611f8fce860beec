"""Jobs on uploads and their results: pure functions from files to values."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, cast
from uuid import UUID

from msgspec import Struct, structs

from schemas.entries import Entry
from service.transfer.record_files import BatchWords, NamedFile, OpenedFile, TooMany, open_files
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

    Result: tuple of `OpenedFile`, or "many".
    """

    files: tuple[NamedFile, ...]
    out: str
    words: BatchWords
    now: datetime

    def results(self) -> Iterator[object]:
        try:
            opened: tuple[OpenedFile, ...] | Literal["many"]
            opened = open_files(self.files, Path(self.out), self.words, self.now)
        except TooMany:
            opened = "many"
        yield opened


class RecordSlice(Struct, frozen=True):
    """A record in a file of records, and the command that imports it."""

    begin: int
    end: int
    command: UUID


class SelectedJob(Struct, frozen=True, kw_only=True):
    """Judge selected records of a batch again. Results: see `read_games`."""

    path: str
    slices: tuple[RecordSlice, ...]
    now: datetime

    def results(self) -> Iterator[object]:
        with Path(self.path).open("rb") as records:
            for one in self.slices:
                records.seek(one.begin)
                assessed = assess(records.read(one.end - one.begin), self.now)
                yield from importable(assessed, one.command)


class ImportableGame(Struct, frozen=True, kw_only=True):
    """A judged game, and the command that imports it."""

    command: UUID
    assessed: Assessed


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


def importable(assessed: Assessed, command: UUID) -> Iterator[object]:
    first, parts = _split(assessed)
    yield ImportableGame(command=command, assessed=first)
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
