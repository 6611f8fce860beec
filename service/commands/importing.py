"""`carnet import`: restore an export, entry for entry, with the same hashes."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from service.commands.support.every_club import for_clubs, open_database
from service.commands.support.process_pool import Desk, process_pool
from service.commands.support.progress import Progress
from service.errors import CarnetError, StartupError
from service.extensions.witness.exporting import restore_heads
from service.store.club.changes import ClubChanges
from service.store.club.clubs import ClubRows
from service.store.connection.pool import owner_session
from service.store.server.opening import Database
from service.transfer.export_games import ImportedLines, Lines, import_lines
from service.transfer.export_lines import BadExport, HeadLine, decode_line
from service.transfer.export_reading import ExportReader

STDIN = "-"
_MUCH = 1 << 20  # bytes
_PEEKED = 1_000  # bytes: the first line is shorter
_GO_ON = "They stay imported. Import the whole file again; it continues after them.\n"


def run(arguments: Namespace) -> int:
    if arguments.all_clubs:
        return asyncio.run(_import_all(arguments))
    if arguments.resume:
        raise CarnetError("--resume goes on with --all-clubs")
    return asyncio.run(import_file(arguments.file, arguments.jobs, arguments.club))


async def _import_all(arguments: Namespace) -> int:
    files = _exports_in(arguments.file)
    async with open_database() as database:
        await _add_missing(database, files)
        every = await ClubRows(database.pool).all()
        rows = [row for row in every if str(row.club_id) in files]
        return await for_clubs(arguments, rows, partial(_import_one_of, files))


async def import_file(file: str, jobs: int, club: str | None) -> int:
    """Import an export (`-`: standard input) into a club; None: the one that it names."""
    with _open_input(file) as stream:
        return await _import(stream, _size(file), jobs, club)


async def _import_one_of(files: dict[str, str], jobs: int, club: str | None) -> int:
    return await import_file(files[str(club)], jobs, club)


async def _import(stream: BinaryIO, size: int | None, jobs: int, club: str | None) -> int:
    club = club or await _club_of(stream)
    async with process_pool(jobs, fixed=False, owner=True, club=club) as (shared, desk):
        with Progress("importing", size, much=_MUCH) as progress:
            reader = ExportReader(stream, desk.restore, progress.advance)
            async with desk.restore.feed.lock():
                async for counts in shared.over(_taken_in, reader.parts()):
                    reader.add(counts)
                    sys.stdout.writelines(counts.failed)
                if await desk.restore.feed.place() and reader.heads is not None:
                    await restore_heads(desk.restore.conn, desk.club_id, reader.heads)
        try:
            reader.must_have_ended()
        except BadExport:
            sys.stdout.write(f"Imported before the error: {reader.summary()}{_GO_ON}")
            raise
    sys.stdout.write(reader.summary())
    return 1 if reader.failed else 0


async def _club_of(stream: BinaryIO) -> str | None:
    club_id = _named_in(stream)
    if club_id is None:
        return None
    async with open_database() as database:
        known = {row.club_id for row in await ClubRows(database.pool).all()}
        owner = database.reached.owner
        if club_id not in known and owner is not None:
            async with owner_session(owner) as conn:
                if not await ClubChanges(conn).name_first_club(club_id):
                    return None
    return str(club_id)


def _named_in(stream: BinaryIO) -> UUID | None:
    peek = getattr(stream, "peek", None)
    first = b"" if peek is None else peek(_PEEKED).partition(b"\n")[0]
    try:
        line = decode_line(first, 1)
    except BadExport:
        return None
    return line.club if isinstance(line, HeadLine) else None


def _exports_in(place: str) -> dict[str, str]:
    files: dict[str, str] = {}
    for path in sorted(Path(place).glob("*.jsonl")):
        with _open_input(str(path)) as stream:
            club_id = _named_in(stream)
        if club_id is None:
            raise CarnetError(f"{path} is not the export of a club")
        other = files.setdefault(str(club_id), str(path))
        if other != str(path):
            raise CarnetError(f"{other} and {path} belong to the same club")
    if not files:
        raise CarnetError(f"{place} is not a folder of exports: --all-clubs imports DIR/*.jsonl")
    return files


async def _add_missing(database: Database, files: Iterable[str]) -> None:
    known = {str(row.club_id) for row in await ClubRows(database.pool).all()}
    missing = [club for club in files if club not in known]
    if not missing:
        return
    if database.reached.owner is None:
        raise StartupError("Only the database's owner can import", "Set CARNET_DATABASE_OWNER_URL")
    async with owner_session(database.reached.owner) as conn:
        for club in missing:
            await ClubChanges(conn).add(UUID(club), "")
            sys.stdout.write(
                f"{club} was created: `carnet key --new --club {club}` prints its owner's link\n"
            )


async def _taken_in(desk: Desk, lines: Lines) -> ImportedLines:
    return await import_lines(desk.restore, lines)


@contextmanager
def _open_input(place: str) -> Generator[BinaryIO]:
    if place == STDIN:
        yield sys.stdin.buffer
        return
    try:
        with Path(place).open("rb") as stream:
            yield stream
    except OSError as error:
        raise CarnetError(f"{place} cannot be read: {error.strerror or error}") from error


def _size(place: str) -> int | None:
    return Path(place).stat().st_size if place != STDIN and Path(place).is_file() else None
