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
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

import msgspec
from msgspec import Struct

from service.commands.export_lines import BadExport, EndLine, HeadLine, PlayerLine, decoded
from service.commands.progress import Progress
from service.commands.sharing import sharing
from service.commands.taking_in import Lines, Taken, taken_in
from service.errors import CarnetError
from service.store.records import DEFAULT_CLUB, Player
from service.store.restore import Restore

STDIN = "-"
_MUCH = 1 << 20  # bytes
_GO_ON = "They stay. Import a whole file, and it goes on after them.\n"
_PEOPLE_AT_ONCE = 500
# Of lines of games that go to one process together.
_GAMES_AT_ONCE, _BYTES_AT_ONCE = 50, 1 << 20


def run(arguments: Namespace) -> int:
    """Import everything; return the exit status."""
    with _opened(arguments.file) as stream:
        return asyncio.run(_import(stream, _size(arguments.file), arguments.jobs))


async def _import(stream: BinaryIO, size: int | None, jobs: int) -> int:
    async with sharing(jobs, fixed=False, owner=True) as (shared, desk):
        with Progress("importing", size, much=_MUCH) as progress:
            reader = _Reader(stream, desk.restore, progress)
            async for taken in shared.over(taken_in, reader.parts()):
                reader.add(taken)
        try:
            reader.must_have_ended()
        except BadExport:
            sys.stdout.write(f"Before it broke off: {reader.summary()}{_GO_ON}")
            raise
    sys.stdout.write(reader.summary())
    return 1 if reader.failed else 0


class _Peeked(Struct):
    """What tells where a line goes, whatever else is in it."""

    line: str
    id: UUID | None = None
    players: tuple[UUID, ...] | int = ()


_peek = msgspec.json.Decoder(_Peeked)


class _Reader:
    """Reads the lines, takes people in, hands games on, and counts what there was."""

    def __init__(self, stream: BinaryIO, restore: Restore, progress: Progress) -> None:
        self._stream = stream
        self._restore = restore
        self._progress = progress
        self._digest = sha256()
        self._people: set[UUID] = set()
        self._waiting: list[tuple[int, Player]] = []
        self._number = 0
        self._begun = False
        self._end: tuple[int, EndLine, str] | None = None
        self._fault: BadExport | None = None
        self._games = self._entries = self._new_people = self._new_games = 0
        self.failed = 0

    async def parts(self) -> AsyncIterator[Lines]:
        """Yield the lines of games, some at a time; what is wrong is told in the end."""
        lines: list[tuple[int, bytes]] = []
        size = 0
        try:
            for number, raw in enumerate(self._stream, 1):
                self._number = number
                if self._fault is not None:
                    break
                if await self._is_game(raw):
                    lines.append((number, raw))
                    size += len(raw)
                self._digest.update(raw)
                self._progress.advance(len(raw))
                if len(lines) >= _GAMES_AT_ONCE or size >= _BYTES_AT_ONCE:
                    await self._flush()
                    yield tuple(lines)
                    lines, size = [], 0
            await self._flush()
        except BadExport as fault:
            self._fault = fault
        if lines:
            # Those who play the games before the fault are before it, too.
            with suppress(BadExport):
                await self._flush()
            yield tuple(lines)

    def add(self, taken: Taken) -> None:
        """Count what was taken in of a part, and name what was not."""
        self._games += taken.games
        self._entries += taken.entries
        self._new_games += taken.new
        self.failed += len(taken.failed)
        sys.stdout.writelines(taken.failed)
        if taken.bad is not None and (self._fault is None or self._fault.line > taken.bad[0]):
            self._fault = BadExport(*taken.bad)

    def must_have_ended(self) -> None:
        """Judge that the whole export was there.

        Raises: BadExport
        """
        if self._fault is not None:
            raise self._fault
        if self._end is None:
            raise BadExport(self._number + 1, "the export ends here, before it is whole")
        number, line, digest = self._end
        counted = (len(self._people), self._games, self._entries, digest)
        if counted != (line.players, line.games, line.entries, line.sha256):
            raise BadExport(number, "lines before this one are missing, or were changed")

    def summary(self) -> str:
        """Say what was done."""
        taken = f"{self._new_games} games and {self._new_people} people taken in"
        here = self._games - self._new_games - self.failed
        already = f"; {here} games were here already" if here else ""
        refused = f"; {self.failed} could not be" if self.failed else ""
        return f"{taken}{already}{refused}\n"

    async def _is_game(self, raw: bytes) -> bool:
        """Read a line that is no game; tell whether it is one.

        Raises: BadExport
        """
        number = self._number
        if self._end is not None:
            raise BadExport(number, "nothing may follow the line that says this was all")
        peeked = self._peeked(raw)
        game = peeked.line == "game" and isinstance(peeked.players, tuple)
        line = None if game else decoded(raw, number)
        if self._begun == isinstance(line, HeadLine):
            raise BadExport(number, "an export begins with one line that says what it is")
        match line:
            case HeadLine(club=club):
                if club != DEFAULT_CLUB:
                    raise BadExport(number, f"the export of another club, {club}")
                self._begun = True
            case PlayerLine():
                self._people.add(line.id)
                self._waiting.append((number, line.player()))
                if len(self._waiting) == _PEOPLE_AT_ONCE:
                    await self._flush()
            case EndLine():
                self._end = (number, line, self._digest.hexdigest())
            case _:
                assert isinstance(peeked.players, tuple)  # noqa: S101 -- it is a game
                if not self._people.issuperset(peeked.players):
                    problem = f"game {peeked.id} is played by people who are not here"
                    raise BadExport(number, problem)
        return game

    def _peeked(self, raw: bytes) -> _Peeked:
        try:
            return _peek.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _Peeked(line="")  # reading it whole says what is wrong

    async def _flush(self) -> None:
        """Take the people in who were read."""
        waiting, self._waiting = self._waiting, []
        try:
            if waiting:
                self._new_people += await self._restore.people([one for _, one in waiting])
        except ValueError as fault:
            if len(waiting) == 1:
                problem = f"nobody can be stored like this: {fault}"
                raise BadExport(waiting[0][0], problem) from None
            for one in waiting:
                self._waiting = [one]
                await self._flush()


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
