"""Several queries in one round trip."""

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed

from service.store.connection.club_session import club_setting
from service.store.connection.pool import Pool, connection

Row = dict[str, Any]


async def multi_query(pool: Pool, club_id: UUID, *queries: Composed) -> list[list[Row]]:
    """Run several queries of a club in one round trip."""
    async with (
        connection(pool, club_id) as conn,
        conn.cursor(row_factory=dict_row) as cursor,
    ):
        asked = list(queries)
        said, conn.club_per_transaction = conn.club_per_transaction, None
        if said is not None:
            asked.insert(0, club_setting(said))
        await cursor.execute(SQL("; ").join(asked), prepare=False)
        if said is not None:
            cursor.nextset()
        found = [await cursor.fetchall()]
        while cursor.nextset():
            found.append(await cursor.fetchall())
        return found
