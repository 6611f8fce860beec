"""The evenings of a club, computed from its games."""

import asyncio
from collections.abc import Sequence
from datetime import date, tzinfo
from uuid import UUID

from msgspec import Struct, convert

from projections.evenings import PAUSE_WITH_GAME, Evening, EveningGame, evenings
from projections.review import Review, review
from service.club.game_filters import day_bound
from service.errors import NotFound, TooManyGames
from service.store.read_models.listing import Bound, GameCursor, GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import GameInList, Player

GAMES_AT_ONCE = 200
# Limit of a page, for many games without a pause.
GAMES_MAX = 2_000
# The search window around a game: the pause between evenings.
EVENINGS_READ = 4
# Games of a year in review.
REVIEWED_MAX = 10_000


class EveningsPage(Struct, frozen=True, kw_only=True):
    """A page of evenings, latest first. `after`: cursor of the next page; None on the last one."""

    evenings: tuple[Evening[UUID], ...]
    players: dict[UUID, Player]
    after: GameCursor | None
    set_aside: int = 0


class YearReview(Struct, frozen=True, kw_only=True):
    """A year in review. `player`: whose it is, None: of the club."""

    review: Review[UUID]
    player: Player | None
    players: dict[UUID, Player]


class Evenings:
    def __init__(self, index: GameIndex) -> None:
        self._index = index

    async def page(
        self, which: GameFilter, after: GameCursor | None = None, least: int = 10
    ) -> EveningsPage:
        """Return at least `least` evenings, if there are as many, latest first."""
        games: list[GameInList] = []
        while True:
            part = await self._index.games(which, after, GAMES_AT_ONCE)
            games += part.games
            after = part.after
            if after is None or len(games) >= GAMES_MAX:
                break
            cut = _last_cut(games)
            if cut and len(evenings(_evening_games(games[:cut]))) >= least:
                break
        if after is not None:
            games = games[: _last_cut(games) or len(games)]
            after = GameCursor(games[-1].started_at, games[-1].game_id)
        latest = evenings(_evening_games(games))[::-1]
        ids = {player for evening in latest for player in evening.people}
        people, aside, _, _ = await self._index.people([*ids], which)
        return EveningsPage(evenings=tuple(latest), players=people, after=after, set_aside=aside)

    async def year(self, year: int, zone: tzinfo | None, player_id: UUID | None) -> YearReview:
        """Return a year of the club, or of one person, by the days of a zone.

        Raises: NotFound (the person, or no such year), TooManyGames
        """
        if not date.min.year < year < date.max.year:
            raise NotFound("year", None)
        which = GameFilter(
            player=player_id,
            started_from=day_bound(date(year, 1, 1), zone),
            started_before=day_bound(date(year, 12, 31), zone, ends=True),
        )
        number = await self._index.count(which, None, REVIEWED_MAX + 1)
        if number > REVIEWED_MAX:
            raise TooManyGames(number, REVIEWED_MAX)
        games = [game async for batch in self._index.every(which) for game in batch]
        reviewed = await asyncio.to_thread(review, _evening_games(games), zone)
        player_ids = [] if player_id is None else [player_id]
        known, *_ = await self._index.people(
            [*(person.player for person in reviewed.people), *player_ids], which
        )
        player = None
        if player_id is not None:
            (player,) = (await self._index.people([player_id], which))[0].values() or (None,)
            if player is None:
                raise NotFound("player", player_id)
        return YearReview(review=reviewed, player=player, players=known)

    async def evening(self, game_id: UUID) -> EveningsPage:
        """Return the evening of a game.

        `set_aside` also counts its games that are set aside.

        Raises: NotFound (no such game, or one set aside)
        """
        # The evening began at most its maximal duration before each of its games.
        before = await self._index.up_to(game_id, GAMES_AT_ONCE)
        began = before[_first_cut(before) - 1].started_at
        end = before[0].started_at + EVENINGS_READ * PAUSE_WITH_GAME
        which = GameFilter(
            started_from=Bound(began, began),
            started_before=Bound(end, end),
            set_aside="include",
        )
        around = await self._index.listing(which, None, GAMES_MAX)
        games = _evening_games(around.games)
        counted = _evening_of(game_id, [game for game in games if not game.set_aside])
        with_aside = _evening_of(game_id, games)
        if counted is None or with_aside is None:
            raise NotFound("evening", game_id)
        players = {who: around.players[who] for who in counted.people if who in around.players}
        aside = sum(game.set_aside for game in with_aside.games)
        return EveningsPage(evenings=(counted,), players=players, after=None, set_aside=aside)


def _evening_of(game_id: UUID, games: Sequence[EveningGame[UUID]]) -> Evening[UUID] | None:
    for evening in evenings(games):
        if any(played.game_id == game_id for played in evening.games):
            return evening
    return None


def _last_cut(games: Sequence[GameInList]) -> int:
    """Return how many games come before the last pause that is long enough to end an evening."""
    for at in range(len(games) - 1, 0, -1):
        if games[at - 1].started_at - games[at].started_at > PAUSE_WITH_GAME:
            return at
    return 0


def _first_cut(games: Sequence[GameInList]) -> int:
    """Return how many games come before the first pause that is long enough to end an evening."""
    for at in range(1, len(games)):
        if games[at - 1].started_at - games[at].started_at > PAUSE_WITH_GAME:
            return at
    return len(games)


def _evening_games(games: Sequence[GameInList]) -> list[EveningGame[UUID]]:
    """Return games, latest first, with what evenings are made of, oldest first."""
    return [convert(game, EveningGame[UUID], from_attributes=True) for game in reversed(games)]
