"""People: the one place their names are."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from psycopg.rows import class_row

from service.errors import NotFound
from service.store.club.quota import Quota
from service.store.connection.pool import Pool, connection
from service.store.records import Player

_CREATE = """
    INSERT INTO carnet.player (club_id, player_id, name) VALUES (%s, %s, %s)
    RETURNING player_id, name, created_at
"""

_RENAME = """
    UPDATE carnet.player SET name = %s
    WHERE club_id = %s AND player_id = %s AND name IS NOT NULL
    RETURNING player_id, name, created_at
"""

_FORGET = """
    UPDATE carnet.player SET name = NULL WHERE club_id = %s AND player_id = %s
    RETURNING player_id, name, created_at
"""

_ALL = """
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = %s ORDER BY created_at, player_id
"""

_MANY = """
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = %s AND player_id = ANY(%s)
"""


class Players:
    """The people of one club. `quota`: how many there may be."""

    def __init__(self, pool: Pool, club_id: UUID, quota: Quota | None = None) -> None:
        self._pool = pool
        self._club_id = club_id
        self._quota = quota

    async def create(self, player_id: UUID, name: str) -> Player:
        """Add somebody, under an id that is new.

        Raises: StoreUnavailable, QuotaReached
        """
        if self._quota is None or not self._quota.limited:
            return await self._created(player_id, name)
        async with self._quota.room(people=1):
            return await self._created(player_id, name)

    async def all(self) -> list[Player]:
        """List everybody, the forgotten included, in the order they were added."""
        return await self._rows(_ALL, self._club_id)

    async def many(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        """Read these people; who is not known is left out."""
        rows = await self._rows(_MANY, self._club_id, list(player_ids))
        return {player.player_id: player for player in rows}

    async def rename(self, player_id: UUID, name: str) -> Player:
        """Change a name, everywhere it is read.

        Raises: NotFound (nobody there, or somebody who was forgotten), StoreUnavailable
        """
        return await self._changed(player_id, _RENAME, name, self._club_id, player_id)

    async def forget(self, player_id: UUID) -> Player:
        """Remove a name for good; the games stay.

        Raises: NotFound, StoreUnavailable
        """
        return await self._changed(player_id, _FORGET, self._club_id, player_id)

    async def _created(self, player_id: UUID, name: str) -> Player:
        (player,) = await self._rows(_CREATE, self._club_id, player_id, name)
        return player

    async def _changed(self, player_id: UUID, query: LiteralString, *parameters: object) -> Player:
        changed = await self._rows(query, *parameters)
        if not changed:
            raise NotFound("player", player_id)
        return changed[0]

    async def _rows(self, query: LiteralString, *parameters: object) -> list[Player]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(Player)) as cursor,
        ):
            await cursor.execute(query, parameters)
            return await cursor.fetchall()
