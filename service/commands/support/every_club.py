"""`--all-clubs`: a command goes through every club, as many at a time as `--jobs` says."""

import os
import sys
from argparse import Namespace
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import UUID

from service.commands.support.club_workers import ClubOutcome, at_once, tried
from service.commands.support.storage import open_storage
from service.errors import CarnetError
from service.settings import settings_of_process
from service.store.club.clubs import ClubRow, ClubRows

# What a command does for a club with so many processes. None: the first.
Work = Callable[[int, str | None], Awaitable[int]]


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


async def over_clubs(arguments: Namespace, work: Work) -> int:
    """Do the work for the club that is named, or for each; return the exit status.

    Raises: what `work` raises, where it is for one club; StoreUnavailable
    """
    if arguments.resume and not arguments.all_clubs:
        raise CarnetError("--resume goes on with --all-clubs")
    if not arguments.all_clubs:
        return await work(arguments.jobs, arguments.club)
    # An embedded server goes on as long as this is open, and is not started anew for each club.
    async with open_storage() as pool:
        return await over_these(arguments, await ClubRows(pool).all(), work)


async def over_these(arguments: Namespace, rows: Sequence[ClubRow], work: Work) -> int:
    """Do the work for each of these clubs but those that an earlier run did; return the status."""
    progressed = Progressed(settings_of_process().data_dir, arguments.command)
    before = _gone_on_with(progressed, resume=arguments.resume)
    left = [row for row in rows if row.club_id not in before]
    told = _Told(left, progressed)
    count = min(arguments.jobs, len(left))
    if count > 1:
        one = partial(work, max(1, arguments.jobs // count))
        await at_once(count, one, [str(row.club_id) for row in left], told.tell)
    else:
        for row in left:
            told.name(row)
            status = await tried(partial(work, arguments.jobs), str(row.club_id))
            told.tell(str(row.club_id), ClubOutcome(status=status))
    progressed.begin()
    verdict = f"{told.failed} failed" if told.failed else "none failed"
    sys.stdout.write(f"{len(rows)} clubs: {verdict}\n")
    return 1 if told.failed else 0


class _Told:
    """Notes what became of clubs at once, and tells of them in their order."""

    def __init__(self, rows: Sequence[ClubRow], progressed: Progressed) -> None:
        self._left = deque(rows)
        self._named: ClubRow | None = None
        self._progressed = progressed
        self._done: dict[str, ClubOutcome] = {}
        self.failed = 0

    def name(self, row: ClubRow) -> None:
        """Name a club, whose turn it is, before anything is said of it."""
        if self._named is not row:
            sys.stdout.write(f"{row.club_id} {row.name}".rstrip() + ":\n")
            sys.stdout.flush()
            self._named = row

    def tell(self, club: str, done: ClubOutcome) -> None:
        """Note what became of a club; tell of it once those before it are done."""
        if done.status == 0:
            self._progressed.done(UUID(club))
        else:
            self.failed += 1
        self._done[club] = done
        while self._left and (its := self._done.pop(str(self._left[0].club_id), None)):
            self.name(self._left.popleft())
            sys.stdout.write(its.out)
            sys.stdout.flush()
            sys.stderr.write(its.err)
            sys.stderr.flush()


def _gone_on_with(progressed: Progressed, *, resume: bool) -> frozenset[UUID]:
    before, at = progressed.before() if resume else (frozenset[UUID](), None)
    if at is None:
        progressed.begin()
        return frozenset()
    sys.stdout.write(f"{len(before)} clubs went well by {at:%Y-%m-%d %H:%M:%S} UTC\n")
    return before
