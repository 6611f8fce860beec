"""The key of the club's owner."""

from uuid import UUID

from service.store.connection.pool import Pool, connection

_CLAIM = """
    INSERT INTO carnet.owner_key (club_id, key_hash) VALUES (%s, %s)
    ON CONFLICT (club_id) DO NOTHING
"""

_REPLACE = """
    INSERT INTO carnet.owner_key (club_id, key_hash) VALUES (%s, %s)
    ON CONFLICT (club_id) DO UPDATE SET key_hash = excluded.key_hash, set_at = excluded.set_at
"""


class OwnerKey:
    """The owner's key of one club."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def claim(self, key_hash: bytes) -> bool:
        """Store the first key; say whether it is the one that counts. `key_hash`: 32 bytes."""
        async with connection(self._pool, self._club_id) as conn:
            done = await conn.execute(_CLAIM, [self._club_id, key_hash])
            return done.rowcount == 1

    async def replace(self, key_hash: bytes) -> None:
        """Make another key the one that counts."""
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_REPLACE, [self._club_id, key_hash])

    async def stored_hash(self) -> bytes | None:
        """Read the hash of the key that counts; None before the first start."""
        query = "SELECT key_hash FROM carnet.owner_key WHERE club_id = %s"
        async with connection(self._pool, self._club_id) as conn:
            row = await (await conn.execute(query, [self._club_id], binary=True)).fetchone()
        return None if row is None else bytes(row[0])
