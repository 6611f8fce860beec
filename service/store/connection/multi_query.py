"""Several queries in one round trip."""

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed

from service.store.connection.club_session import set_club_statement
from service.store.connection.pool import Pool, connection

Row = dict[str, Any]


async def multi_query(pool: Pool, club_id: UUID, *queries: Composed) -> list[list[Row]]:
    """Run several queries of a club in one round trip."""
    async with (
        connection(pool, club_id) as conn,
        conn.cursor(row_factory=dict_row) as cursor,
    ):
        statements = list(queries)
        transaction_club, conn.club_per_transaction = conn.club_per_transaction, None
        if transaction_club is not None:
            statements.insert(0, set_club_statement(transaction_club))
        await cursor.execute(SQL("; ").join(statements), prepare=False)
        if transaction_club is not None:
            cursor.nextset()
        results = [await cursor.fetchall()]
        while cursor.nextset():
            results.append(await cursor.fetchall())
        return results
