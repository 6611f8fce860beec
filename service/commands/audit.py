"""`carnet audit`: compare stored games with today's rules."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from domain.table.history import History, Line
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import encode, type_of
from schemas.entries import DealEnded, Entry, GameEnded
from service.commands.support.every_club import for_each_club
from service.commands.support.process_pool import Desk, process_pool
from service.commands.support.progress import Progress
from service.commands.support.recorded import audit_records
from service.language.texts import texts
from service.play.game_cache import LoadedGame, decode_rows, fold
from service.play.reprojection import projection
from service.store.log.snapshot import Slice
from service.store.read_models.groups import group_faults
from service.store.read_models.rebuilding import Projection
from service.store.records import StoredEntry


class Illegal(Struct, frozen=True):
    """A stored entry that today's rules refuse."""

    version: int
    refusal: Refusal


class DifferentOutcome(Struct, frozen=True):
    """A stored outcome that differs from today's; None: there is none."""

    version: int
    stored: bytes | None
    today: bytes | None


Difference = Illegal | DifferentOutcome


def replay(opening: Game, log: Sequence[Entry]) -> History | Difference:
    """Replay a whole log with its derived entries; stop at the first difference."""
    history = History(opening)
    for cause, outcomes in _by_cause(log):
        judged = history.judge(cause.entry)
        if isinstance(judged, Refusal):
            return Illegal(cause.version, judged)
        for then, now in zip_longest(outcomes, judged[1:]):
            found = _compare(then, now)
            if found is not None:
                return found
    return history


def _by_cause(log: Sequence[Entry]) -> list[tuple[Line, list[Line]]]:
    causes: list[tuple[Line, list[Line]]] = []
    for version, entry in enumerate(log[1:], 2):
        line = Line(version, entry)
        if isinstance(entry, DealEnded | GameEnded) and causes:
            causes[-1][1].append(line)
        else:
            causes.append((line, []))
    return causes


def _compare(then: Line | None, now: Line | None) -> DifferentOutcome | None:
    line = then or now
    stored = encode(then.entry) if then else None
    today = encode(now.entry) if now else None
    if line is None or stored == today:
        return None
    return DifferentOutcome(line.version, stored, today)


_MUCH = 10_000  # entries
_LISTED_OTHERWISE = (
    "its stored results do not follow from its entries (`carnet rebuild` repairs them)"
)


def run(arguments: Namespace) -> int:
    if arguments.records is not None:
        return audit_records(Path(arguments.records), arguments.lang)
    return asyncio.run(for_each_club(arguments, partial(_audit, arguments.lang)))


class AuditResult(Struct, frozen=True):
    """The result for a slice: numbers of games and entries, and a line per game that differs."""

    games: int
    entries: int
    differing: tuple[str, ...]


async def _audit(lang: str, jobs: int, club: str | None) -> int:
    games = differing = 0
    async with process_pool(jobs, fixed=True, club=club) as (shared, desk):
        with Progress("auditing", await desk.fixed.entries(), much=_MUCH) as progress:
            async for result in shared.over(partial(audited_slice, lang), desk.fixed.slices()):
                games += result.games
                differing += len(result.differing)
                sys.stdout.writelines(result.differing)
                progress.advance(result.entries)
        for game_id in await desk.fixed.games_without_entries():
            differing += 1
            sys.stdout.write(f"game {game_id}: it is listed, but the log has no entry of it\n")
        for fault in await group_faults(desk.fixed_connection, desk.club_id):
            differing += 1
            sys.stdout.write(f"{fault.kind} {fault.id}: {fault.what}\n")
    outcome = f"{differing} differ" if differing else "none differs"
    sys.stdout.write(f"{games} games replayed under today's rules: {outcome}\n")
    return 1 if differing else 0


async def audited_slice(lang: str, desk: Desk, within: Slice) -> AuditResult:
    """Replay the games of a slice under today's rules."""
    games = entries = 0
    differing: list[str] = []
    wanted: list[Projection] = []
    async for links in desk.fixed.games(within):
        game_id, rows = links[0].game_id, [link.entry for link in links]
        try:
            result = audit_game(game_id, rows)
            if isinstance(result, LoadedGame):
                wanted.append(projection(result))
            else:
                differing.append(f"game {game_id}: {describe_difference(result, lang)}\n")
        except Exception as error:  # noqa: BLE001 -- rows that were tampered with may raise anything
            differing.append(f"game {game_id}: {_unreadable(rows, error)}\n")
        games += 1
        entries += len(links)
    listed = await desk.fixed.differing(wanted)
    differing += [f"game {game.game_id}: {_LISTED_OTHERWISE}\n" for game in listed]
    return AuditResult(games, entries, tuple(differing))


def audit_game(game_id: UUID, rows: list[StoredEntry]) -> LoadedGame | Difference:
    """Replay one stored game under today's rules; return it, or the first difference.

    Rows that were tampered with may raise any error.
    """
    started = fold(game_id, rows[:1])
    entries = decode_rows(started.shapes, rows)
    for expected, (row, entry) in enumerate(zip(rows, entries, strict=True), 1):
        if row.version != expected:
            raise ValueError(f"entry {expected} is missing")
        if row.type != type_of(entry):
            raise ValueError(f"entry {expected} is stored as {row.type}")
    found = replay(started.history.opening, entries)
    if not isinstance(found, History):
        return found
    return started.extend(rows[1:], found) if len(rows) > 1 else started


def _unreadable(rows: Sequence[StoredEntry], error: Exception) -> str:
    if rows[0].version == 1:
        try:
            of = fold(UUID(int=0), rows[:1]).shapes
        except Exception as fault:  # noqa: BLE001 -- as above
            return f"entry 1 cannot be read: {fault}"
        for row in rows:
            try:
                decode_rows(of, [row])
            except Exception as fault:  # noqa: BLE001 -- as above
                return f"entry {row.version} cannot be read: {fault}"
    return f"it cannot be replayed: {error}"


def describe_difference(difference: Difference, lang: str) -> str:
    """Describe a difference in one line."""
    if isinstance(difference, Illegal):
        text = texts().refusal(difference.refusal, lang)
        return (
            f"entry {difference.version} would be refused today ({difference.refusal.rule}): {text}"
        )
    stored = "nothing" if difference.stored is None else difference.stored.decode()
    today = "nothing" if difference.today is None else difference.today.decode()
    return f"entry {difference.version}: recorded {stored}, today {today}"
