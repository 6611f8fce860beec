"""Distributes the tables over the nodes of a Citus cluster, by club."""

from collections.abc import AsyncIterator
from typing import LiteralString

import structlog
from msgspec import Struct
from psycopg import Error
from psycopg.sql import SQL, Identifier

from service.errors import StartupError
from service.store.connection.pool import Connection, owner_session

SERVICE_ROLE = "carnet_service"

# Distributed first, because other tables reference it.
_FIRST_TABLE = "player"
_CLUB = "club_id"
# The distribution argument of functions.
_OF_CLUB = "p_club_id"

log = structlog.get_logger(__name__)

_TABLES = """
    SELECT c.relname, p.logicalrelid IS NOT NULL
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = %s AND NOT a.attisdropped
    LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
    ORDER BY c.relname <> %s, c.relname
"""

_ROW_SECURITY_TABLES = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r' AND c.relrowsecurity
"""

# Functions that the service calls by club, and their helpers, which must exist on every node.
_FUNCTIONS = """
    SELECT p.oid::regprocedure::text,
           %s = ANY (p.proargnames) AND has_function_privilege(%s, p.oid, 'EXECUTE'),
           o.objid IS NOT NULL,
           o.distribution_argument_index IS NOT NULL
    FROM pg_proc p
    LEFT JOIN pg_dist_object o ON o.classid = 'pg_proc'::regclass AND o.objid = p.oid
    WHERE p.pronamespace = 'carnet'::regnamespace
    ORDER BY 1
"""


class DistributionResult(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    tables: tuple[str, ...]
    functions: tuple[str, ...]
    nodes: int


async def distribute(url: str) -> DistributionResult:
    """Distribute what is not distributed yet. Raises: StartupError."""
    async with owner_session(url) as conn:
        if not await _is_coordinator(conn):
            raise StartupError(
                "The database has no Citus: its tables stay on one server",
                "CREATE EXTENSION citus in it and add its workers: docs/operating/scaling.md",
            )
        try:
            return await _distribute_all(conn)
        except Error as error:
            raise StartupError(
                f"The tables could not be spread: {str(error).strip()}",
                "What was spread stays so; mend what is said and do it again",
            ) from error


async def redistribute(conn: Connection) -> None:
    """Distribute the objects of a migration, if the others are distributed."""
    if await _is_coordinator(conn) and await _is_distributed(conn):
        await _distribute_all(conn)


async def _distribute_all(conn: Connection) -> DistributionResult:
    tables = [table async for table in _missing_tables(conn)]
    await _disable_row_security(conn)
    for table in tables:
        beside = f"carnet.{_FIRST_TABLE}" if table != _FIRST_TABLE else "none"
        await conn.execute(
            "SELECT create_distributed_table(%s::regclass, %s, colocate_with => %s)",
            [f"carnet.{table}", _CLUB, beside],
        )
    functions = await _distribute_functions(conn)
    row = await (
        await conn.execute("SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive")
    ).fetchone()
    done = DistributionResult(
        tables=tuple(tables), functions=tuple(functions), nodes=row[0] if row else 0
    )
    log.info("store.distributed", tables=done.tables, functions=done.functions, nodes=done.nodes)
    return done


async def _disable_row_security(conn: Connection) -> None:
    """Disable row-level security by club, because nodes do not see the settings of a session.

    Settings of a transaction could be passed on, but then its calls are not delegated; the cost is
    in docs/operating/scaling.md.
    """
    barred = await (await conn.execute(_ROW_SECURITY_TABLES)).fetchall()
    for (table,) in barred:
        lift = SQL("ALTER TABLE carnet.{} DISABLE ROW LEVEL SECURITY")
        await conn.execute(lift.format(Identifier(table)))


async def _missing_tables(conn: Connection) -> AsyncIterator[str]:
    async for name, spread in await conn.execute(_TABLES, [_CLUB, _FIRST_TABLE]):
        if not spread:
            yield name


async def _distribute_functions(conn: Connection) -> list[str]:
    delegated: list[str] = []
    rows = await (await conn.execute(_FUNCTIONS, [_OF_CLUB, SERVICE_ROLE])).fetchall()
    for signature, of_club, known, by_club in rows:
        if of_club and not by_club:
            await conn.execute(
                "SELECT create_distributed_function(%s::regprocedure, %s, colocate_with => %s)",
                [signature, _OF_CLUB, f"carnet.{_FIRST_TABLE}"],
            )
            delegated.append(signature)
        elif not known:
            await conn.execute("SELECT create_distributed_function(%s::regprocedure)", [signature])
    return delegated


async def _is_coordinator(conn: Connection) -> bool:
    return await _is_true(conn, "SELECT FROM pg_extension WHERE extname = 'citus'")


async def _is_distributed(conn: Connection) -> bool:
    return await _is_true(
        conn,
        "SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(%s)",
        f"carnet.{_FIRST_TABLE}",
    )


async def _is_true(conn: Connection, query: LiteralString, *arguments: str) -> bool:
    return await (await conn.execute(query, arguments)).fetchone() is not None
