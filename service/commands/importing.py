"""`carnet import`: take an export back, entry for entry, with the same hashes.

Promises: some games in memory at a time; a game is taken in whole or not at all, and only if its
whole chain holds; what is here already stays as it is, so that an import that was cut off, or met a
line that is damaged, says what it took in and is simply run again.
Nothing is judged anew: outcomes stay as they were stored (`carnet audit` compares them). Exit
status 0; 1: some games could not be taken in; 2: the file is not a whole export.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from service.commands.progress import Progress
from service.commands.sharing import Desk, sharing
from service.commands.storage import open_database
from service.errors import CarnetError
from service.store.club_changes import ClubChanges
from service.store.clubs import ClubRows
from service.store.pool import owners_session
from service.transfer.export_games import Lines, Taken, taken_in
from service.transfer.export_heads import heads_taken_in
from service.transfer.export_lines import BadExport, HeadLine, decoded
from service.transfer.export_reading import ExportReader

STDIN = "-"
_MUCH = 1 << 20  # bytes
_PEEKED = 1_000  # bytes: the first line is shorter
_GO_ON = "They stay. Import a whole file, and it goes on after them.\n"


def run(arguments: Namespace) -> int:
    """Import everything; return the exit status."""
    with _opened(arguments.file) as stream:
        return asyncio.run(_import(stream, _size(arguments.file), arguments))


async def _import(stream: BinaryIO, size: int | None, arguments: Namespace) -> int:
    club = arguments.club or await _club_of(stream)
    async with sharing(arguments.jobs, fixed=False, owner=True, club=club) as (shared, desk):
        with Progress("importing", size, much=_MUCH) as progress:
            reader = ExportReader(stream, desk.restore, progress.advance)
            async with desk.restore.feed.held():
                async for taken in shared.over(_taken_in, reader.parts()):
                    reader.add(taken)
                    sys.stdout.writelines(taken.failed)
                await heads_taken_in(desk.restore.feed, f"carnet/{desk.club_id}", reader.heads)
        try:
            reader.must_have_ended()
        except BadExport:
            sys.stdout.write(f"Before it broke off: {reader.summary()}{_GO_ON}")
            raise
    sys.stdout.write(reader.summary())
    return 1 if reader.failed else 0


async def _club_of(stream: BinaryIO) -> str | None:
    """Choose the club that a file is of, where it is here or nothing is yet; None: the first."""
    peek = getattr(stream, "peek", None)
    first = b"" if peek is None else peek(_PEEKED).partition(b"\n")[0]
    try:
        line = decoded(first, 1)
    except BadExport:
        return None
    if not isinstance(line, HeadLine):
        return None
    async with open_database() as database:
        known = {row.club_id for row in await ClubRows(database.pool).all()}
        owner = database.reached.owner
        if line.club not in known and owner is not None:
            async with owners_session(owner) as conn:
                if not await ClubChanges(conn).begin_as(line.club):
                    return None
    return str(line.club)


async def _taken_in(desk: Desk, lines: Lines) -> Taken:
    return await taken_in(desk.restore, lines)


@contextmanager
def _opened(place: str) -> Generator[BinaryIO]:
    if place == STDIN:
        yield sys.stdin.buffer
        return
    try:
        with Path(place).open("rb") as stream:
            yield stream
    except OSError as error:
        raise CarnetError(f"{place} cannot be read: {error.strerror or error}") from error


def _size(place: str) -> int | None:
    """Return the size of a file, in bytes; None where it has none."""
    return Path(place).stat().st_size if place != STDIN and Path(place).is_file() else None
