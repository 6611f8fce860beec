"""The clubs of an installation."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row

from service.store.connection.pool import Pool, connection
from service.store.records import DEFAULT_CLUB

_COLUMNS = """
    club_id, is_first, name, made_at, suspended_at,
    games_max, entries_a_day_max, people_max, bytes_max
"""
_FIND: LiteralString = f"SELECT {_COLUMNS} FROM carnet.club WHERE club_id = %s"  # noqa: S608 -- its own parts
_ALL: LiteralString = f"""
    SELECT {_COLUMNS} FROM carnet.club ORDER BY NOT is_first, made_at, club_id
"""  # noqa: S608 -- its own parts


class ClubRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A club. Limits: games, entries per day (UTC), people, bytes of entries; None: unlimited."""

    club_id: UUID
    is_first: bool = False
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
        async with (
            connection(self._pool, None) as conn,
            conn.cursor(binary=True, row_factory=class_row(ClubRow)) as cursor,
        ):
            await cursor.execute(query, parameters)
            return await cursor.fetchall()
