"""`carnet verify`: recompute the hash chain of every stored game.

Promises: nothing is written; every game that is not whole is named, with the first link that is
bad and what is wrong with it. Exit status 0: all are whole; 1: some are not.
"""

import asyncio
import sys
from argparse import Namespace
from typing import TextIO

from msgspec import Struct

from service.commands.progress import Progress
from service.commands.sharing import Desk, sharing
from service.store.chain import Difference, GameVerdict
from service.store.snapshot import Slice

_MUCH = 10_000  # entries

WRONG: dict[Difference, str] = {
    "version": "it has another number: an entry before it is missing",
    "hash": "its content is not what was recorded, or it does not follow from the entry before it",
    "text": "its text is not what was recorded",
    "head": "entries after it are missing, or were never listed",
}


class Verified(Struct, frozen=True):
    """What verifying a slice found: how much there is, and which games are not whole."""

    games: int
    entries: int
    broken: tuple[GameVerdict, ...]


def run(arguments: Namespace) -> int:
    """Verify every chain; return the exit status."""
    return asyncio.run(_verify(arguments.jobs))


async def _verify(jobs: int) -> int:
    games = entries = broken = 0
    async with sharing(jobs, fixed=True) as (shared, desk):
        with Progress("verifying", await desk.fixed.entries(), much=_MUCH) as progress:
            async for found in shared.over(verified, desk.fixed.slices()):
                games += found.games
                entries += found.entries
                broken += sum(map(report, found.broken))
                progress.advance(found.entries)
        lost = await desk.fixed.verdicts_of_lost()
        games += len(lost)
        broken += sum(map(report, lost))
    if broken:
        sys.stdout.write(f"{games} games: {broken} not whole\n")
        return 1
    sys.stdout.write(f"{games} games, {entries} entries: every chain is whole\n")
    return 0


async def verified(desk: Desk, within: Slice) -> Verified:
    """Verify the chains of a slice."""
    verdicts = [verdict async for verdict in desk.fixed.verify(within)]
    return Verified(
        len(verdicts),
        sum(verdict.entries for verdict in verdicts),
        tuple(verdict for verdict in verdicts if verdict.broken is not None),
    )


def report(verdict: GameVerdict, stream: TextIO | None = None) -> bool:
    """Name a game that is not whole (on standard output); tell whether it is one."""
    if verdict.broken is None:
        return False
    wrong = WRONG[verdict.broken]
    (stream or sys.stdout).write(
        f"game {verdict.game_id}: bad link at entry {verdict.version}: {wrong}\n"
    )
    return True
