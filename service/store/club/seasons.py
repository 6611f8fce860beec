"""Seasons: named periods of days."""

from uuid import UUID

from service.errors import NotFound
from service.store.connection.pool import Pool, connection, rows_as
from service.store.read_models.descriptions import SEASONS
from service.store.records import Season

_WRITE = """
    INSERT INTO carnet.season (club_id, season_id, name, first_day, last_day)
    VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (club_id, season_id) DO UPDATE
    SET name = excluded.name, first_day = excluded.first_day, last_day = excluded.last_day
"""

_REMOVE = "DELETE FROM carnet.season WHERE club_id = %s AND season_id = %s"


class Seasons:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def all(self) -> list[Season]:
        return await rows_as(
            Season, self._pool, self._club_id, SEASONS.format(club=self._club_id), binary=False
        )

    async def get(self, season_id: UUID) -> Season:
        for season in await self.all():
            if season.season_id == season_id:
                return season
        raise NotFound("season", season_id)

    async def write(self, season: Season) -> None:
        row = [self._club_id, season.season_id, season.name, season.first_day, season.last_day]
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_WRITE, row)

    async def remove(self, season_id: UUID) -> None:
        async with connection(self._pool, self._club_id) as conn:
            if (await conn.execute(_REMOVE, [self._club_id, season_id])).rowcount == 0:
                raise NotFound("season", season_id)
