"""Games as standings see them: what is stored of a game, made a result.

Promises: results come oldest first, some hundred at a time, and nothing is held in between. In
Durak who was durak is told by the scores of the deals; four in teams are two sides. A game that was
ended before anything came of it has no result: it counts like an open one.
"""

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from projections.standings import Result
from projections.summary import decided
from service.store.listing import GameFilter
from service.store.projections import GameIndex
from service.store.records import Game, StoredDealScore

# Partners sit opposite (`durak.teams`).
_TEAMS = ((0, 2), (1, 3))
_DURAK = "durak"


class _Options(Struct):
    """What options say of teams, whatever else they say."""

    teams: bool = False


class _Detail(Struct):
    """Who was durak in a deal; nobody after a draw."""

    durak: int | None = None


async def results(index: GameIndex, which: GameFilter) -> AsyncGenerator[tuple[Result[UUID], ...]]:
    """Read the results of all games that fit, the oldest first.

    Raises: StoreUnavailable
    """
    async for games in index.every(which, "oldest first"):
        told_by_deals = [
            game.game_id for game in games if game.ruleset == _DURAK and game.status == "finished"
        ]
        scores = await index.deal_scores(*told_by_deals) if told_by_deals else []
        yield results_of(games, scores)


def results_of(
    games: Sequence[Game], scores: Sequence[StoredDealScore]
) -> tuple[Result[UUID], ...]:
    """Make results of games; `scores` are the deals of those that are Durak and finished."""
    details: dict[UUID, list[Raw]] = defaultdict(list)
    for score in scores:
        details[score.game_id].append(score.detail)
    return tuple(_result(game, details) for game in games)


def _result(game: Game, details: Mapping[UUID, Sequence[Raw]]) -> Result[UUID]:
    durak = game.ruleset == _DURAK
    # Places are missing for a moment where an older Carnet still writes to the same database.
    finished = decided(game.status, game.deals, game.totals) and len(game.places) == game.seats
    return Result(
        game_id=game.game_id,
        ruleset=game.ruleset,
        started_at=game.started_at,
        finished=finished,
        deals=game.deals,
        players=game.players,
        totals=game.totals,
        places=game.places,
        teams=_TEAMS if durak and msgspec.json.decode(game.options, type=_Options).teams else (),
        duraks=_duraks(details.get(game.game_id, ()), game.seats) if durak and finished else (),
    )


def _duraks(details: Sequence[Raw], seats: int) -> tuple[int, ...]:
    """Count the deals each seat was durak in."""
    found = [0] * seats
    for detail in details:
        durak = msgspec.json.decode(detail, type=_Detail).durak
        if durak is not None:
            found[durak] += 1
    return tuple(found)
