"""Stored checkpoints of standings, so that a new process does not fold all games."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct, json, structs
from psycopg.rows import class_row
from psycopg.sql import SQL

from service.store.connection.pool import Connection, Pool, connection
from service.store.read_models.listing import GameCursor, GameFilter

# The maximal number of periods with checkpoints.
FILTERS_MAX = 8

# Snapshots are valid only on the server that took them.
_SERVER = "SELECT carnet.server_of_club(%s)"

_NEWEST = """
    SELECT games, started_at, game_id, seen, state
    FROM carnet.newest_standings(%s, %s, %s, %s)
"""

_LOCK = SQL("SELECT pg_advisory_xact_lock(hashtextextended({fold}, 0))")

_STORED_SIZES = SQL("""
    SELECT games FROM carnet.standings_kept
    WHERE club_id = {club} AND fold = {fold} AND games <= {valid_up_to}
""")

_DELETE_THINNED = SQL("""
    DELETE FROM carnet.standings_kept
    WHERE club_id = {club} AND fold = {fold} AND NOT games = ANY ({games})
""")

_SAVE = SQL("""
    INSERT INTO carnet.standings_kept (club_id, fold, games, started_at, game_id, seen, state)
    VALUES ({club}, {fold}, {games}, {started_at}, {game_id}, {seen}::pg_snapshot, {state})
    ON CONFLICT (club_id, fold, games) DO UPDATE
    SET started_at = excluded.started_at, game_id = excluded.game_id, seen = excluded.seen,
        state = excluded.state, saved_at = excluded.saved_at
""")

_DELETE_SURPLUS = SQL("""
    DELETE FROM carnet.standings_kept
    WHERE club_id = {club} AND fold NOT IN (
        SELECT k.fold FROM carnet.standings_kept k WHERE k.club_id = {club}
        GROUP BY k.fold ORDER BY max(k.saved_at) DESC LIMIT {most}
    )
""")

_CLEAR = "DELETE FROM carnet.standings_kept WHERE club_id = %s"


class StoredCheckpoint(Struct, frozen=True, kw_only=True):
    """A checkpoint after the first `games` games, with the snapshot that it saw."""

    games: int
    started_at: datetime
    game_id: UUID
    seen: str
    state: bytes

    @property
    def place(self) -> GameCursor:
        return GameCursor(self.started_at, self.game_id)


class StoredCheckpoints:
    """The checkpoints of one club; `version`: of the folding code."""

    def __init__(self, pool: Pool, club_id: UUID, version: int) -> None:
        self._pool = pool
        self._club_id = club_id
        self._version = version

    async def newest(self, which: GameFilter) -> StoredCheckpoint | None:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(StoredCheckpoint)) as cursor,
        ):
            fold = await self._filter_key(conn, which)
            facts = [self._club_id, fold, which.earliest, which.latest]
            await cursor.execute(_NEWEST, facts)
            return await cursor.fetchone()

    async def save(
        self,
        which: GameFilter,
        states: Sequence[StoredCheckpoint],
        valid_up_to: int,
        thin_out: Callable[[Sequence[int]], Collection[int]],
    ) -> None:
        """Store checkpoints, and thin out those of up to `valid_up_to` games."""
        async with connection(self._pool, self._club_id) as conn:
            names = {"club": self._club_id, "fold": await self._filter_key(conn, which)}
            async with conn.transaction():
                await conn.execute(_LOCK.format(**names))
                rows = await conn.execute(_STORED_SIZES.format(**names, valid_up_to=valid_up_to))
                held = {row[0] async for row in rows} | {state.games for state in states}
                games = [*thin_out(sorted(held))]
                await conn.execute(_DELETE_THINNED.format(**names, games=games))
                for state in states:
                    if state.games in games:
                        await conn.execute(_SAVE.format(**names, **structs.asdict(state)))
                await conn.execute(_DELETE_SURPLUS.format(**names, most=FILTERS_MAX))

    async def clear(self) -> None:
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_CLEAR, [self._club_id])

    async def _filter_key(self, conn: Connection, which: GameFilter) -> str:
        ((server,),) = await (await conn.execute(_SERVER, [self._club_id])).fetchall()
        return f"{self._version} {json.encode(which).decode()} {server}"
