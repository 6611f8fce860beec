"""The positions of the feed, assigned by one sequencer at a time.

Promises: positions start at 1 and have no gaps; each entry of the log gets one after its commit,
which never changes; entries of a game are in the order of their versions. Assumes a pool of
autocommit sessions; the work is done in SQL (sql/schema/extend_feed.sql).
"""

import asyncio
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.types.numeric import Int4, Int8

from service.store.connection.pool import Pool, rows_as

POSITION_MAX = 2**63 - 1
_AGAIN_SECONDS = 0.02

_EXTEND = "SELECT head, added, oldest FROM carnet.extend_feed(%s)"

_PAGE = """
    SELECT f.position, f.game_id, f.version, e.type, e.schema_version, e.data, e.recorded_at,
           e.recorded_by, e.hash
    FROM carnet.feed f
    JOIN carnet.entry e
      ON e.club_id = f.club_id AND e.game_id = f.game_id AND e.version = f.version
    WHERE f.club_id = %s AND f.position > %s
    ORDER BY f.position LIMIT %s
"""


class FeedExtension(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The result of one call of the sequencer.

    `head`: the last position; `added`: number of new positions, None if another sequencer was at
    work; `oldest`: when the first of them was recorded.
    """

    head: int
    added: int | None
    oldest: datetime | None


class FeedEntryRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry with its position. `data`: the hashed bytes."""

    position: int
    game_id: UUID
    version: int
    type: str
    schema_version: int
    data: bytes
    recorded_at: datetime
    recorded_by: UUID | None
    hash: bytes


class Feed:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def extend(self) -> FeedExtension:
        """Assign positions to entries committed since the last call."""
        (extended,) = await rows_as(
            FeedExtension, self._pool, self._club_id, _EXTEND, [self._club_id], prepare=True
        )
        return extended

    async def complete(self) -> int:
        """Assign positions to all committed entries; return the last position."""
        while (extended := await self.extend()).added is None:  # noqa: ASYNC110 -- another process
            await asyncio.sleep(_AGAIN_SECONDS)
        return extended.head

    async def page(self, after: int, limit: int) -> list[FeedEntryRow]:
        return await rows_as(
            FeedEntryRow,
            self._pool,
            self._club_id,
            _PAGE,
            [self._club_id, Int8(after), Int4(limit)],
            prepare=True,
        )
