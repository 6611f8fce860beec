"""Recognition of games that are already stored, by id or by content."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from service.store.connection.pool import Pool, connection

_EXISTING = "SELECT game_id FROM carnet.game WHERE club_id = %s AND game_id = ANY (%s)"

_ALIKE = """
    SELECT w.number, g.game_id, g.started_at, g.set_aside
    FROM unnest(%s::text[], %s::int[], %s::text[], %s::timestamptz[], %s::timestamptz[])
        WITH ORDINALITY AS w (ruleset, version, totals, first, last, number)
    JOIN carnet.game g
      ON g.club_id = %s AND g.ruleset = w.ruleset AND g.version = w.version
     AND g.totals = w.totals::int[]
     AND g.started_at BETWEEN coalesce(w.first, '-infinity') AND coalesce(w.last, 'infinity')
    ORDER BY w.number, g.started_at, g.game_id
"""


class GameTraits(Struct, frozen=True, kw_only=True):
    """Searchable traits of a record. `version`: its last one.

    It began between `first` and `last`; None: at any time.
    """

    ruleset: str
    version: int
    totals: tuple[int, ...]
    first: datetime | None
    last: datetime | None


class SimilarGame(Struct, frozen=True, kw_only=True):
    """A candidate for the traits of this `number`, from 0."""

    number: int
    game_id: UUID
    started_at: datetime
    set_aside: bool


class KnownGames:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def existing(self, game_ids: Sequence[UUID]) -> set[UUID]:
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_EXISTING, [self._club_id, list(game_ids)], binary=True)
            return {row[0] async for row in rows}

    async def find_similar(self, traits: Sequence[GameTraits]) -> list[SimilarGame]:
        columns = [
            [game.ruleset for game in traits],
            [game.version for game in traits],
            [f"{{{','.join(map(str, game.totals))}}}" for game in traits],
            [game.first for game in traits],
            [game.last for game in traits],
        ]
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_ALIKE, [*columns, self._club_id], binary=True)
            return [
                SimilarGame(number=number - 1, game_id=game_id, started_at=started, set_aside=aside)
                async for number, game_id, started, aside in rows
            ]
