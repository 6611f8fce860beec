"""Restores the positions of an exported feed, so that its signed heads stay valid.

Promises: only into an empty feed and only completely: if a position or its entry is missing,
nothing is restored and the sequencer numbers the entries. Assumes the database's owner; on a Citus
cluster that no service runs meanwhile, or the entries are numbered anew.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from service.store.connection.pool import Connection

_REMEMBER = """
    INSERT INTO carnet.feed_given (club_id, game_id, position, version)
    SELECT %s, g.* FROM unnest(%s::uuid[], %s::bigint[], %s::integer[]) AS g
    ON CONFLICT DO NOTHING
"""

# An advisory lock that blocks every sequencer (sql/schema/extend_feed.sql).
_LOCK = "SELECT pg_advisory_lock(carnet.feed_key(%s))"
_RELEASE = "SELECT pg_advisory_unlock(carnet.feed_key(%s))"

_EMPTY = "SELECT NOT EXISTS (SELECT FROM carnet.feed WHERE club_id = %s)"

_IS_COMPLETE = """
    SELECT count(*) > 0 AND count(*) = max(g.position) AND count(e.hash) = count(*)
    FROM carnet.feed_given g
    LEFT JOIN carnet.entry e
      ON e.club_id = g.club_id AND e.game_id = g.game_id AND e.version = g.version
    WHERE g.club_id = %s
"""

_PLACE = """
    INSERT INTO carnet.feed (club_id, game_id, position, version, hash)
    SELECT g.club_id, g.game_id, g.position, g.version, e.hash
    FROM carnet.feed_given g
    JOIN carnet.entry e
      ON e.club_id = g.club_id AND e.game_id = g.game_id AND e.version = g.version
    WHERE g.club_id = %s ORDER BY g.position
"""

# No server's number: the sequencer scans everything once.
_MARK = """
    INSERT INTO carnet.feed_mark (club_id, position, seen, server)
    SELECT club_id, max(position), pg_current_snapshot(), 0 FROM carnet.feed
    WHERE club_id = %s GROUP BY club_id
    ON CONFLICT (club_id) DO UPDATE SET position = excluded.position, server = excluded.server
"""

# On a cluster, copied rows have the transaction number of another server.
_REQUEST_FULL_SCAN = "UPDATE carnet.feed_mark SET server = 0 WHERE club_id = %s"

_CLEAR = "DELETE FROM carnet.feed_given WHERE club_id = %s"


class FeedRestore:
    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self._conn = conn
        self._club_id = club_id

    @asynccontextmanager
    async def lock(self) -> AsyncGenerator[None]:
        """Block sequencers meanwhile, and have them scan everything afterwards."""
        await self._conn.execute(_LOCK, [self._club_id])
        try:
            yield
        finally:
            await self._conn.execute(_REQUEST_FULL_SCAN, [self._club_id])
            await self._conn.execute(_RELEASE, [self._club_id])

    async def set_positions(self, games: Mapping[UUID, Sequence[int]]) -> None:
        """Remember the positions of games' entries, version 1 first."""
        rows = [
            (game_id, position, version)
            for game_id, positions in games.items()
            for version, position in enumerate(positions, 1)
        ]
        if rows and await self._is_true(_EMPTY):
            columns = [list(column) for column in zip(*rows, strict=True)]
            await self._conn.execute(_REMEMBER, [self._club_id, *columns])

    async def place(self) -> bool:
        """Restore all positions or none; return whether they were restored."""
        async with self._conn.transaction():
            placed = await self._is_true(_EMPTY) and await self._is_true(_IS_COMPLETE)
            if placed:
                await self._conn.execute(_PLACE, [self._club_id])
                await self._conn.execute(_MARK, [self._club_id])
            await self._conn.execute(_CLEAR, [self._club_id])
        return placed

    async def _is_true(self, question: str) -> bool:
        rows = await self._conn.execute(question.encode(), [self._club_id])
        return await rows.fetchone() == (True,)
