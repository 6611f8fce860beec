"""Distributes the tables over the nodes of a Citus cluster, by club."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Literal, TypeAlias

import structlog
from msgspec import Struct
from psycopg import Error
from psycopg.sql import SQL, Identifier

from service.errors import StartupError
from service.store.connection.pool import Connection, owner_session

SERVICE_ROLE = "carnet_service"

# The table that the others are stored beside. It references no other.
_ANCHOR = "player"
_CLUB = "club_id"
# The distribution argument of functions.
_OF_CLUB = "p_club_id"

Kind: TypeAlias = Literal["policy", "table", "function", "helper"]

_SENTENCES: Mapping[Kind, str] = {
    "policy": "row policy of carnet.{} removed",
    "table": "table carnet.{} distributed by club",
    "function": "function {} delegated to the club's node",
    "helper": "function {} created on every node",
}

log = structlog.get_logger(__name__)

_TABLES = """
    SELECT c.relname, coalesce(array_agg(r.relname) FILTER (WHERE r.oid <> c.oid), '{}'),
           c.relrowsecurity
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = %s AND NOT a.attisdropped
    LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f'
    LEFT JOIN pg_class r ON r.oid = k.confrelid
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
    GROUP BY c.oid
    ORDER BY c.relname
"""

# Functions that the service calls by club, and their helpers, which must exist on every node.
_FUNCTIONS = """
    SELECT p.oid::regprocedure::text,
           %s = ANY (p.proargnames) AND has_function_privilege(%s, p.oid, 'EXECUTE')
    FROM pg_proc p
    WHERE p.pronamespace = 'carnet'::regnamespace
    ORDER BY 1
"""

_DISTRIBUTED_TABLES = """
    SELECT c.relname FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = 'carnet'::regnamespace
"""

_DISTRIBUTED_FUNCTIONS = """
    SELECT p.oid::regprocedure::text, o.distribution_argument_index IS NOT NULL
    FROM pg_dist_object o JOIN pg_proc p ON o.classid = 'pg_proc'::regclass AND o.objid = p.oid
    WHERE p.pronamespace = 'carnet'::regnamespace
"""


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table with a club. `references`: the other tables that its foreign keys name."""

    name: str
    references: tuple[str, ...] = ()
    row_security: bool = False


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a distribution: `name` is a table, or the signature of a function.

    Functions are delegated to the club's node, or helpers that are created on every node.
    """

    kind: Kind
    name: str

    def __str__(self) -> str:
        return _SENTENCES[self.kind].format(self.name)


class Distributed(Struct, frozen=True, forbid_unknown_fields=True):
    """What a cluster has distributed. `functions`: signatures; True: delegated by club."""

    tables: frozenset[str] = frozenset()
    functions: dict[str, bool] = {}


async def distribute(url: str) -> AsyncGenerator[Change]:
    """Distribute what is not distributed yet, and yield each change once it is committed.

    Raises: StartupError
    """
    async with owner_session(url) as conn:
        if not await _is_coordinator(conn):
            raise StartupError(
                "The database has no Citus: its tables stay on one server",
                "CREATE EXTENSION citus in it and add its workers: docs/operating/scaling.md",
            )
        async for change in _distribute_missing(conn):
            yield change


async def redistribute(conn: Connection) -> tuple[Change, ...]:
    """Distribute the objects of a migration, if the others are distributed.

    Raises: StartupError
    """
    if not await _is_coordinator(conn) or _ANCHOR not in (await _distributed(conn)).tables:
        return ()
    return tuple([change async for change in _distribute_missing(conn)])


async def count_nodes(url: str) -> int:
    """Return the number of nodes that store clubs."""
    async with owner_session(url) as conn:
        nodes = "SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive"
        row = await (await conn.execute(nodes)).fetchone()
    return row[0] if row else 0


async def missing_changes(conn: Connection, distributed: Distributed | None = None) -> list[Change]:
    """List what has to change, in an order that can be interrupted after each step.

    A table is distributed after those that its foreign keys name, because Citus refuses a foreign
    key from a distributed table to a local one. `distributed`: of a cluster; None: nothing is.
    """
    done = distributed or Distributed()
    rows = await (await conn.execute(_TABLES, [_CLUB])).fetchall()
    tables = [Table(name, tuple(others), secured) for name, others, secured in rows]
    return [
        # The nodes do not see the settings of a session, so that policies would hide all rows.
        # Passing the settings of a transaction on would prevent delegation; its cost is in
        # docs/operating/scaling.md.
        *(Change("policy", table.name) for table in tables if table.row_security),
        *(Change("table", name) for name in table_order(tables) if name not in done.tables),
        *await _missing_functions(conn, done),
    ]


def table_order(tables: Sequence[Table]) -> list[str]:
    """Order tables so that each follows the anchor and the tables that it references.

    >>> table_order([Table("game_title", ("title",)), Table("player"), Table("title")])
    ['player', 'title', 'game_title']

    Raises: CycleError (foreign keys in a circle)
    """
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for table in tables:
        sorter.add(table.name, *table.references, *({_ANCHOR} - {table.name}))
    sorter.prepare()
    order: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order += ready
        sorter.done(*ready)
    return order


async def _missing_functions(conn: Connection, done: Distributed) -> list[Change]:
    rows = await (await conn.execute(_FUNCTIONS, [_OF_CLUB, SERVICE_ROLE])).fetchall()
    delegated = [Change("function", name) for name, of_club in rows if of_club]
    helpers = [Change("helper", name) for name, of_club in rows if not of_club]
    return [
        *(change for change in delegated if not done.functions.get(change.name)),
        *(change for change in helpers if change.name not in done.functions),
    ]


async def _distribute_missing(conn: Connection) -> AsyncIterator[Change]:
    for change in await missing_changes(conn, await _distributed(conn)):
        try:
            await _apply(conn, change)
        except Error as error:
            raise StartupError(
                f"This could not be done: {change}: {str(error).strip()}",
                "Mend what is said and run carnet distribute again; it continues here",
            ) from error
        log.info("store.distributed", kind=change.kind, name=change.name)
        yield change


async def _apply(conn: Connection, change: Change) -> None:
    match change.kind:
        case "policy":
            disable = SQL("ALTER TABLE carnet.{} DISABLE ROW LEVEL SECURITY")
            await conn.execute(disable.format(Identifier(change.name)))
        case "table":
            beside = f"carnet.{_ANCHOR}" if change.name != _ANCHOR else "none"
            await conn.execute(
                "SELECT create_distributed_table(%s::regclass, %s, colocate_with => %s)",
                [f"carnet.{change.name}", _CLUB, beside],
            )
        case "function":
            await conn.execute(
                "SELECT create_distributed_function(%s::regprocedure, %s, colocate_with => %s)",
                [change.name, _OF_CLUB, f"carnet.{_ANCHOR}"],
            )
        case "helper":
            helper = "SELECT create_distributed_function(%s::regprocedure)"
            await conn.execute(helper, [change.name])


async def _distributed(conn: Connection) -> Distributed:
    tables = [name async for (name,) in await conn.execute(_DISTRIBUTED_TABLES)]
    functions = await (await conn.execute(_DISTRIBUTED_FUNCTIONS)).fetchall()
    return Distributed(frozenset(tables), dict(functions))


async def _is_coordinator(conn: Connection) -> bool:
    citus = "SELECT FROM pg_extension WHERE extname = 'citus'"
    return await (await conn.execute(citus)).fetchone() is not None
