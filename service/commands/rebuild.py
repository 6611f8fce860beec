"""`carnet rebuild`: write what people read of the games anew, from the log.

Promises: the log is only read; a game that goes on meanwhile is folded again until its rows are as
new as its log. Exit status 0.
"""

import asyncio
import sys
from argparse import Namespace
from uuid import UUID

from projections.person import KNOWN_VERSION
from service.commands.progress import Progress
from service.commands.storage import open_storage
from service.play.reprojection import project
from service.store.events import EventStore
from service.store.projections import GameIndex
from service.store.records import DEFAULT_CLUB

_MUCH = 200  # games


def run(arguments: Namespace) -> int:
    """Project every game anew; return the exit status."""
    del arguments
    return asyncio.run(_rebuild())


async def _rebuild() -> int:
    async with open_storage() as pool:
        store, index = EventStore(pool, DEFAULT_CLUB), GameIndex(pool, DEFAULT_CLUB)
        game_ids = await _game_ids(store)
        with Progress("rebuilding", len(game_ids), much=_MUCH) as progress:
            for game_id in game_ids:
                await project(store, index, game_id)
                progress.advance()
        await index.standings_kept(KNOWN_VERSION).clear()
    sys.stdout.write(f"{len(game_ids)} games rebuilt from their log\n")
    return 0


async def _game_ids(store: EventStore) -> list[UUID]:
    """List the games of the log itself, whatever the projections say."""
    return [link.game_id async for link in store.walk() if link.entry.version == 1]
