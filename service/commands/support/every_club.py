"""Runs a command for the chosen club, or for every club, one after another (`--all-clubs`)."""

import logging
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from service.errors import CarnetError, StartupError
from service.log import configure_logging
from service.settings import settings_of_process
from service.store.club.clubs import ClubRow, ClubRows
from service.store.connection.pool import Pool
from service.store.server import opening


@asynccontextmanager
async def open_storage() -> AsyncGenerator[Pool]:
    """Open the database of this process's settings as the service does."""
    async with open_database() as database:
        yield database.pool


@asynccontextmanager
async def open_database() -> AsyncGenerator[opening.Database]:
    """Open the database of this process's settings with its addresses."""
    configure_logging(sys.stderr, logging.WARNING)
    async with opening.open_database(settings_of_process()) as database:
        yield database


# The work of a command for one club (None: the first) with a number of processes.
Work = Callable[[int, str | None], Awaitable[int]]

_FAILED = 1


class Checkpoint:
    """The clubs that a run has finished, one id per line in a file of the data folder."""

    def __init__(self, folder: Path, command: str) -> None:
        self._path = folder / f"all-clubs-{command}.done"

    def read(self) -> tuple[frozenset[UUID], datetime | None]:
        """Return the clubs that an interrupted run finished, and when it ended (None: no run)."""
        try:
            lines = self._path.read_text("ascii").splitlines(keepends=True)
            at = datetime.fromtimestamp(self._path.stat().st_mtime, UTC)
        except FileNotFoundError:
            return frozenset(), None
        # The last line may be incomplete.
        return frozenset(UUID(line.strip()) for line in lines if line.endswith("\n")), at

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)

    def add(self, club_id: UUID) -> None:
        """Add a finished club, durably."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{club_id}\n")
            file.flush()
            os.fsync(file.fileno())


async def for_each_club(arguments: Namespace, work: Work) -> int:
    if arguments.resume and not arguments.all_clubs:
        raise CarnetError("--resume needs --all-clubs")
    if not arguments.all_clubs:
        return await work(arguments.jobs, arguments.club)
    # An embedded server runs as long as this is open, and does not start again for each club.
    async with open_storage() as pool:
        return await for_clubs(arguments, await ClubRows(pool).all(), work)


async def for_clubs(arguments: Namespace, rows: Sequence[ClubRow], work: Work) -> int:
    """Run the work for these clubs except those that an interrupted run finished."""
    checkpoint = Checkpoint(settings_of_process().data_dir, arguments.command)
    finished, at = checkpoint.read() if arguments.resume else (frozenset[UUID](), None)
    if at is None:
        checkpoint.clear()
    else:
        sys.stdout.write(
            f"{len(finished)} clubs were finished in an earlier run,"
            f" the last at {at:%Y-%m-%d %H:%M:%S} UTC\n"
        )
    failed = 0
    for row in rows:
        if row.club_id in finished:
            continue
        sys.stdout.write(f"{row.club_id} {row.name}".rstrip() + ":\n")
        sys.stdout.flush()
        if await _status(work, arguments.jobs, str(row.club_id)):
            failed += 1
        else:
            checkpoint.add(row.club_id)
    checkpoint.clear()
    sys.stdout.write(f"{len(rows)} clubs: {f'{failed} failed' if failed else 'none failed'}\n")
    return _FAILED if failed else 0


async def _status(work: Work, jobs: int, club: str) -> int:
    try:
        return await work(jobs, club)
    except CarnetError as error:
        sys.stdout.write(f"failed: {error}\n")
    except Exception as error:  # noqa: BLE001 -- an error in one club must not stop the others
        traceback.print_exc(file=sys.stderr)
        sys.stdout.write(f"failed: an internal error of Carnet: {type(error).__name__}\n")
    return _FAILED


async def selected_club(rows: ClubRows, named: str | None) -> ClubRow:
    """Return the named club; None: the first.

    Raises: StartupError (none or several have this name)
    """
    clubs = await rows.all()
    if named is None:
        return clubs[0]
    with suppress(ValueError):
        matching = [row for row in clubs if row.club_id == UUID(named)]
        if matching:
            return matching[0]
    matching = [row for row in clubs if row.name == named]
    if len(matching) != 1:
        problem = "Several clubs are" if matching else "No club is"
        raise StartupError(f"{problem} called {named}", "`carnet club list` lists names and ids")
    return matching[0]
