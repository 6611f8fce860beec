"""`carnet verify`: recompute the hash chain of every stored game."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from service.commands.support.every_club import for_each_club
from service.commands.support.process_pool import Desk, process_pool
from service.commands.support.progress import Progress
from service.errors import CarnetError
from service.extensions.witness.check import HeadCheck
from service.extensions.witness.signed_notes import SignedNote, read_notes
from service.extensions.witness.walk import FeedWalk
from service.store.log.chain import Difference, GameVerdict
from service.store.log.snapshot import Slice

STDIN = "-"
_MUCH = 10_000  # entries

WRONG: dict[Difference, str] = {
    "version": "its version is not the next one: an earlier entry is missing",
    "hash": "its content (of entry 1 also the seating) or its link to the entry before was changed",
    "text": "its text was changed",
    "head": "entries after it are missing, or were never listed",
}


class VerifyResult(Struct, frozen=True):
    """The result for a slice: numbers of games and entries, and broken games."""

    games: int
    entries: int
    broken: tuple[GameVerdict, ...]


def run(arguments: Namespace) -> int:
    heads = () if arguments.head is None else heads_in(arguments.head)
    if heads and arguments.all_clubs:
        raise CarnetError("heads belong to one club: choose it with --club")
    return asyncio.run(for_each_club(arguments, partial(_verify, heads)))


async def _verify(heads: Sequence[SignedNote], jobs: int, club: str | None) -> int:
    games = entries = broken = 0
    async with process_pool(jobs, fixed=True, club=club) as (shared, desk):
        with Progress("verifying", await desk.fixed.entries(), much=_MUCH) as progress:
            async for found in shared.over(verify_slice, desk.fixed.slices()):
                games += found.games
                entries += found.entries
                broken += sum(map(report, found.broken))
                progress.advance(found.entries)
        lost = await desk.fixed.verdicts_of_lost()
        games += len(lost)
        broken += sum(map(report, lost))
        checked = await HeadCheck(FeedWalk(desk.fixed_connection, desk.club_id), heads).run()
    sys.stdout.writelines(f"{line}\n" for line in checked.lines)
    if broken or checked.faults:
        also = f"; {checked.faults} heads do not match" if checked.faults else ""
        sys.stdout.write(f"{games} games: {broken} broken{also}\n")
        return 1
    sys.stdout.write(f"{games} games, {entries} entries: all hash chains are intact\n")
    return 0


def heads_in(place: str) -> list[SignedNote]:
    """Read the heads of a file, "-" for standard input.

    Raises: CarnetError (BadNote if it holds none)
    """
    try:
        text = sys.stdin.read() if place == STDIN else Path(place).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CarnetError(f"{place} cannot be read: {error}") from error
    return read_notes(text)


async def verify_slice(desk: Desk, within: Slice) -> VerifyResult:
    verdicts = [verdict async for verdict in desk.fixed.verify(within)]
    return VerifyResult(
        len(verdicts),
        sum(verdict.entries for verdict in verdicts),
        tuple(verdict for verdict in verdicts if verdict.broken is not None),
    )


def report(verdict: GameVerdict, stream: TextIO | None = None) -> bool:
    """Print a broken game; return whether it is broken."""
    if verdict.broken is None:
        return False
    wrong = WRONG[verdict.broken]
    (stream or sys.stdout).write(
        f"game {verdict.game_id}: bad link at entry {verdict.version}: {wrong}\n"
    )
    return True
