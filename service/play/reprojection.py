"""Writes what people read of a game anew, from its log.

Promises: the log is only read; a game that goes on meanwhile is folded again until its rows are as
new as its log.
"""

from uuid import UUID

from msgspec import Raw

from schemas.catalogue import encode
from service.errors import VersionConflict
from service.play.append import scores_of, summary_of
from service.play.game_cache import Folded, fold
from service.store.events import EventStore
from service.store.projections import GameIndex
from service.store.records import GameStart


async def project(store: EventStore, index: GameIndex, game_id: UUID) -> None:
    """Project one game anew.

    Raises: NotFound, IntegrityBroken, StoreUnavailable
    """
    while True:
        folded = fold(game_id, (), await store.read(game_id))
        try:
            await write(index, folded)
        except VersionConflict:
            continue  # somebody recorded meanwhile
        return


async def write(index: GameIndex, folded: Folded) -> None:
    """Write what people read of a game that was folded.

    Raises: VersionConflict, NotFound, StoreUnavailable
    """
    game = folded.history.game
    start = GameStart(
        ruleset=game.rules.name,
        options=Raw(encode(game.options)),
        seats=game.seats,
        started_at=folded.began_at,
    )
    await index.project(
        folded.game_id,
        folded.version,
        summary_of(folded.history, start),
        scores_of(folded.history),
    )
