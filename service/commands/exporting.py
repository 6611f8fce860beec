"""`carnet export`: write everything, people, games and every entry, for any other Carnet.

Promises: one moment, whatever is recorded meanwhile; some games in memory at a time; a file appears
under its name only when it is whole; every chain is verified on the way out. Exit status 0; 1:
everything was written, but a chain is not whole.
"""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from service.commands.export_lines import (
    EndLine,
    HeadLine,
    PlayerLine,
    encoded,
    game_line,
)
from service.commands.progress import Progress
from service.commands.sharing import Desk, sharing
from service.commands.verify import report
from service.errors import CarnetError
from service.store.chain import Chain, GameVerdict
from service.store.records import DEFAULT_CLUB
from service.store.snapshot import Slice

STDOUT = "-"
_MUCH = 10_000  # entries
_PRIVATE = 0o600  # people's names are in it


def run(arguments: Namespace) -> int:
    """Export everything; return the exit status."""
    with _opened(arguments.file) as stream:
        return asyncio.run(_export(stream, arguments.jobs))


async def _export(stream: BinaryIO, jobs: int) -> int:
    async with sharing(jobs, fixed=True) as (shared, desk):
        writer = _Writer(stream)
        writer.write(encoded(HeadLine(club=DEFAULT_CLUB)))
        async for one in desk.dump.people():
            line = PlayerLine(id=one.player_id, name=one.name, created_at=one.created_at)
            writer.write(encoded(line))
            writer.players += 1
        with Progress("exporting", await desk.fixed.entries(), much=_MUCH) as progress:
            async for part in shared.over(exported, desk.fixed.slices()):
                writer.part(part)
                progress.advance(part.entries)
        writer.end()
    sys.stderr.write(
        f"{writer.games} games, {writer.entries} entries, {writer.players} people exported\n"
    )
    return 1 if writer.broken else 0


class Exported(Struct, frozen=True):
    """The lines of a slice of games, how much they hold, and which games are not whole."""

    lines: bytes
    games: int
    entries: int
    broken: tuple[GameVerdict, ...]


async def exported(desk: Desk, within: Slice) -> Exported:
    """Write the lines of a slice of games, and verify their chains."""
    lines: list[bytes] = []
    broken: list[GameVerdict] = []
    entries = 0
    async for game in desk.dump.games(within):
        lines.append(encoded(game_line(game)))
        entries += len(game.links)
        chain = Chain(DEFAULT_CLUB, game.game_id)
        for link in game.links:
            chain.follow(link)
        verdict = chain.end(None)
        if verdict.broken is not None:
            broken.append(verdict)
    return Exported(b"".join(lines), len(lines), entries, tuple(broken))


class _Writer:
    """Writes lines, and counts what they hold."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = sha256()
        self.players = self.games = self.entries = self.broken = 0

    def write(self, raw: bytes) -> None:
        """Write whole lines."""
        self._digest.update(raw)
        self._stream.write(raw)

    def part(self, part: Exported) -> None:
        """Write the lines of some games; name those that are not whole on standard error."""
        self.write(part.lines)
        self.games += part.games
        self.entries += part.entries
        self.broken += sum(report(verdict, sys.stderr) for verdict in part.broken)

    def end(self) -> None:
        """Write that this was all."""
        line = EndLine(
            players=self.players,
            games=self.games,
            entries=self.entries,
            sha256=self._digest.hexdigest(),
        )
        self.write(encoded(line))
        self._stream.flush()


@contextmanager
def _opened(place: str) -> Generator[BinaryIO]:
    """Open what is written to; a file gets its name when all is written."""
    if place == STDOUT:
        yield sys.stdout.buffer
        return
    path = Path(place)
    part = path.with_name(f"{path.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        raise CarnetError(f"{place} cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
