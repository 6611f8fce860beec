"""`carnet import`: take an export back, entry for entry, with the same hashes.

Promises: constant memory; a game is taken in whole or not at all, and only if its whole chain
holds; what is here already stays as it is, so that an import that was cut off, or met a line that
is damaged, says what it took in and is simply run again.
Nothing is judged anew: outcomes stay as they were stored (`carnet audit` compares them). Exit
status 0; 1: some games could not be taken in; 2: the file is not a whole export.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

import msgspec
from msgspec import Struct

from schemas.catalogue import SHAPES
from service.commands.export_lines import (
    BadExport,
    EndLine,
    GameLine,
    HeadLine,
    PlayerLine,
    decoded,
)
from service.commands.progress import Progress
from service.commands.storage import open_database
from service.errors import CarnetError, IntegrityBroken, NotFound, OtherGame, VersionConflict
from service.play.game_cache import fold
from service.play.reprojection import write
from service.store.projections import GameIndex
from service.store.records import DEFAULT_CLUB, ChainedEntry
from service.store.restore import Restore, open_restore

STDIN = "-"
_MUCH = 1 << 20  # bytes
_GO_ON = "They stay. Import a whole file, and it goes on after them.\n"


def run(arguments: Namespace) -> int:
    """Import everything; return the exit status."""
    with _opened(arguments.file) as stream:
        return asyncio.run(_import(stream, _size(arguments.file)))


async def _import(stream: BinaryIO, size: int | None) -> int:
    async with (
        open_database() as database,
        open_restore(database.url, DEFAULT_CLUB) as restore,
    ):
        reader = _Reader(restore, GameIndex(database.pool, DEFAULT_CLUB))
        try:
            with Progress("importing", size, much=_MUCH) as progress:
                for number, raw in _lines(stream):
                    await reader.read(number, raw)
                    progress.advance(len(raw))
            reader.must_have_ended()
        except BadExport:
            sys.stdout.write(f"Before it broke off: {reader.summary()}{_GO_ON}")
            raise
    sys.stdout.write(reader.summary())
    return 1 if reader.failed else 0


class _Ruled(Struct):
    ruleset: str


class _Reader:
    """Takes line after line in, and counts what they hold."""

    def __init__(self, restore: Restore, index: GameIndex) -> None:
        self._restore = restore
        self._index = index
        self._digest = sha256()
        self._people: set[UUID] = set()
        self._number = 0
        self._begun = self._ended = False
        self._games = self._entries = 0
        self._new_people = self._new_games = 0
        self.failed = 0

    async def read(self, number: int, raw: bytes) -> None:
        """Take one line in.

        Raises: BadExport, StoreUnavailable
        """
        self._number = number
        if self._ended:
            raise BadExport(number, "nothing may follow the line that says this was all")
        line = decoded(raw, number)
        if self._begun == isinstance(line, HeadLine):
            raise BadExport(number, "an export begins with one line that says what it is")
        match line:
            case HeadLine(club=club):
                self._begin(club)
            case PlayerLine():
                self._people.add(line.id)
                await self._player(line)
            case GameLine():
                await self._game(line)
            case EndLine():
                self._end(line)
        self._digest.update(raw)

    def must_have_ended(self) -> None:
        """Judge that the whole export was there.

        Raises: BadExport
        """
        if not self._ended:
            raise BadExport(self._number + 1, "the export ends here, before it is whole")

    def summary(self) -> str:
        """Say what was done."""
        taken = f"{self._new_games} games and {self._new_people} people taken in"
        here = self._games - self._new_games - self.failed
        already = f"; {here} games were here already" if here else ""
        refused = f"; {self.failed} could not be" if self.failed else ""
        return f"{taken}{already}{refused}\n"

    def _begin(self, club: UUID) -> None:
        if club != DEFAULT_CLUB:
            raise BadExport(self._number, f"the export of another club, {club}")
        self._begun = True

    def _end(self, line: EndLine) -> None:
        counted = (len(self._people), self._games, self._entries, self._digest.hexdigest())
        if counted != (line.players, line.games, line.entries, line.sha256):
            raise BadExport(self._number, "lines before this one are missing, or were changed")
        self._ended = True

    async def _player(self, line: PlayerLine) -> None:
        try:
            self._new_people += await self._restore.player(line.player())
        except ValueError as fault:
            raise BadExport(self._number, f"nobody can be stored like this: {fault}") from None

    async def _game(self, line: GameLine) -> None:
        self._games += 1
        self._entries += len(line.entries)
        if not self._people.issuperset(line.players):
            raise BadExport(self._number, f"game {line.id} is played by people who are not here")
        try:
            links = line.links()
            known = bool(links) and _ruleset(links) in SHAPES
        except (ValueError, msgspec.MsgspecError) as fault:
            raise BadExport(self._number, f"game {line.id} cannot be read: {fault}") from None
        if not known:
            self._fails(line.id, "it is played by rules this Carnet does not know")
            return
        try:
            self._new_games += await self._restore.game(line.id, line.players, links)
            await self._project(line.id, links)
        except IntegrityBroken as error:
            self._fails(line.id, f"entry {error.version} is not what was recorded ({error.what})")
        except VersionConflict as error:
            whole = len(links)
            self._fails(line.id, f"it is here already, but only {error.version} of {whole} entries")
        except OtherGame as error:
            self._fails(line.id, f"another game has its id here: entry {error.version} differs")
        except ValueError as fault:
            self._fails(line.id, f"it cannot be stored: {fault}")

    async def _project(self, game_id: UUID, links: tuple[ChainedEntry, ...]) -> None:
        """Write what people read of a game, unless that is there."""
        try:
            await self._index.game(game_id)
        except NotFound:
            await write(self._index, fold(game_id, (), [link.entry for link in links]))

    def _fails(self, game_id: UUID, why: str) -> None:
        self.failed += 1
        sys.stdout.write(f"game {game_id} was not taken in: {why}\n")


def _ruleset(links: tuple[ChainedEntry, ...]) -> str:
    return msgspec.json.decode(links[0].entry.data, type=_Ruled).ruleset


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, line ends included."""
    return enumerate(stream, 1)


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
