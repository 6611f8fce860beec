"""`--all-clubs`: a command goes through every club, the first one first.

Promises: each club is named before what is said of it; one that fails stops no other. What became
of each is noted as soon as it is done, so that a run that was cut off is gone on with by
`--resume`: clubs that went well are not done again, those that failed are, and how many were done
and when is said. Exit status 1 where any failed.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from service.commands.storage import open_storage
from service.errors import CarnetError
from service.settings import settings_of_process
from service.store.clubs import ClubRow, ClubRows


class Progressed:
    """Which clubs a command has gone through, in a file of the data folder: an id a line."""

    def __init__(self, folder: Path, command: str) -> None:
        self._path = folder / f"all-clubs-{command}.done"

    def before(self) -> tuple[frozenset[UUID], datetime | None]:
        """Read what an earlier run did, and when it ended; nothing where none was cut off."""
        try:
            lines = self._path.read_text("ascii").splitlines(keepends=True)
            at = datetime.fromtimestamp(self._path.stat().st_mtime, UTC)
        except FileNotFoundError:
            return frozenset(), None
        # The last line may have been cut off as well.
        return frozenset(UUID(line.strip()) for line in lines if line.endswith("\n")), at

    def begin(self) -> None:
        """Forget what an earlier run did."""
        self._path.unlink(missing_ok=True)

    def done(self, club_id: UUID) -> None:
        """Note that a club went well."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{club_id}\n")
            file.flush()
            os.fsync(file.fileno())


async def over_clubs(arguments: Namespace, one: Callable[[str | None], Awaitable[int]]) -> int:
    """Do `one` for the club that is named, or for each; return the exit status.

    Raises: what `one` raises, where it is for one club; StoreUnavailable
    """
    if arguments.resume and not arguments.all_clubs:
        raise CarnetError("--resume goes on with --all-clubs")
    if not arguments.all_clubs:
        return await one(arguments.club)
    progressed = Progressed(settings_of_process().data_dir, arguments.command)
    before = _gone_on_with(progressed, resume=arguments.resume)
    async with open_storage() as pool:
        rows = await ClubRows(pool).all()
    failed = 0
    for row in rows:
        if row.club_id in before:
            continue
        sys.stdout.write(f"{_named(row)}:\n")
        sys.stdout.flush()
        if await _tried(row, one) == 0:
            progressed.done(row.club_id)
        else:
            failed += 1
    progressed.begin()
    verdict = f"{failed} failed" if failed else "none failed"
    sys.stdout.write(f"{len(rows)} clubs: {verdict}\n")
    return 1 if failed else 0


def _gone_on_with(progressed: Progressed, *, resume: bool) -> frozenset[UUID]:
    """Return the clubs that need not be done again, and say so; begin anew where nobody asked."""
    before, at = progressed.before() if resume else (frozenset[UUID](), None)
    if at is None:
        progressed.begin()
        return frozenset()
    sys.stdout.write(f"{len(before)} clubs went well by {at:%Y-%m-%d %H:%M:%S} UTC\n")
    return before


async def _tried(row: ClubRow, one: Callable[[str | None], Awaitable[int]]) -> int:
    try:
        return await one(str(row.club_id))
    except CarnetError as error:
        sys.stdout.write(f"not done: {error}\n")
        return 1


def _named(row: ClubRow) -> str:
    return f"{row.club_id} {row.name}".rstrip()
