"""Games as standings see them: what is stored of a game, made a result.

Promises: results come oldest first, some hundred at a time, and nothing is held in between. Who
plays together, and what is counted beside wins, is the game's to say (`domain.table.manifest`); the
latter is told by the scores of its deals. A game that was ended before anything came of it has no
result: it counts like an open one.
"""

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from uuid import UUID

from msgspec import Raw, json

from domain.games import GAMES
from domain.table.manifest import Counted, Teams
from projections.standings import Result
from projections.summary import decided
from schemas.catalogue import shapes
from service.store.listing import GameFilter
from service.store.projections import GameIndex
from service.store.records import Game, StoredDealScore


async def results(index: GameIndex, which: GameFilter) -> AsyncGenerator[tuple[Result[UUID], ...]]:
    """Read the results of all games that fit, the oldest first.

    Raises: StoreUnavailable
    """
    async for games in index.every(which, "oldest first"):
        told_by_deals = [
            game.game_id
            for game in games
            if GAMES[game.ruleset].counted and game.status == "finished"
        ]
        scores = await index.deal_scores(*told_by_deals) if told_by_deals else []
        yield results_of(games, scores)


def results_of(
    games: Sequence[Game], scores: Sequence[StoredDealScore]
) -> tuple[Result[UUID], ...]:
    """Make results of games; `scores` are the deals of the finished ones that count something."""
    details: dict[UUID, list[Raw]] = defaultdict(list)
    for score in scores:
        details[score.game_id].append(score.detail)
    return tuple(_result(game, details) for game in games)


def _result(game: Game, details: Mapping[UUID, Sequence[Raw]]) -> Result[UUID]:
    # Places are missing for a moment where an older Carnet still writes to the same database.
    finished = decided(game.status, game.deals, game.totals) and len(game.places) == game.seats
    counted = GAMES[game.ruleset].counted if finished else ()
    return Result(
        game_id=game.game_id,
        ruleset=game.ruleset,
        started_at=game.started_at,
        finished=finished,
        deals=game.deals,
        players=game.players,
        totals=game.totals,
        places=game.places,
        teams=_teams(game),
        counted={one.name: _times(one, game, details.get(game.game_id, ())) for one in counted},
    )


def _teams(game: Game) -> Teams:
    teams = GAMES[game.ruleset].teams
    return teams(json.decode(game.options, type=shapes(game.ruleset).options)) if teams else ()


def _times(counted: Counted, game: Game, details: Sequence[Raw]) -> tuple[int, ...]:
    """Add up what the deals of a game count for each seat."""
    shape = shapes(game.ruleset).detail
    deals = [counted.of_deal(json.decode(detail, type=shape), game.seats) for detail in details]
    return tuple(map(sum, zip(*deals, strict=True))) if deals else (0,) * game.seats
