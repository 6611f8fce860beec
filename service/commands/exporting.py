"""`carnet export`: write everything, people, games and every entry, for any other Carnet.

Promises: one moment, whatever is recorded meanwhile; constant memory; a file appears under its name
only when it is whole; every chain is verified on the way out. Exit status 0; 1: everything was
written, but a chain is not whole.
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

from service.commands.export_lines import (
    AnyLine,
    EndLine,
    HeadLine,
    PlayerLine,
    encoded,
    game_line,
)
from service.commands.progress import Progress
from service.commands.storage import open_storage
from service.commands.verify import report
from service.errors import CarnetError
from service.store.chain import Chain
from service.store.dump import Dump, DumpedGame, open_dump
from service.store.records import DEFAULT_CLUB

STDOUT = "-"
_MUCH = 10_000  # entries
_PRIVATE = 0o600  # people's names are in it


def run(arguments: Namespace) -> int:
    """Export everything; return the exit status."""
    with _opened(arguments.file) as stream:
        return asyncio.run(_export(stream))


async def _export(stream: BinaryIO) -> int:
    async with open_storage() as pool, open_dump(pool, DEFAULT_CLUB) as dump:
        writer = _Writer(stream)
        writer.line(HeadLine(club=DEFAULT_CLUB))
        with Progress("exporting", await dump.count(), much=_MUCH) as progress:
            await writer.everything(dump, progress)
    sys.stderr.write(
        f"{writer.games} games, {writer.entries} entries, {writer.players} people exported\n"
    )
    return 1 if writer.broken else 0


class _Writer:
    """Writes lines, and counts what they hold."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = sha256()
        self.players = self.games = self.entries = self.broken = 0

    def line(self, line: AnyLine) -> None:
        """Write one line."""
        raw = encoded(line)
        self._digest.update(raw)
        self._stream.write(raw)

    async def everything(self, dump: Dump, progress: Progress) -> None:
        """Write people, games, and that this was all."""
        async for one in dump.people():
            self.line(PlayerLine(id=one.player_id, name=one.name, created_at=one.created_at))
            self.players += 1
        async for game in dump.games():
            self.line(game_line(game))
            self.games += 1
            self.entries += len(game.links)
            self.broken += _broken(game)
            progress.advance(len(game.links))
        self.line(
            EndLine(
                players=self.players,
                games=self.games,
                entries=self.entries,
                sha256=self._digest.hexdigest(),
            )
        )
        self._stream.flush()


def _broken(game: DumpedGame) -> bool:
    """Verify a game's chain; name it on standard error where it is not whole."""
    chain = Chain(DEFAULT_CLUB, game.game_id)
    for link in game.links:
        chain.follow(link)
    return report(chain.end(None), sys.stderr)


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
