"""Pooled connections to the database, their errors and their traces."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, LiteralString, TypeAlias, TypeVar
from uuid import UUID

import structlog
from msgspec import Struct, json
from psycopg import AsyncConnection, Error, OperationalError, errors
from psycopg.abc import Params, PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import class_row
from psycopg.sql import Composed
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from service.errors import (
    AlreadyMerged,
    CarnetError,
    ClientLeft,
    NotFound,
    StartupError,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    VersionConflict,
)
from service.store.connection.clients import client_gone
from service.store.connection.club_session import ClubConnection
from service.store.connection.silence import Silence

VERSION_CONFLICT = "YC001"
_ONE_PERSON = "YC005"
_NAME_INDEX = "player_by_name"

# PostgreSQL, appendix A: locks, deadlocks and timeouts; disk and memory; ended sessions.
_BUSY_STATES = frozenset({"40001", "40P01", "55P03", "57014"})
_FULL_STATES = frozenset({"53100"})
_CONNECTION_LOST_STATES = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03"})
_CONNECTION_LOST_CLASS = "08"


class _ConflictDetail(Struct, frozen=True):
    version: int


class _OnePersonDetail(Struct, frozen=True):
    player_id: UUID


def translate(error: Error, game_id: UUID, version: int) -> CarnetError | Error:
    """Translate an error of `append` or `project_game`; any other is returned unchanged."""
    if error.sqlstate == VERSION_CONFLICT:
        now = json.decode(error.diag.message_detail or "", type=_ConflictDetail).version
        return conflict(game_id, version, now)
    if error.sqlstate == _ONE_PERSON:
        detail = json.decode(error.diag.message_detail or "", type=_OnePersonDetail)
        return AlreadyMerged(detail.player_id)
    if isinstance(error, errors.ForeignKeyViolation):
        return NotFound("player", None)
    if isinstance(error, errors.UniqueViolation) and error.diag.constraint_name == _NAME_INDEX:
        return StoreBusy("somebody was added meanwhile under the name of somebody new here")
    return error


def conflict(game_id: UUID, expected_version: int, version: int) -> CarnetError:
    """Return the error of a version conflict: there is no such game, or it is at `version`."""
    if version == 0 and expected_version > 0:
        return NotFound("game", game_id)
    return VersionConflict(version)


def unavailable(error: OperationalError) -> StoreUnavailable:
    """Return the error of an aborted statement or a silent server."""
    reason, state = str(error).strip(), error.sqlstate
    if state in _BUSY_STATES:
        return StoreBusy(reason)
    return StoreFull(reason) if state in _FULL_STATES else StoreUnavailable(reason)


def is_connection_lost(error: OperationalError) -> bool:
    state = error.sqlstate
    return (
        state is None
        or state in _CONNECTION_LOST_STATES
        or state.startswith(_CONNECTION_LOST_CLASS)
    )


if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Connection: TypeAlias = AsyncConnection[tuple[Any, ...]]

# Two connections answer a club's evening; ten keep eight cores of the database busy.
SIZE_MIN = 2
SIZE_MAX = 10
WAIT_SECONDS_MAX = 8.0
# Lock timeout: a game locked for longer is unavailable, so that its writers do not fill the pool.
LOCK_SECONDS_MAX = 6
STATEMENT_SECONDS_MAX = 7
CONNECT_SECONDS_MAX = 10
# The duration of an attempt to replace a lost session, with a try per second.
RECONNECT_SECONDS = 2.0
# After a statement found no disk space, the store counts as full for this time.
FULL_SECONDS = 10.0

_LOOK_SECONDS = 0.1
_UNTRACED = nullcontext()

_HAS_ROW_SECURITY = "SELECT row_security_active(to_regclass('carnet.entry'))"

_T = TypeVar("_T")
RowT = TypeVar("RowT")

log = structlog.get_logger(__name__)


class SilenceError(OperationalError):
    """The server did not answer in time."""


class BoundedConnection(ClubConnection):
    """A session whose waits end if the server hangs: it ends slow statements itself otherwise."""

    silence: Silence | None = None

    async def wait(
        self,
        gen: PQGen[_T],
        interval: float = _LOOK_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 -- the signature of psycopg
    ) -> _T:
        silence = self.silence or Silence()
        seconds_left = silence.seconds_left()
        answered: bool | None = None
        silence.begin()
        try:
            result = await super().wait(gen, interval, timeout or seconds_left)
        except OperationalError as error:
            answered = error.sqlstate is not None or self.broken
            if answered:
                raise
            # Or leaving a transaction or a pipeline would wait as long again.
            self.pgconn.finish()
            raise SilenceError(f"no answer for {seconds_left:.1f} s") from error
        except Error:
            answered = True
            raise
        else:
            answered = True
            return result
        finally:
            silence.end(answered=answered)


class Pool(AsyncConnectionPool[BoundedConnection]):
    """A connection pool that remembers whether the disk was full.

    `observe_wait`: called with the seconds that a caller waited for a connection. `refusal_reason`:
    why no connection is lent (the schema is another release's). `row_security`: sessions see the
    rows of one club only (`club_session`). `behind_pooler`: an external pooler lends sessions per
    transaction. `tracer`: makes spans of statements; None: tracing is off.
    """

    full_until = 0.0
    refusal_reason: str | None = None
    observe_wait: Callable[[float], None] | None = None
    row_security = False
    behind_pooler = False
    silence: Silence
    tracer: "Tracer | None" = None
    _first_club: UUID | None = None
    _several_clubs = False

    def span(self, name: str) -> AbstractContextManager[None]:
        if self.tracer is None:
            return _UNTRACED
        from service.store.connection.traces import store_span  # noqa: PLC0415 -- optional

        return store_span(self.tracer, name)

    @property
    def full(self) -> bool:
        return asyncio.get_running_loop().time() < self.full_until

    async def set_club_of(
        self, session: BoundedConnection, club_id: UUID | None, *, club_in_arguments: bool
    ) -> None:
        """Set the club of a session, once or in each of its transactions."""
        if not self.row_security or club_id is None:
            return
        self._first_club = self._first_club or club_id
        self._several_clubs = self._several_clubs or club_id != self._first_club
        if self.behind_pooler:
            session.club_per_transaction = None if club_in_arguments else club_id
        elif self._several_clubs:
            await session.set_club(None)
            session.club_per_transaction = None if club_in_arguments else club_id
        else:
            await session.set_club(club_id)


@asynccontextmanager
async def open_pool(
    url: str,
    role: str | None,
    size_min: int = SIZE_MIN,
    size_max: int = SIZE_MAX,
    *,
    name: str | None = None,
    behind_pooler: bool = False,
    tracer: "Tracer | None" = None,
) -> AsyncGenerator[Pool]:
    """Open a pool whose sessions log in as `role` (None: as the user of `url`).

    `name`: `application_name` of its sessions; None: as in `url`. `behind_pooler`: an external
    pooler lends sessions per transaction. `tracer`: makes spans of its statements.
    """
    silence = Silence()
    pool = Pool(
        url if role is None else url_with_login(url, role),
        connection_class=BoundedConnection,
        min_size=size_min,
        max_size=size_max,
        timeout=WAIT_SECONDS_MAX,
        reconnect_timeout=RECONNECT_SECONDS,
        reconnect_failed=_reconnect,
        kwargs=_connect_arguments(url, name, behind_pooler=behind_pooler),
        configure=partial(_configure, silence, tracer),
        reset=_reset_club,
        name="store",
        open=False,
    )
    pool.tracer, pool.silence = tracer, silence
    try:
        await pool.open(wait=True, timeout=WAIT_SECONDS_MAX)
    except PoolTimeout as error:
        raise StoreUnavailable(str(error)) from error
    try:
        pool.behind_pooler = behind_pooler
        pool.row_security = await _has_row_security(pool)
        yield pool
    finally:
        await pool.close()


async def _reconnect(pool: AsyncConnectionPool[Any]) -> None:
    await pool.check()


async def _has_row_security(pool: Pool) -> bool:
    async with connection(pool, None, any_schema=True) as conn:
        return await (await conn.execute(_HAS_ROW_SECURITY)).fetchone() == (True,)


async def _configure(silence: Silence, tracer: "Tracer | None", session: BoundedConnection) -> None:
    session.silence = silence
    if tracer is None:
        return
    from service.store.connection.traces import traced_cursor  # noqa: PLC0415 -- optional

    session.cursor_factory = traced_cursor(tracer, session.cursor_factory)


def _connect_arguments(url: str, name: str | None, *, behind_pooler: bool) -> dict[str, Any]:
    wait = conninfo_to_dict(url).get("connect_timeout", CONNECT_SECONDS_MAX)
    arguments: dict[str, Any] = {"autocommit": True, "connect_timeout": wait}
    if name is not None:
        arguments["application_name"] = name
    if behind_pooler:
        return arguments | {"prepare_threshold": None}
    return arguments | {"options": session_options(url, for_service=True)}


@asynccontextmanager
async def owner_session(url: str) -> AsyncGenerator[Connection]:
    """Open a session of the schema's owner. Raises: StartupError (the server cannot be reached)."""
    try:
        session = await AsyncConnection.connect(url, autocommit=True)
    except OperationalError as error:
        raise StartupError(
            f"The database cannot be reached: {' '.join(str(error).split()).rstrip('?.')}",
            "Check CARNET_DATABASE_URL and that the server runs",
        ) from error
    async with session:
        yield session


@asynccontextmanager
async def connection(
    pool: Pool, club_id: UUID | None, *, club_in_arguments: bool = False, any_schema: bool = False
) -> AsyncGenerator[BoundedConnection]:
    """Borrow a connection that sees one club; None: rows of no club.

    `club_in_arguments`: for calls with the club as an argument, which must match
    (sql/schema/refuse_other_club.sql).

    Raises: StoreUnavailable (StoreBusy, StoreFull), ClientLeft
    """
    if pool.refusal_reason is not None and not any_schema:
        raise StoreUnavailable(pool.refusal_reason)
    time, cancelled = asyncio.get_running_loop().time, _cancellations()
    began = time()
    try:
        async with pool.connection(pool.silence.seconds_left()) as borrowed:
            if _cancellations() > cancelled:
                # Before Python 3.12, asyncio.wait_for (used by the pool) may swallow a
                # cancellation that arrives together with its result (python/cpython#86296).
                raise asyncio.CancelledError
            if pool.observe_wait is not None:
                pool.observe_wait(time() - began)
            if client_gone():
                raise ClientLeft
            try:
                await pool.set_club_of(borrowed, club_id, club_in_arguments=club_in_arguments)
                yield borrowed
            except BaseException as error:
                if _leaves_state_unknown(error):
                    borrowed.pgconn.finish()  # nothing can interrupt this; the pool opens another
                raise
    except PoolTimeout as error:
        raise StoreUnavailable(str(error)) from error
    except OperationalError as error:
        raise await _log_unavailable(pool, error) from error


async def rows_as(
    shape: type[RowT],
    pool: Pool,
    club_id: UUID | None,
    query: LiteralString | bytes | Composed,
    parameters: Params | None = None,
    *,
    binary: bool = True,
    prepare: bool | None = None,
) -> list[RowT]:
    """Run a query on a connection of its own; return its rows. Raises: as `connection`."""
    async with (
        connection(pool, club_id) as conn,
        conn.cursor(binary=binary, row_factory=class_row(shape)) as cursor,
    ):
        await cursor.execute(query, parameters, prepare=prepare)
        return await cursor.fetchall()


def _cancellations() -> int:
    task = asyncio.current_task()
    return task.cancelling() if task else 0


async def _reset_club(session: BoundedConnection) -> None:
    """Reset the club of a session and return it to the pool.

    The pool's workers run `reset`. If the borrower did that itself and were cancelled meanwhile,
    the pool would lose the session.
    """
    session.club_per_transaction = None


def _leaves_state_unknown(error: BaseException) -> bool:
    """Return whether after an error the session may be in an unknown state.

    After an error of the server it is not. A cancelled pipeline may be left open while the session
    counts as idle: writes of the next borrower would be answered, but only committed once the
    pipeline ends.
    """
    if isinstance(error, Error):
        return error.sqlstate is None
    return not isinstance(error, Exception)


async def _log_unavailable(pool: Pool, error: OperationalError) -> StoreUnavailable:
    translated = unavailable(error)
    reason, state = str(translated), error.sqlstate
    match translated:
        case StoreBusy():
            log.warning("store.busy", reason=reason, sqlstate=state)
        case StoreFull():
            log.error("store.full", reason=reason)
            pool.full_until = asyncio.get_running_loop().time() + FULL_SECONDS
        case _:
            log.warning("store.connection_lost", reason=reason, sqlstate=state)
            if is_connection_lost(error) and not pool.silence.lasts:
                # A server that restarts breaks all connections at once: replace them together.
                await pool.check()
    return translated


def url_with_login(url: str, role: str) -> str:
    """Return the URL for another login, without the password of the first."""
    given = conninfo_to_dict(url)
    if given.get("user") != role:
        given.pop("password", None)
    return make_conninfo("", **(given | {"user": role}))


def url_with_role(url: str, role: str) -> str:
    """Return the URL for sessions that act as a role which cannot log in."""
    given = str(conninfo_to_dict(url).get("options") or "")
    return make_conninfo(url, options=f"{given} -c role={role}".strip())


def session_options(url: str, *, for_service: bool) -> str:
    """Return the server options of a session. Those of the URL override the timeout."""
    parts = [f"-c lock_timeout={LOCK_SECONDS_MAX}s"]
    if for_service:
        parts.append(f"-c statement_timeout={STATEMENT_SECONDS_MAX}s")
    given = conninfo_to_dict(url).get("options")
    if given:
        parts.append(str(given))
    parts.append("-c TimeZone=UTC")
    return " ".join(parts)
