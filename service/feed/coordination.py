"""Messages between the processes of an installation, and the election of the leading one.

Promises: other processes receive a change some hundredths of a second after its commit, by NOTIFY,
which appends do not wait for; without it each finds changes by polling. One process leads by an
advisory lock of its session; when that ends, another takes over within ten seconds. A process whose
schema was replaced by a newer version refuses to work until it matches again.
Assumes one event loop, and a direct address: a pooler would lend the session to others.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any, Literal, TypeAlias

import structlog
from msgspec import DecodeError, Struct, json
from psycopg import AsyncConnection, OperationalError

from service.errors import StoreUnavailable
from service.store.connection.pool import (
    CONNECT_SECONDS_MAX,
    Connection,
    Pool,
    connection,
    open_pool,
    url_with_login,
)
from service.store.server.logins import DatabaseUrls
from service.store.server.migrate import check_schema
from service.tasks import cancel_and_wait

# A game has new entries; rights have changed; a name or text was forgotten; the operator has set
# limits of a club (service.store.club.changes).
NoticeKind: TypeAlias = Literal["game", "access", "forgotten", "limits"]

# Changes within this time are sent together.
GATHER_SECONDS = 0.05
# How long there may be no leader, detection included: half of ten seconds.
LOOK_SECONDS = 4.0
AGAIN_SECONDS = 1.0
ANSWER_SECONDS_MAX = 5.0
# The application name of these sessions.
SESSION = "carnet sequencer"
# NOTIFY carries less than 8,000 bytes.
_CHANGES_MAX = 100
# ASCII "carnle": of each database.
_LEADER = 0x6361_726E_6C65

_LISTEN = "LISTEN carnet"
# A lost message is found by polling, so the commit does not wait for the disk.
_TELL = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('carnet', %s)"
_LEAD = "SELECT pg_try_advisory_lock(%s)"
_LIVES = "SELECT true"

log = structlog.get_logger(__name__)


class _Message(Struct, frozen=True):
    """A message: `by` is the sender, `changes` its kinds with subjects."""

    by: int
    changes: list[tuple[NoticeKind, str]]


class Coordination:
    """One process of an installation. `leads`: it runs the jobs of the installation."""

    def __init__(self, pool: Pool, sending: Pool) -> None:
        self._pool = pool
        self._sending = sending
        self._subscribers: dict[NoticeKind, list[Callable[[str], None]]] = {}
        self._outgoing: dict[tuple[NoticeKind, str], None] = {}
        self._has_outgoing = asyncio.Event()
        self._backend_pid = 0
        self.leads = False
        self.listens = asyncio.Event()

    def subscribe(self, kind: NoticeKind, callback: Callable[[str], None]) -> Callable[[], None]:
        """Subscribe to messages of other processes; return the function that unsubscribes."""
        subscribers = self._subscribers.setdefault(kind, [])
        subscribers.append(callback)
        return partial(subscribers.remove, callback)

    def publish(self, kind: NoticeKind, about: str = "") -> None:
        self._outgoing[kind, about] = None
        self._has_outgoing.set()

    async def send(self) -> None:
        """Send queued messages until cancelled."""
        while True:
            await self._has_outgoing.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._has_outgoing.clear()
            changes = list(self._outgoing)
            self._outgoing.clear()
            # What cannot be sent is found by polling.
            with contextlib.suppress(StoreUnavailable):
                for at in range(0, len(changes), _CHANGES_MAX):
                    message = json.encode(
                        _Message(self._backend_pid, changes[at : at + _CHANGES_MAX])
                    ).decode()
                    async with connection(self._sending, None) as conn:
                        await conn.execute(_TELL, [message], prepare=True)

    async def receive(self, url: str) -> None:
        """Receive messages, and lead if no other process does, until cancelled."""
        while True:
            try:
                async with await AsyncConnection.connect(
                    url,
                    autocommit=True,
                    application_name=SESSION,
                    connect_timeout=CONNECT_SECONDS_MAX,
                ) as conn:
                    await self._receive_on(conn)
            except (OperationalError, TimeoutError) as error:
                log.warning("leader.connection_lost", reason=str(error).strip() or "no answer")
            finally:
                self.leads = False
                self.listens.clear()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _receive_on(self, conn: Connection) -> None:
        await conn.execute(_LISTEN)
        self._backend_pid = conn.info.backend_pid
        # Messages of the meantime were missed.
        self._dispatch("access", "")
        self._dispatch("limits", "")
        while True:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                await self._lead(conn)
                await check_schema(self._pool, conn)
            self.listens.set()
            async for heard in conn.notifies(timeout=LOOK_SECONDS):
                self._dispatch_message(heard.payload)

    async def _lead(self, conn: Connection) -> None:
        question: tuple[str, list[Any]] = (_LIVES, []) if self.leads else (_LEAD, [_LEADER])
        row = await (await conn.execute(question[0].encode(), question[1])).fetchone()
        leads = row == (True,)
        if leads and not self.leads:
            log.info("leader.elected")
        self.leads = leads

    def _dispatch_message(self, payload: str) -> None:
        try:
            message = json.decode(payload, type=_Message)
        except DecodeError:  # sent by another version, or by hand
            return
        if message.by != self._backend_pid:
            for kind, about in message.changes:
                self._dispatch(kind, about)

    def _dispatch(self, kind: NoticeKind, about: str) -> None:
        for callback in tuple(self._subscribers.get(kind, ())):
            callback(about)


@contextlib.asynccontextmanager
async def coordinating(reached: DatabaseUrls, pool: Pool) -> AsyncGenerator[Coordination]:
    """Take part as one process while the context is open. `pool`: the pool of requests."""
    url = (
        reached.without_pooler
        if reached.role is None
        else url_with_login(reached.without_pooler, reached.role)
    )
    async with open_pool(reached.without_pooler, reached.role, 1, 1, name=SESSION) as sending:
        here = Coordination(pool, sending)
        running = [asyncio.create_task(here.send()), asyncio.create_task(here.receive(url))]
        try:
            yield here
        finally:
            await cancel_and_wait(*running)
