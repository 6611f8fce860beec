"""`carnet audit`: would today's rules say of the stored games what was said on the day.

Promises: nothing is written; every game that differs is named, with its first difference. With
`--records` the recorded games of a folder are replayed instead, each held to what it expects.
Exit status 0: nothing differs; 1: something does; 2: there was nothing to audit.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

from service.commands.difference import Difference, Illegal, first_difference
from service.commands.progress import Progress
from service.commands.recorded import audit_records
from service.commands.storage import open_storage
from service.play.game_cache import decoded, fold
from service.store.events import EventStore, Snapshot
from service.store.records import DEFAULT_CLUB, StoredEntry
from service.texts import texts

_MUCH = 10_000  # entries


def run(arguments: Namespace) -> int:
    """Audit the stored games, or the recorded ones of a folder; return the exit status."""
    if arguments.records is not None:
        return audit_records(Path(arguments.records), arguments.lang)
    return asyncio.run(_audit(arguments.lang))


async def _audit(lang: str) -> int:
    games = differing = 0
    async with open_storage() as pool, EventStore(pool, DEFAULT_CLUB).snapshot() as snapshot:
        total = sum((await snapshot.heads()).values())
        with Progress("auditing", total, much=_MUCH) as progress:
            async for game_id, rows in _logs(snapshot):
                found = audited(game_id, rows)
                games += 1
                if found is not None:
                    differing += 1
                    sys.stdout.write(f"game {game_id}: {told(found, lang)}\n")
                progress.advance(len(rows))
    outcome = f"{differing} differ" if differing else "none differs"
    sys.stdout.write(f"{games} games replayed under today's rules: {outcome}\n")
    return 1 if differing else 0


async def _logs(snapshot: Snapshot) -> AsyncIterator[tuple[UUID, list[StoredEntry]]]:
    """Gather the stream of all entries into one log a game."""
    rows: list[StoredEntry] = []
    game_id: UUID | None = None
    async for link in snapshot.walk():
        if game_id is not None and link.game_id != game_id:
            yield game_id, rows
            rows = []
        game_id = link.game_id
        rows.append(link.entry)
    if game_id is not None:
        yield game_id, rows


def audited(game_id: UUID, rows: list[StoredEntry]) -> Difference | None:
    """Replay one stored game under today's rules and return the first difference.

    Raises: IntegrityBroken, msgspec.ValidationError (no entry that this program wrote)
    """
    started = fold(game_id, (), rows[:1])
    return first_difference(started.history.opening, decoded(started.shapes, rows))


def told(found: Difference, lang: str) -> str:
    """Say a difference in one line."""
    if isinstance(found, Illegal):
        said = texts().refusal(found.refusal, lang)
        return f"entry {found.version} would be refused today ({found.refusal.rule}): {said}"
    stored = "nothing" if found.stored is None else found.stored.decode()
    today = "nothing" if found.today is None else found.today.decode()
    return f"entry {found.version}: recorded {stored}, today {today}"
