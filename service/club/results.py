"""Converts stored games to results for the standings."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from uuid import UUID

from msgspec import Raw, json

from domain.games import GAMES
from domain.table.manifest import StandingsColumn, Teams
from projections.evenings import seconds_at_table
from projections.standings import GameResult
from schemas.catalogue import shapes
from service.store.read_models.finished_results import FinishedGame, FinishedResults
from service.store.read_models.listing import GameCursor, GameFilter

GAMES_AT_ONCE = 1_000

_TEAMS = tuple(name for name, game in GAMES.items() if game.teams)
_COUNTED = tuple(name for name, game in GAMES.items() if game.standings_columns)

_decoder = json.Decoder(tuple[FinishedGame, ...])


async def read_results(
    told: FinishedResults, which: GameFilter, after: GameCursor | None = None
) -> AsyncGenerator[tuple[GameResult[UUID], ...]]:
    while True:
        part = await told.part(which, after, GAMES_AT_ONCE, teams=_TEAMS, counted=_COUNTED)
        results = await asyncio.to_thread(_decode_results, part)
        if results:
            yield results
        if len(results) < GAMES_AT_ONCE:
            return
        after = place(results[-1])


def place(result: GameResult[UUID]) -> GameCursor:
    """Return a result's position in the order of all games."""
    return GameCursor(result.started_at, result.game_id)


def result_of(game: FinishedGame) -> GameResult[UUID]:
    finished = any(game.took_part)
    counted = GAMES[game.ruleset].standings_columns if finished else ()
    return GameResult(
        game_id=game.game_id,
        title=game.title,
        started_at=game.started_at,
        times=game.times,
        deals=game.deals,
        players=game.players,
        totals=game.totals,
        places=game.places,
        took_part=game.took_part,
        teams=_teams(game),
        counted={count.name: _times(count, game, game.details or ()) for count in counted},
        seconds=seconds_at_table(game.started_at, game.last_at, game.times)
        if finished and game.last_at
        else None,
    )


def _decode_results(part: bytes) -> tuple[GameResult[UUID], ...]:
    return tuple(map(result_of, _decoder.decode(part)))


def _teams(game: FinishedGame) -> Teams:
    teams = GAMES[game.ruleset].teams
    if not teams:
        return ()
    options = json.decode(game.options, type=shapes(game.ruleset).options | None)
    return () if options is None else teams(options, len(game.players))


def _times(counted: StandingsColumn, game: FinishedGame, details: Sequence[Raw]) -> tuple[int, ...]:
    shape = shapes(game.ruleset).detail
    deals = [counted.of_deal(json.decode(detail, type=shape), game.seats) for detail in details]
    for players, detail in game.earlier or ():
        times = counted.of_deal(json.decode(detail, type=shape), len(players))
        by_player = dict(zip(players, times, strict=True))
        deals.append(tuple(by_player.get(player, 0) for player in game.players))
    return tuple(map(sum, zip(*deals, strict=True))) if deals else (0,) * game.seats
