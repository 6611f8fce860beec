"""The usage of a club."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row, scalar_row

from service.store.connection.pool import Pool, connection

_USAGE: LiteralString = """
    SELECT (SELECT count(*) FROM carnet.game WHERE club_id = %(club)s) AS games,
           (SELECT count(*) FROM carnet.player
            WHERE club_id = %(club)s AND name IS NOT NULL AND person_id IS NULL) AS people,
           (SELECT coalesce(max(position), 0) FROM carnet.feed WHERE club_id = %(club)s) AS entries,
           (SELECT coalesce(sum(octet_length(data)), 0)::bigint FROM carnet.entry
            WHERE club_id = %(club)s)
         + (SELECT coalesce(sum(octet_length(text)), 0)::bigint FROM carnet.free_text
            WHERE club_id = %(club)s) AS stored_bytes
"""

# Only games that changed since then are scanned.
_SINCE: LiteralString = """
    SELECT count(*)
    FROM carnet.game g
    JOIN carnet.entry e ON e.club_id = g.club_id AND e.game_id = g.game_id
    WHERE g.club_id = %s AND g.last_at >= %s AND e.recorded_at >= %s
"""


class Usage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The usage of a club. `people`: those with a name; `stored_bytes`: of entries and texts."""

    games: int
    people: int
    entries: int
    stored_bytes: int


async def usage(pool: Pool, club_id: UUID) -> Usage:
    async with (
        connection(pool, club_id) as conn,
        conn.cursor(binary=True, row_factory=class_row(Usage)) as cursor,
    ):
        await cursor.execute(_USAGE, {"club": club_id})
        (counted,) = await cursor.fetchall()
        return counted


async def entries_since(pool: Pool, club_id: UUID, since: datetime) -> int:
    """Count the entries that a club recorded from a moment on."""
    async with (
        connection(pool, club_id) as conn,
        conn.cursor(binary=True, row_factory=scalar_row) as cursor,
    ):
        await cursor.execute(_SINCE, [club_id, since, since])
        (counted,) = await cursor.fetchall()
        return int(counted)
