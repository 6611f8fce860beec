"""Recomputes the read models of a game from its log."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Raw

from schemas.catalogue import encode, type_of
from service.errors import IntegrityBroken
from service.play.append import scores_of, summary_of
from service.play.game_cache import Folded, fold
from service.store.read_models.rebuilding import Projection
from service.store.records import GameStart, StoredEntry


def projected(game_id: UUID, rows: Sequence[StoredEntry]) -> Projection:
    """Compute the read models from a whole log.

    Raises: IntegrityBroken
    """
    try:
        folded = fold(game_id, rows, exact=False)
    except IntegrityBroken:
        folded = None
    if folded is None or not _as_stored(folded):
        folded = fold(game_id, rows)
    return projection(folded)


def _as_stored(folded: Folded) -> bool:
    rows = folded.rows
    written = (line for step in folded.history.steps() for line in step.derived)
    return all(type_of(line.entry) == rows[line.version - 1].type for line in written)


def projection(folded: Folded) -> Projection:
    """Compute the read models of a loaded game."""
    game = folded.history.game
    start = GameStart(
        ruleset=game.rules.name,
        options=Raw(encode(game.options)),
        seats=game.seats,
        started_at=folded.began_at,
        times=folded.times,
    )
    return Projection(
        game_id=folded.game_id,
        version=folded.version,
        summary=summary_of(folded.history, start),
        scores=tuple(scores_of(folded.history)),
    )
