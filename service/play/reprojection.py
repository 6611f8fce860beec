"""Recomputes the read models of a game from its log."""

from collections.abc import Sequence
from datetime import UTC
from uuid import UUID

from msgspec import Raw

from schemas.catalogue import encode, type_of
from schemas.days import in_zone
from service.errors import IntegrityBroken
from service.play.append import scores_of, summary_of
from service.play.game_cache import LoadedGame, fold
from service.store.read_models.rebuilding import Projection
from service.store.records import GameStart, StoredEntry


def compute_projection(game_id: UUID, rows: Sequence[StoredEntry]) -> Projection:
    try:
        loaded = fold(game_id, rows, exact=False)
    except IntegrityBroken:
        loaded = None
    if loaded is None or not _as_stored(loaded):
        loaded = fold(game_id, rows)
    return projection(loaded)


def _as_stored(loaded: LoadedGame) -> bool:
    rows = loaded.rows
    written = (line for step in loaded.history.steps() for line in step.derived)
    return all(type_of(line.entry) == rows[line.version - 1].type for line in written)


def projection(loaded: LoadedGame) -> Projection:
    game = loaded.history.game
    start = GameStart(
        ruleset=game.rules.name,
        options=Raw(encode(game.options)),
        seats=game.seats,
        started_at=in_zone(loaded.began_at, UTC) if loaded.began_at else None,
        times=loaded.times,
    )
    return Projection(
        game_id=loaded.game_id,
        version=loaded.version,
        summary=summary_of(loaded.history, start),
        scores=tuple(scores_of(loaded.history)),
    )
