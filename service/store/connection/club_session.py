"""A database session restricted to one club by row-level security."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Self, cast
from uuid import UUID

from psycopg import AsyncConnection, AsyncCursor, AsyncTransaction
from psycopg.abc import Params
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGconn
from psycopg.rows import AsyncRowFactory, Row, tuple_row
from psycopg.sql import SQL, Composed

_ROWS = cast("AsyncRowFactory[Any]", tuple_row)

_SET_CLUB = "SELECT set_config('carnet.club_id', %s, %s)"

# Unlike a query, this does not fix the transaction's snapshot.
_SET_CLUB_LOCAL = SQL("SET LOCAL carnet.club_id = {}")


def set_club_statement(club_id: UUID) -> Composed:
    """Return the statement that sets the club of the running transaction."""
    return _SET_CLUB_LOCAL.format(str(club_id))


class _Cursor(AsyncCursor[Row]):
    async def execute(
        self,
        query: Any,  # noqa: ANN401 -- psycopg overloads it
        params: Params | None = None,
        *,
        prepare: bool | None = None,
        binary: bool | None = None,
    ) -> Self:
        session = cast("ClubConnection", self.connection)
        club_id = session.club_per_transaction
        if club_id is None or session.info.transaction_status is not TransactionStatus.IDLE:
            return await super().execute(query, params, prepare=prepare, binary=binary)
        async with session.pipeline():
            await AsyncCursor(session).execute(_SET_CLUB, [str(club_id), True], prepare=prepare)
            await super().execute(query, params, prepare=prepare, binary=binary)
        return self


class ClubConnection(AsyncConnection[tuple[Any, ...]]):
    """A connection that belongs to one club at a time.

    `club_per_transaction`: the club to set in each transaction; None: the session has set it, or
    none is needed.
    """

    club_per_transaction: UUID | None = None
    _session_club: UUID | None = None
    _club_unknown = False

    def __init__(self, pgconn: PGconn, row_factory: AsyncRowFactory[Any] = _ROWS) -> None:
        super().__init__(pgconn, row_factory)
        self.cursor_factory = _Cursor

    async def set_club(self, club_id: UUID | None) -> None:
        if self._session_club == club_id and not self._club_unknown:
            return
        self._club_unknown = True  # until the statement has completed: it can be interrupted
        setting = "" if club_id is None else str(club_id)
        await AsyncCursor(self).execute(_SET_CLUB, [setting, False])
        self._session_club, self._club_unknown = club_id, False

    @asynccontextmanager
    async def transaction(
        self,
        savepoint_name: str | None = None,
        force_rollback: bool = False,  # noqa: FBT001, FBT002 -- the signature of psycopg
    ) -> AsyncGenerator[AsyncTransaction]:
        outermost = self.info.transaction_status is TransactionStatus.IDLE
        async with super().transaction(savepoint_name, force_rollback) as transaction:
            if outermost and self.club_per_transaction is not None:
                await AsyncCursor(self).execute(set_club_statement(self.club_per_transaction))
            yield transaction
