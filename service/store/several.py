"""Several questions in one round trip.

Promises: answers in the order of the questions, of one transaction; who is interrupted leaves
nothing behind on the connection. Values stand in the queries, quoted by psycopg: PostgreSQL takes
several statements at once only without parameters (Simple Query).
"""

from typing import Any

from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed

from service.store.pool import Pool, connection

Row = dict[str, Any]


async def several(pool: Pool, *queries: Composed) -> list[list[Row]]:
    """Ask all of these, and wait once.

    Raises: StoreUnavailable
    """
    async with (
        connection(pool) as conn,
        conn.cursor(row_factory=dict_row) as cursor,
    ):
        await cursor.execute(SQL("; ").join(queries), prepare=False)
        found = [await cursor.fetchall()]
        while cursor.nextset():
            found.append(await cursor.fetchall())
        return found
