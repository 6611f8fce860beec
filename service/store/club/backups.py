"""Records of backups: time, target and number of games."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from service.store.connection.pool import Pool, connection, rows_as

BackupDestination = Literal["download", "folder"]

_NOTE = "INSERT INTO carnet.backup (club_id, place, games) VALUES (%s, %s, %s)"
_LAST = """
    SELECT made_at, place, games FROM carnet.backup
    WHERE club_id = %s ORDER BY made_at DESC LIMIT 1
"""


class BackupMade(Struct, frozen=True, kw_only=True):
    made_at: datetime
    place: BackupDestination
    games: int


class BackupsMade:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def note(self, place: BackupDestination, games: int) -> None:
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_NOTE, [self._club_id, place, games])

    async def last(self) -> BackupMade | None:
        rows = await rows_as(
            BackupMade, self._pool, self._club_id, _LAST, [self._club_id], binary=False
        )
        return rows[0] if rows else None
