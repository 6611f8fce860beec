"""Connections to the store.

Promises: every statement is its own transaction (autocommit); times are UTC; where the service's
role exists the session is that role from its first statement on and RESET ROLE keeps it, so that
privileges are the barrier, not our code. A lost connection raises `StoreUnavailable`, and the dead
ones are replaced before the next caller meets them.
Assumes session pooling where a pooler stands in between: options and prepared statements live as
long as the session.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import structlog
from psycopg import AsyncConnection, OperationalError
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from psycopg_pool.base import AttemptWithBackoff

from service.errors import StoreUnavailable

Connection: TypeAlias = AsyncConnection[tuple[Any, ...]]
Pool: TypeAlias = AsyncConnectionPool[Connection]

# Two connections answer a club's evening; ten keep eight cores of the database busy.
SIZE_MIN = 2
SIZE_MAX = 10
WAIT_SECONDS_MAX = 10.0
# A game that somebody holds this long is unavailable; its writers must not take the pool with them.
LOCK_SECONDS_MAX = 10

# The pool looks for a server that went away by doubling waits: one that is back after three seconds
# would be found after seven.
AttemptWithBackoff.INITIAL_DELAY = 0.5
AttemptWithBackoff.DELAY_BACKOFF = 1.0

log = structlog.get_logger(__name__)


@asynccontextmanager
async def open_pool(
    url: str, role: str | None, size_min: int = SIZE_MIN, size_max: int = SIZE_MAX
) -> AsyncGenerator[Pool]:
    """Open a pool whose sessions act as `role` (None: as the user of `url`).

    Raises: StoreUnavailable
    """
    pool: Pool = AsyncConnectionPool(
        url,
        min_size=size_min,
        max_size=size_max,
        timeout=WAIT_SECONDS_MAX,
        kwargs={"autocommit": True, "options": session_options(url, role)},
        name="store",
        open=False,
    )
    try:
        await pool.open(wait=True, timeout=WAIT_SECONDS_MAX)
    except PoolTimeout as error:
        raise StoreUnavailable(str(error)) from error
    try:
        yield pool
    finally:
        await pool.close()


@asynccontextmanager
async def connection(pool: Pool) -> AsyncGenerator[Connection]:
    """Borrow a connection.

    Raises: StoreUnavailable
    """
    try:
        async with pool.connection() as borrowed:
            yield borrowed
    except PoolTimeout as error:
        raise StoreUnavailable(str(error)) from error
    except OperationalError as error:
        log.warning("store.connection_lost", reason=str(error).strip())
        # A server that restarts breaks all connections at once: replace them together.
        await pool.check()
        raise StoreUnavailable(str(error).strip()) from error


def session_options(url: str, role: str | None) -> str:
    """Make the server's command line for a session. The address's own options override the wait."""
    parts = [f"-c lock_timeout={LOCK_SECONDS_MAX}s"]
    given = conninfo_to_dict(url).get("options")
    if given:
        parts.append(str(given))
    parts.append("-c TimeZone=UTC")
    if role is not None:
        parts.append(f"-c role={role}")
    return " ".join(parts)
