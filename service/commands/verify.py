"""`carnet verify`: recompute the hash chain of every stored game.

Promises: nothing is written; every game that is not whole is named, with the first link that is
bad and what is wrong with it. Exit status 0: all are whole; 1: some are not.
"""

import asyncio
import sys
from argparse import Namespace
from typing import TextIO

from service.commands.progress import Progress
from service.commands.storage import open_storage
from service.store.chain import Difference, GameVerdict
from service.store.events import EventStore
from service.store.records import DEFAULT_CLUB

_MUCH = 10_000  # entries

WRONG: dict[Difference, str] = {
    "version": "it has another number: an entry before it is missing",
    "hash": "its content is not what was recorded, or it does not follow from the entry before it",
    "text": "its text is not what was recorded",
    "head": "entries after it are missing, or were never listed",
}


def run(arguments: Namespace) -> int:
    """Verify every chain; return the exit status."""
    del arguments
    return asyncio.run(_verify())


async def _verify() -> int:
    games = entries = broken = 0
    async with open_storage() as pool, EventStore(pool, DEFAULT_CLUB).snapshot() as snapshot:
        total = sum((await snapshot.heads()).values())
        with Progress("verifying", total, much=_MUCH) as progress:
            async for verdict in snapshot.verify():
                games += 1
                entries += verdict.entries
                broken += report(verdict)
                progress.advance(verdict.entries)
    if broken:
        sys.stdout.write(f"{games} games: {broken} not whole\n")
        return 1
    sys.stdout.write(f"{games} games, {entries} entries: every chain is whole\n")
    return 0


def report(verdict: GameVerdict, stream: TextIO | None = None) -> bool:
    """Name a game that is not whole (on standard output); tell whether it is one."""
    if verdict.broken is None:
        return False
    wrong = WRONG[verdict.broken]
    (stream or sys.stdout).write(
        f"game {verdict.game_id}: bad link at entry {verdict.version}: {wrong}\n"
    )
    return True
