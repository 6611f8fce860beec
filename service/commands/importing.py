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
from service.errors import CarnetError
from service.transfer.export_games import Lines, Taken, taken_in
from service.transfer.export_lines import BadExport
from service.transfer.export_reading import ExportReader

STDIN = "-"
_MUCH = 1 << 20  # bytes
_GO_ON = "They stay. Import a whole file, and it goes on after them.\n"


def run(arguments: Namespace) -> int:
    """Import everything; return the exit status."""
    with _opened(arguments.file) as stream:
        return asyncio.run(_import(stream, _size(arguments.file), arguments.jobs))


async def _import(stream: BinaryIO, size: int | None, jobs: int) -> int:
    async with sharing(jobs, fixed=False, owner=True) as (shared, desk):
        with Progress("importing", size, much=_MUCH) as progress:
            reader = ExportReader(stream, desk.restore, progress.advance)
            async for taken in shared.over(_taken_in, reader.parts()):
                reader.add(taken)
                sys.stdout.writelines(taken.failed)
        try:
            reader.must_have_ended()
        except BadExport:
            sys.stdout.write(f"Before it broke off: {reader.summary()}{_GO_ON}")
            raise
    sys.stdout.write(reader.summary())
    return 1 if reader.failed else 0


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
