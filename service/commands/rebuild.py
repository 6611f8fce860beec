"""`carnet rebuild`: write what people read of the games anew, from the log.

Promises: the log is only read; a game that goes on meanwhile is folded again until its rows are as
new as its log. Exit status 0.
"""

import asyncio
import sys
from argparse import Namespace
from uuid import UUID

from msgspec import Raw

from projections.summary import deal_scores, summary
from schemas.catalogue import encode
from service.commands.progress import Progress
from service.commands.storage import open_storage
from service.errors import VersionConflict
from service.folds import Folded, fold
from service.store.events import EventStore
from service.store.projections import GameIndex
from service.store.records import DEFAULT_CLUB, DealScore, GameStart, GameSummary

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
                await _project(store, index, game_id)
                progress.advance()
    sys.stdout.write(f"{len(game_ids)} games rebuilt from their log\n")
    return 0


async def _game_ids(store: EventStore) -> list[UUID]:
    """List the games of the log itself, whatever the projections say."""
    return [link.game_id async for link in store.walk() if link.entry.version == 1]


async def _project(store: EventStore, index: GameIndex, game_id: UUID) -> None:
    while True:
        folded = fold(game_id, (), await store.read(game_id))
        try:
            await index.project(game_id, folded.version, summed(folded), scores(folded))
        except VersionConflict:
            continue  # somebody recorded meanwhile
        return


def summed(folded: Folded) -> GameSummary:
    """Sum up a game for the list, with what was fixed when it started."""
    game = folded.history.game
    now = summary(game)
    start = GameStart(ruleset=game.rules.name, options=Raw(encode(game.options)), seats=game.seats)
    return GameSummary(status=now.status, deals=now.deals, totals=now.totals, start=start)


def scores(folded: Folded) -> list[DealScore]:
    """Return the stored scores of a game's ended deals."""
    return [
        DealScore(
            deal=score.deal,
            version=score.version,
            points=score.points,
            detail=Raw(encode(score.detail)),
        )
        for score in deal_scores(folded.history.steps())
    ]
