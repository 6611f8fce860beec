"""Makes what people read of a game anew, from its log."""

from msgspec import Raw

from schemas.catalogue import encode
from service.play.append import scores_of, summary_of
from service.play.game_cache import Folded
from service.store.projecting import Projection
from service.store.records import GameStart


def projection(folded: Folded) -> Projection:
    """Make what people read of a game that was folded."""
    game = folded.history.game
    start = GameStart(
        ruleset=game.rules.name,
        options=Raw(encode(game.options)),
        seats=game.seats,
        started_at=folded.began_at,
    )
    return Projection(
        game_id=folded.game_id,
        version=folded.version,
        summary=summary_of(folded.history, start),
        scores=tuple(scores_of(folded.history)),
    )
