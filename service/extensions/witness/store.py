"""The stored Merkle tree and signed heads of a club's feed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from psycopg.types.numeric import Int4, Int8

from service.store.connection.pool import Pool, connection, rows_as

_SIZE = "SELECT coalesce(max(position), 0) FROM carnet.feed WHERE club_id = %s"

_LEAVES = """
    SELECT hash FROM carnet.feed
    WHERE club_id = %s AND position > %s AND position <= %s ORDER BY position
"""

_TILES = "SELECT hash FROM carnet.feed_tile WHERE club_id = %s AND tile >= %s ORDER BY tile"

_ADD_TILES = """
    INSERT INTO carnet.feed_tile (club_id, tile, hash)
    SELECT %s, %s + n - 1, hash FROM unnest(%s::bytea[]) WITH ORDINALITY AS tiles (hash, n)
    ON CONFLICT (club_id, tile) DO NOTHING
"""

_PLACE = """
    SELECT position, hash FROM carnet.feed WHERE club_id = %s AND game_id = %s AND version = %s
"""

_NEWEST = """
    SELECT size, note, signed_at FROM carnet.head
    WHERE club_id = %s ORDER BY size DESC, signed_at DESC LIMIT 1
"""

_OF_SIZE = """
    SELECT size, note, signed_at FROM carnet.head
    WHERE club_id = %s AND size = %s ORDER BY signed_at DESC
"""

_HEADS = """
    SELECT size, note, signed_at FROM carnet.head
    WHERE club_id = %s ORDER BY size, signed_at
"""

_ADD_HEAD = "INSERT INTO carnet.head (club_id, size, note) VALUES (%s, %s, %s)"

_KEYS = "SELECT vkey FROM carnet.head_key WHERE club_id = %s ORDER BY made_at DESC, vkey"

_ADD_KEYS = """
    INSERT INTO carnet.head_key (club_id, vkey) SELECT %s, unnest(%s::text[])
    ON CONFLICT (club_id, vkey) DO NOTHING
"""


class StoredHead(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A signed head: the note over the first `size` entries."""

    size: int
    note: str
    signed_at: datetime


class HeadStore:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def size(self) -> int:
        ((size,),) = await self._rows(_SIZE)
        return int(size)

    async def leaves(self, after: int, until: int) -> list[bytes]:
        """Read the hashes of the entries at the positions `after` + 1 to `until`."""
        return [row[0] for row in await self._rows(_LEAVES, Int8(after), Int8(until))]

    async def tiles(self, since: int) -> list[bytes]:
        """Read the roots of full tiles, from number `since` on."""
        return [row[0] for row in await self._rows(_TILES, Int8(since))]

    async def add_tiles(self, first: int, roots: Sequence[bytes]) -> None:
        await self._do(_ADD_TILES, Int8(first), list(roots))

    async def place(self, game_id: UUID, version: int) -> tuple[int, bytes] | None:
        """Return an entry's position in the feed and its hash; None: not yet in the feed."""
        rows = await self._rows(_PLACE, game_id, Int4(version))
        return (rows[0][0], rows[0][1]) if rows else None

    async def newest(self) -> StoredHead | None:
        """Return the head of the largest size, the one signed last."""
        heads = await self._heads(_NEWEST)
        return heads[0] if heads else None

    async def of_size(self, size: int) -> list[StoredHead]:
        """Return the heads of a size, the one signed last first."""
        return await self._heads(_OF_SIZE, Int8(size))

    async def heads(self) -> list[StoredHead]:
        return await self._heads(_HEADS)

    async def keys(self) -> list[str]:
        """Return the vkeys of all keys that signed heads, the newest first."""
        return [row[0] for row in await self._rows(_KEYS)]

    async def add_head(self, size: int, note: str, vkeys: Sequence[str]) -> None:
        await self._do(_ADD_KEYS, list(vkeys))
        await self._do(_ADD_HEAD, Int8(size), note)

    async def _heads(self, query: str, *parameters: object) -> list[StoredHead]:
        return await rows_as(
            StoredHead,
            self._pool,
            self._club_id,
            query.encode(),
            [self._club_id, *parameters],
            binary=False,
        )

    async def _rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True) as cursor,
        ):
            await cursor.execute(query.encode(), [self._club_id, *parameters])
            return await cursor.fetchall()

    async def _do(self, query: str, *parameters: object) -> None:
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(query.encode(), [self._club_id, *parameters])
