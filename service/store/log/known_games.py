"""Recognition of games that are already stored, by id or by content.

Promises: one query for any number of games; a search by content returns every candidate, and the
caller compares hashes.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from service.store.connection.pool import Pool, connection

_HELD = "SELECT game_id FROM carnet.game WHERE club_id = %s AND game_id = ANY (%s)"

_ALIKE = """
    SELECT w.number, g.game_id, g.started_at, g.set_aside
    FROM unnest(%s::text[], %s::int[], %s::text[], %s::timestamptz[])
        WITH ORDINALITY AS w (ruleset, version, totals, started_at, number)
    JOIN carnet.game g
      ON g.club_id = %s AND g.ruleset = w.ruleset AND g.version = w.version
     AND g.totals = w.totals::int[] AND g.started_at = coalesce(w.started_at, g.started_at)
    ORDER BY w.number, g.started_at, g.game_id
"""


class GameTraits(Struct, frozen=True, kw_only=True):
    """Searchable traits of a record. `version`: its last one; `started_at` None: any."""

    ruleset: str
    version: int
    totals: tuple[int, ...]
    started_at: datetime | None


class LikeGame(Struct, frozen=True, kw_only=True):
    """A candidate for the traits of this `number`, from 0."""

    number: int
    game_id: UUID
    started_at: datetime
    set_aside: bool


class KnownGames:
    """The games of one club."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def held(self, game_ids: Sequence[UUID]) -> set[UUID]:
        """Return those of these games that are stored."""
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_HELD, [self._club_id, list(game_ids)], binary=True)
            return {row[0] async for row in rows}

    async def alike(self, asked: Sequence[GameTraits]) -> list[LikeGame]:
        """Return the candidates for each of the given traits."""
        columns = [
            [one.ruleset for one in asked],
            [one.version for one in asked],
            [f"{{{','.join(map(str, one.totals))}}}" for one in asked],
            [one.started_at for one in asked],
        ]
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_ALIKE, [*columns, self._club_id], binary=True)
            return [
                LikeGame(number=number - 1, game_id=game_id, started_at=started, set_aside=aside)
                async for number, game_id, started, aside in rows
            ]
