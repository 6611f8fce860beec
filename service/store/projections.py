"""What people read of the games: the list, and the points of every deal.

Promises: a row is as new as the last entry, because both are written in one transaction; a list's
order never moves (start, then id), so that its pages neither repeat nor skip a game while games are
started and played. Assumes nothing of what a ruleset puts into `options` and `detail`.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import DecodeError, Raw, Struct, json
from psycopg import Error
from psycopg.rows import dict_row
from psycopg.sql import SQL, Composable
from psycopg.types.numeric import Int4

from service.errors import MalformedCursor, NotFound
from service.store.pool import Pool, connection
from service.store.records import DealScore, Game, GameSummary, Status, StoredDealScore
from service.store.sqlstates import translated

_GAMES = SQL("""
    SELECT game_id, ruleset, options::text AS options, seats, players, status, version, deals,
           totals, started_at, last_at
    FROM carnet.game AS g
    WHERE {conditions}
    ORDER BY started_at DESC, game_id DESC
    LIMIT {limit}
""")

_PLAYED = SQL("""
    EXISTS (SELECT FROM carnet.seat AS s
            WHERE s.club_id = g.club_id AND s.game_id = g.game_id AND s.player_id = {player})
""")

_DEAL_SCORES = """
    SELECT game_id, deal, version, points, detail::text AS detail, at
    FROM carnet.deal_score
    WHERE club_id = %s AND game_id = ANY(%s)
    ORDER BY game_id, deal
"""


class GameFilter(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which games to list: those that fit every field that is set.

    `started_from` is included, `started_before` is not; both with a time zone.
    """

    player: UUID | None = None
    ruleset: str | None = None
    status: Status | None = None
    started_from: datetime | None = None
    started_before: datetime | None = None


class GameCursor(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A place in the list of games: after this one."""

    started_at: datetime
    game_id: UUID

    def text(self) -> str:
        """Write the cursor in characters that need no quoting in an address."""
        return urlsafe_b64encode(json.encode(self)).decode().rstrip("=")

    @classmethod
    def parse(cls, text: str) -> "GameCursor":
        """Read what `text` wrote.

        Raises: MalformedCursor
        """
        try:
            padded = text.encode("ascii") + b"=" * (-len(text) % 4)
            return json.decode(urlsafe_b64decode(padded), type=cls)
        except (ValueError, DecodeError):
            raise MalformedCursor(text) from None


class GamePage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of the list. `after`: where the next page begins, None on the last one."""

    games: tuple[Game, ...]
    after: GameCursor | None


class GameIndex:
    """The games of one club, as last projected."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def game(self, game_id: UUID) -> Game:
        """Read one game.

        Raises: NotFound, StoreUnavailable
        """
        found = await self._games([SQL("game_id = {}").format(game_id)], 1)
        if not found:
            raise NotFound("game", game_id)
        return found[0]

    async def games(
        self, which: GameFilter, after: GameCursor | None = None, limit: int = 50
    ) -> GamePage:
        """List games, the newest start first.

        Raises: StoreUnavailable
        """
        conditions = list(_conditions(which))
        if after is not None:
            place = SQL("(started_at, game_id) < ({}, {})")
            conditions.append(place.format(after.started_at, after.game_id))
        # One more than asked for tells whether another page follows.
        found = await self._games(conditions, limit + 1)
        page = found[:limit]
        more = len(found) > limit
        return GamePage(
            games=page, after=GameCursor(page[-1].started_at, page[-1].game_id) if more else None
        )

    async def deal_scores(self, *game_ids: UUID) -> list[StoredDealScore]:
        """Read the scores of these games' ended deals, by game, then by deal.

        Raises: StoreUnavailable
        """
        async with (
            connection(self._pool) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await cursor.execute(_DEAL_SCORES, [self._club_id, list(game_ids)], prepare=True)
            return [_deal_score(row) async for row in cursor]

    async def project(
        self, game_id: UUID, version: int, summary: GameSummary, deals: Sequence[DealScore]
    ) -> None:
        """Write a game's rows anew, as folded from its entries up to `version`.

        `summary.start` is needed; its players are not read, and times come from the log.

        Raises: VersionConflict (the game has gone on: fold again), NotFound, StoreUnavailable
        """
        parameters = [
            self._club_id,
            game_id,
            Int4(version),
            json.encode(summary).decode(),
            json.encode(deals).decode(),
        ]
        query = "SELECT carnet.project_game(%s, %s, %s, %s::jsonb, %s::jsonb)"
        try:
            async with connection(self._pool) as conn:
                await conn.execute(query, parameters)
        except Error as error:
            raise translated(error, game_id, version) from error

    async def _games(self, conditions: Iterable[Composable], limit: int) -> tuple[Game, ...]:
        club = SQL("club_id = {}").format(self._club_id)
        query = _GAMES.format(conditions=SQL(" AND ").join([club, *conditions]), limit=limit)
        async with (
            connection(self._pool) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await cursor.execute(query)
            return tuple([_game(row) async for row in cursor])


def _conditions(which: GameFilter) -> Iterable[Composable]:
    if which.player is not None:
        yield _PLAYED.format(player=which.player)
    if which.ruleset is not None:
        yield SQL("ruleset = {}").format(which.ruleset)
    if which.status is not None:
        yield SQL("status = {}").format(which.status)
    if which.started_from is not None:
        yield SQL("started_at >= {}").format(which.started_from)
    if which.started_before is not None:
        yield SQL("started_at < {}").format(which.started_before)


def _game(row: dict[str, Any]) -> Game:
    row["options"] = Raw(row["options"])
    row["players"] = tuple(row["players"])
    row["totals"] = tuple(row["totals"])
    return Game(**row)


def _deal_score(row: dict[str, Any]) -> StoredDealScore:
    row["points"] = tuple(row["points"])
    row["detail"] = Raw(row["detail"])
    return StoredDealScore(**row)
