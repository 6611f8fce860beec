"""The clubs of an installation: their rows, what each uses, and rows that ended long ago."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct
from psycopg.rows import scalar_row

from service.store.connection.pool import Pool, connection, rows_as
from service.store.records import DEFAULT_CLUB

_COLUMNS = """
    club_id, is_first, sample_of, name, made_at, suspended_at,
    games_max, entries_a_day_max, people_max, bytes_max
"""
_FIND: LiteralString = f"SELECT {_COLUMNS} FROM carnet.club WHERE club_id = %s"  # noqa: S608 -- constant parts
_ALL: LiteralString = f"""
    SELECT {_COLUMNS} FROM carnet.club ORDER BY NOT is_first, made_at, club_id
"""  # noqa: S608 -- constant parts


class ClubRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A club. Limits: games, entries per day (UTC), people, bytes of entries; None: unlimited.

    `sample_of`: the club whose sample games these are.
    """

    club_id: UUID
    is_first: bool = False
    sample_of: UUID | None = None
    name: str = ""
    made_at: datetime | None = None
    suspended_at: datetime | None = None
    games_max: int | None = None
    entries_a_day_max: int | None = None
    people_max: int | None = None
    bytes_max: int | None = None

    @property
    def limited(self) -> bool:
        limits = (self.games_max, self.entries_a_day_max, self.people_max, self.bytes_max)
        return any(limit is not None for limit in limits)


class ClubRows:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def all(self) -> list[ClubRow]:
        rows = await self._rows(_ALL)
        if rows and rows[0].is_first:
            return rows
        return [ClubRow(club_id=DEFAULT_CLUB, is_first=True), *rows]

    async def first(self) -> ClubRow:
        return (await self.all())[0]

    async def find(self, club_id: UUID) -> ClubRow | None:
        rows = await self._rows(_FIND, club_id)
        return rows[0] if rows else None

    async def _rows(self, query: LiteralString, *parameters: object) -> list[ClubRow]:
        return await rows_as(ClubRow, self._pool, None, query, parameters)


_USAGE: LiteralString = """
    SELECT (SELECT count(*) FROM carnet.game
            WHERE club_id = %(club)s AND NOT continued AND NOT detached) AS games,
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
    (counted,) = await rows_as(Usage, pool, club_id, _USAGE, {"club": club_id})
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


# A cookie lasts a year.
DAYS = 400

_REMOVE = "SELECT carnet.remove_ended(%s, %s)"


async def remove_ended(pool: Pool, club_id: UUID, days: int = DAYS) -> int:
    """Remove sessions unused for `days` and invitations expired since then; return how many."""
    async with connection(pool, club_id) as conn:
        row = await (await conn.execute(_REMOVE, [club_id, days])).fetchone()
    return 0 if row is None else int(row[0])
