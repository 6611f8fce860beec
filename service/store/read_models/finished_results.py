"""Results of finished games in order, for incremental standings."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Raw, Struct
from psycopg.rows import class_row
from psycopg.sql import SQL

from schemas.record import Times
from service.store.connection.pool import Pool, connection
from service.store.read_models.listing import GameCursor, GameFilter, games_conditions, games_source
from service.store.records import Status

# PostgreSQL encodes the JSON while this process applies the previous part.
_RESULTS = SQL("""
    SELECT coalesce(json_agg(json_build_array(
        g.game_id, g.ruleset, g.started_at, g.times, g.status, g.deals + g.deals_before, g.seats,
        g.players, g.totals, g.places, g.took_part,
        CASE WHEN g.ruleset = ANY ({teams}) THEN g.options END,
        CASE WHEN g.ruleset = ANY ({counted}) AND g.status = 'finished' THEN (
            SELECT json_agg(s.detail ORDER BY s.deal) FROM carnet.deal_score s
            WHERE s.club_id = {club} AND s.game_id = g.game_id
        ) END,
        g.title_id, g.last_at,
        CASE WHEN g.ruleset = ANY ({counted}) AND g.continues IS NOT NULL THEN (
            WITH RECURSIVE part AS (
                SELECT g.continues AS game_id
                UNION ALL
                SELECT b.continues FROM part p
                JOIN carnet.game b ON b.club_id = {club} AND b.game_id = p.game_id
                WHERE b.continues IS NOT NULL
            )
            SELECT json_agg(json_build_array(b.players, s.detail))
            FROM part p
            JOIN carnet.game b ON b.club_id = {club} AND b.game_id = p.game_id
            JOIN carnet.deal_score s ON s.club_id = {club} AND s.game_id = p.game_id
        ) END
    ) ORDER BY g.started_at, g.game_id), '[]')::text
    FROM (
        SELECT g.* FROM {source} WHERE {conditions}
        ORDER BY g.started_at, g.game_id LIMIT {limit}
    ) g
""")

_NUMBER = SQL("""
    SELECT count(*) FROM (SELECT FROM {source} WHERE {conditions} LIMIT {most}) part
""")

_CHANGES = "SELECT seen, started_at, game_id, lost FROM carnet.results_changed(%s, %s, %s, %s)"

_NONE = Raw(b"null")  # a field that may be Raw or None reads nothing but null


class FinishedGame(Struct, frozen=True, array_like=True):
    """A game as standings need it.

    `options` and `details` are null unless the ruleset's teams or counted columns need them.
    `earlier`: the details of deals of the games from which it goes on, with their players by seat.
    """

    game_id: UUID
    ruleset: str
    started_at: datetime
    times: Times
    status: Status
    deals: int
    seats: int
    players: tuple[UUID, ...]
    totals: tuple[int, ...]
    places: tuple[int | None, ...]
    took_part: tuple[bool, ...]
    options: Raw = _NONE
    details: tuple[Raw, ...] | None = None
    title_id: UUID | None = None
    last_at: datetime | None = None
    earlier: tuple[tuple[tuple[UUID, ...], Raw], ...] | None = None

    @property
    def title(self) -> str:
        """The id of the title, or the ruleset, which is its own title."""
        return self.ruleset if self.title_id is None else str(self.title_id)


class ChangesFound(Struct, frozen=True, kw_only=True):
    """The snapshot `seen`, and the first game that changed since the earlier one, if any.

    `lost`: an older database replaced this one, so no earlier snapshot is valid.
    """

    seen: str
    started_at: datetime | None
    game_id: UUID | None
    lost: bool

    @property
    def first(self) -> GameCursor | None:
        """The place of the first game that changed."""
        if self.started_at is None or self.game_id is None:
            return None
        return GameCursor(self.started_at, self.game_id)


class FinishedResults:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def part(
        self,
        which: GameFilter,
        after: GameCursor | None,
        limit: int,
        *,
        teams: Sequence[str],
        counted: Sequence[str],
    ) -> bytes:
        """Read up to `limit` matching games after a position, as JSON of `FinishedGame`s.

        `teams`, `counted`: the rulesets whose options and details are read.
        """
        query = _RESULTS.format(
            teams=list(teams),
            counted=list(counted),
            club=self._club_id,
            source=games_source(which),
            conditions=games_conditions(self._club_id, which, after),
            limit=limit,
        )
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True) as cursor,
        ):
            await cursor.execute(query)
            ((rows,),) = await cursor.fetchall()
        return str(rows).encode()

    async def number(self, which: GameFilter, after: GameCursor | None, most: int) -> int:
        """Count the matching games after a position, up to `most`."""
        query = _NUMBER.format(
            source=games_source(which),
            conditions=games_conditions(self._club_id, which, after),
            most=most,
        )
        async with connection(self._pool, self._club_id) as conn:
            ((number,),) = await (await conn.execute(query)).fetchall()
        return int(number)

    async def now(self) -> str:
        return (await self._find_changes(GameFilter(), None)).seen

    async def find_changes(self, which: GameFilter, seen: str) -> ChangesFound:
        """Find the first game of a period that changed since a snapshot."""
        return await self._find_changes(which, seen)

    async def _find_changes(self, which: GameFilter, seen: str | None) -> ChangesFound:
        facts = [self._club_id, seen, which.earliest, which.latest]
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(row_factory=class_row(ChangesFound)) as cursor,
        ):
            await cursor.execute(_CHANGES, facts)
            (changes,) = await cursor.fetchall()
        return changes
