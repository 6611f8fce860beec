"""Removal of expired rows of a club."""

from uuid import UUID

from service.store.connection.pool import Pool, connection

# A cookie lasts a year.
DAYS = 400

_REMOVE = "SELECT carnet.remove_ended(%s, %s)"


async def remove_ended(pool: Pool, club_id: UUID, days: int = DAYS) -> int:
    async with connection(pool, club_id) as conn:
        row = await (await conn.execute(_REMOVE, [club_id, days])).fetchone()
    return 0 if row is None else int(row[0])
