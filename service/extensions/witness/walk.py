"""A club's feed in one snapshot, with the stored hash of each entry, for verification."""

from collections.abc import AsyncIterator
from uuid import UUID

from msgspec import Struct

from service.store.connection.pool import Connection

_ROWS = 5_000

_PLACES = """
    SELECT f.position, f.game_id, f.version, f.hash, e.hash
    FROM carnet.feed f
    LEFT JOIN carnet.entry e
      ON e.club_id = f.club_id AND e.game_id = f.game_id AND e.version = f.version
    WHERE f.club_id = %s ORDER BY f.position
"""

# What was committed before the feed was last extended, and is not in it: a row was removed.
_UNFED = """
    SELECT e.game_id, e.version FROM carnet.entry e
    JOIN carnet.feed_mark m ON m.club_id = e.club_id
    WHERE e.club_id = %s AND e.xid < pg_snapshot_xmin(m.seen)
      AND m.server = (SELECT c.system_identifier FROM pg_control_system() c)
      AND NOT EXISTS (
          SELECT FROM carnet.feed f
          WHERE f.club_id = e.club_id AND f.game_id = e.game_id AND f.version = e.version
      )
    ORDER BY e.game_id, e.version LIMIT 20
"""

_NOTES = "SELECT note FROM carnet.head WHERE club_id = %s ORDER BY size, signed_at"
_KEYS = "SELECT vkey FROM carnet.head_key WHERE club_id = %s ORDER BY made_at"
_TILES = "SELECT hash FROM carnet.feed_tile WHERE club_id = %s ORDER BY tile"


class FeedPlace(Struct, frozen=True):
    """A position of the feed: the hash in the feed (`fed`) and in the log (`stored`, if any)."""

    position: int
    game_id: UUID
    version: int
    fed: bytes
    stored: bytes | None


class FeedWalk:
    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self._conn = conn
        self._club_id = club_id
        self.origin = f"carnet/{club_id}"

    async def unfed(self) -> AsyncIterator[tuple[UUID, int]]:
        """Stream entries that were in the feed and are not any more, 20 at most."""
        async for game_id, version in await self._conn.execute(_UNFED, [self._club_id]):
            yield game_id, version

    async def places(self) -> AsyncIterator[FeedPlace]:
        """Stream the positions in order."""
        async with self._conn.cursor("places") as cursor:
            await cursor.execute(_PLACES, [self._club_id], binary=True)
            while rows := await cursor.fetchmany(_ROWS):
                for row in rows:
                    yield FeedPlace(*row)

    async def notes(self) -> list[str]:
        """Return the signed heads."""
        rows = await self._conn.execute(_NOTES, [self._club_id])
        return [row[0] async for row in rows]

    async def keys(self) -> list[str]:
        rows = await self._conn.execute(_KEYS, [self._club_id])
        return [row[0] async for row in rows]

    async def tiles(self) -> list[bytes]:
        rows = await self._conn.execute(_TILES, [self._club_id], binary=True)
        return [row[0] async for row in rows]
