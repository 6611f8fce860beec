"""Connections to the store.

Promises: every statement is its own transaction (autocommit); times are UTC; where the service's
role exists the session is that role from its first statement on and RESET ROLE keeps it, so that
privileges are the barrier, not our code. A lost connection raises `StoreUnavailable`, and the dead
ones are replaced before the next caller meets them; what the server itself gave up is told apart by
SQLSTATE: `StoreBusy`, `StoreFull`. Every wait has an end, even for a server that stands still.
Assumes session pooling where a pooler stands in between: options and prepared statements live as
long as the session.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

import structlog
from psycopg import AsyncConnection, OperationalError
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from psycopg_pool.base import AttemptWithBackoff

from service.errors import StoreBusy, StoreFull, StoreUnavailable

Connection: TypeAlias = AsyncConnection[tuple[Any, ...]]

# Two connections answer a club's evening; ten keep eight cores of the database busy.
SIZE_MIN = 2
SIZE_MAX = 10
WAIT_SECONDS_MAX = 10.0
# A game that somebody holds this long is unavailable; its writers must not take the pool with them.
LOCK_SECONDS_MAX = 10
STATEMENT_SECONDS_MAX = 20
# The server ends its statements itself; one that stands still ends nothing.
SILENCE_SECONDS_MAX = 25.0
CONNECT_SECONDS_MAX = 10
# After a statement found no room, the store counts as full for so long.
FULL_SECONDS = 10.0

# PostgreSQL, appendix A: locks, deadlocks and time; room; and what ends a session.
_BUSY = frozenset({"40001", "40P01", "55P03", "57014"})
_FULL = frozenset({"53100"})
_ENDED = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03"})
_ENDED_CLASS = "08"

# The pool looks for a server that went away by doubling waits: one that is back after three seconds
# would be found after seven.
AttemptWithBackoff.INITIAL_DELAY = 0.5
AttemptWithBackoff.DELAY_BACKOFF = 1.0

_LOOK_SECONDS = 0.1

_T = TypeVar("_T")

log = structlog.get_logger(__name__)


class SilenceError(OperationalError):
    """The server said nothing for too long."""


class BoundedConnection(AsyncConnection[tuple[Any, ...]]):
    """A connection on which no wait is for ever."""

    async def wait(
        self,
        gen: PQGen[_T],
        interval: float = _LOOK_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 -- as psycopg has it
    ) -> _T:
        """Wait for the server, but not for one that stands still."""
        try:
            async with asyncio.timeout(SILENCE_SECONDS_MAX):
                return await super().wait(gen, interval, timeout)
        except TimeoutError as error:
            raise SilenceError(f"no answer for {SILENCE_SECONDS_MAX:.0f} s") from error


class Pool(AsyncConnectionPool[Connection]):
    """Connections, and whether the last of them found the disk full."""

    full_until = 0.0

    @property
    def full(self) -> bool:
        """Whether a statement found no room a moment ago."""
        return asyncio.get_running_loop().time() < self.full_until


@asynccontextmanager
async def open_pool(
    url: str, role: str | None, size_min: int = SIZE_MIN, size_max: int = SIZE_MAX
) -> AsyncGenerator[Pool]:
    """Open a pool whose sessions act as `role` (None: as the user of `url`).

    Raises: StoreUnavailable
    """
    given = {"connect_timeout": CONNECT_SECONDS_MAX, **conninfo_to_dict(url)}
    pool = Pool(
        url,
        connection_class=BoundedConnection,
        min_size=size_min,
        max_size=size_max,
        timeout=WAIT_SECONDS_MAX,
        kwargs={
            "autocommit": True,
            "options": session_options(url, role),
            "connect_timeout": given["connect_timeout"],
        },
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

    Raises: StoreUnavailable (StoreBusy, StoreFull)
    """
    try:
        async with pool.connection() as borrowed:
            yield borrowed
    except PoolTimeout as error:
        raise StoreUnavailable(str(error)) from error
    except OperationalError as error:
        raise await _told(pool, error) from error


async def _told(pool: Pool, error: OperationalError) -> StoreUnavailable:
    """Tell what an error of the server's means to whoever asked; replace what it broke."""
    reason, state = str(error).strip(), error.sqlstate
    if state in _BUSY:
        log.warning("store.busy", reason=reason, sqlstate=state)
        return StoreBusy(reason)
    if state in _FULL:
        log.error("store.full", reason=reason)
        pool.full_until = asyncio.get_running_loop().time() + FULL_SECONDS
        return StoreFull(reason)
    log.warning("store.connection_lost", reason=reason, sqlstate=state)
    ended = state is None or state in _ENDED or state.startswith(_ENDED_CLASS)
    if ended and not isinstance(error, SilenceError):
        # A server that restarts breaks all connections at once: replace them together.
        await pool.check()
    return StoreUnavailable(reason)


def session_options(url: str, role: str | None) -> str:
    """Make the server's command line for a session. The address's own options override the wait."""
    parts = [f"-c lock_timeout={LOCK_SECONDS_MAX}s"]
    if role is not None:
        parts.append(f"-c statement_timeout={STATEMENT_SECONDS_MAX}s")
    given = conninfo_to_dict(url).get("options")
    if given:
        parts.append(str(given))
    parts.append("-c TimeZone=UTC")
    if role is not None:
        parts.append(f"-c role={role}")
    return " ".join(parts)
