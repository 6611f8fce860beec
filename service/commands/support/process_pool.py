"""A pool of processes for work on many games."""

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, TypeVar
from uuid import UUID

from msgspec import Struct, structs

from service.commands.support.every_club import open_database, selected_club
from service.errors import StartupError
from service.store.club.clubs import ClubRows
from service.store.connection.pool import Connection, Pool, connection, open_pool
from service.store.log.dump import Dump
from service.store.log.restore import Restore, open_restore
from service.store.log.snapshot import Snapshot
from service.store.server.logins import DatabaseUrls

# Parts that are done in the first process before others are started.
_ALONE_MAX = 24
_WAITING_MAX = 3  # for each process

ArgumentT = TypeVar("ArgumentT")
ResultT = TypeVar("ResultT")


class Source(Struct, frozen=True, kw_only=True):
    """A database and a snapshot of its log; `moment` None: no fixed snapshot.

    `owner`: the owner's address for work that restores games. `club_id`: the club of all the work.
    """

    club_id: UUID
    reached: DatabaseUrls
    moment: str | None = None
    owner: str | None = None


class Desk(Struct, frozen=True, kw_only=True):
    """The connections of one process; `conn` reads the fixed snapshot, if there is one."""

    club_id: UUID

    pool: Pool
    conn: Connection | None = None
    given_back: Restore | None = None

    @property
    def restore(self) -> Restore:
        if self.given_back is None:
            raise ValueError("this work was not started with the owner's connection")
        return self.given_back

    @property
    def fixed(self) -> Snapshot:
        return Snapshot(self.fixed_connection, self.club_id)

    @property
    def dump(self) -> Dump:
        return Dump(self.fixed_connection, self.club_id)

    @property
    def fixed_connection(self) -> Connection:
        if self.conn is None:
            raise ValueError("this work was not started on a fixed snapshot")
        return self.conn


Work = Callable[[Desk, ArgumentT], Awaitable[ResultT]]


class ProcessPool:
    """Distributes parts of work among processes, which are started when there is enough work."""

    def __init__(self, source: Source, desk: Desk, jobs: int) -> None:
        self._source = source
        self._desk = desk
        self._jobs = jobs
        self._done = 0
        self._processes: ProcessPoolExecutor | None = None

    async def over(
        self, work: Work[ArgumentT, ResultT], parts: AsyncIterator[ArgumentT]
    ) -> AsyncGenerator[ResultT]:
        waiting: deque[Future[ResultT]] = deque()
        async for part in parts:
            if self._jobs == 1 or self._done < _ALONE_MAX:
                self._done += 1
                yield await work(self._desk, part)
                continue
            if self._processes is None:
                # A fresh interpreter inherits no thread, lock or half-written buffer.
                self._processes = ProcessPoolExecutor(
                    self._jobs,
                    mp_context=get_context("spawn"),
                    initializer=_begin,
                    initargs=(self._source,),
                )
            waiting.append(self._processes.submit(_do, work, part))
            while waiting and (waiting[0].done() or len(waiting) > self._jobs * _WAITING_MAX):
                yield await asyncio.wrap_future(waiting.popleft())
        while waiting:
            yield await asyncio.wrap_future(waiting.popleft())

    def close(self) -> None:
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)


@asynccontextmanager
async def process_pool(
    jobs: int,
    *,
    fixed: bool,
    owner: bool = False,
    before: Callable[[Pool, UUID], Awaitable[None]] | None = None,
    club: str | None = None,
) -> AsyncGenerator[tuple[ProcessPool, Desk]]:
    """Open the settings' database for a pool; with `fixed` all processes read one snapshot.

    `before` runs before the snapshot is taken. `club`: its name or id, None: the first.

    Raises: SettingsError, StartupError
    """
    async with open_database() as database, AsyncExitStack() as stack:
        if owner and database.reached.owner is None:
            raise StartupError(
                "Only the database's owner can import",
                "Set CARNET_DATABASE_OWNER_URL",
            )
        club_id = (await selected_club(ClubRows(database.pool), club)).club_id
        source = Source(
            club_id=club_id,
            reached=database.reached,
            owner=database.reached.owner if owner else None,
        )
        if before is not None:
            await before(database.pool, club_id)
        desk = await _open_desk(stack, source, fixed=fixed)
        if fixed:
            moment = await desk.fixed.export()
            source = structs.replace(source, moment=moment)
        shared = ProcessPool(source, desk, jobs)
        try:
            yield shared, desk
        finally:
            shared.close()


async def _open_desk(stack: AsyncExitStack, source: Source, *, fixed: bool) -> Desk:
    # A direct connection: long work would block a pooler.
    opened = open_pool(source.reached.without_pooler, source.reached.role, 1, 2)
    pool = await stack.enter_async_context(opened)
    if source.owner is not None:
        restore = await stack.enter_async_context(open_restore(source.owner, source.club_id))
        return Desk(club_id=source.club_id, pool=pool, given_back=restore)
    if not fixed:
        return Desk(club_id=source.club_id, pool=pool)
    conn = await stack.enter_async_context(connection(pool, source.club_id))
    await stack.enter_async_context(conn.transaction())
    await Snapshot.take(conn, source.club_id, source.moment)
    return Desk(club_id=source.club_id, pool=pool, conn=conn)


# --- in the other processes -------------------------------------------------------------------

_here: dict[str, Any] = {}


def _begin(source: Source) -> None:
    # Ctrl-C reaches the whole process group; the parent stops its children in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_the_first, daemon=True).start()
    runner = asyncio.Runner()
    stack = AsyncExitStack()
    opened = _open_desk(stack, source, fixed=source.moment is not None)
    _here.update(runner=runner, stack=stack, desk=runner.run(opened))


def end_with_the_first() -> None:
    """Exit as soon as the parent process has ended in any way."""
    first = parent_process()
    if first is not None:
        wait([first.sentinel])
        os._exit(1)


def _do(work: Work[ArgumentT, ResultT], part: ArgumentT) -> ResultT:
    runner: asyncio.Runner = _here["runner"]

    async def run_on_desk() -> ResultT:
        return await work(_here["desk"], part)

    return runner.run(run_on_desk())
