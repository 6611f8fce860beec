"""Every statement of every write fails once: the write is stored completely or not at all.

Each write is repeated, and each time another statement does not reach the server, or its answer is
lost, or one of the tables has no room. Afterwards the database contains all of the write or
nothing, all of it if the client was told so, and a repetition of the command succeeds.
"""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any, Literal
from uuid import uuid4

import httpx
import psycopg
import pytest
from msgspec import Struct
from psycopg import sql

from tests.http.club import DEAL, LOST_RESULT, Game, add_player, client_with_key
from tests.round_trips import UNCOUNTED, RoundTrips
from tests.service_process import KEY, ServiceProcess

How = Literal["unsent", "unheard"]
_ASKING = b"QS"
_READY = ord("Z")
_HEADER_BYTES = 5
_CHUNK_BYTES = 65_536


class _Messages:
    def __init__(self) -> None:
        self._unread = b""

    def whole(self, chunk: bytes) -> list[bytes]:
        self._unread += chunk
        found: list[bytes] = []
        while len(self._unread) >= _HEADER_BYTES:
            end = 1 + int.from_bytes(self._unread[1:_HEADER_BYTES])
            if end > len(self._unread):
                break
            found.append(self._unread[:end])
            self._unread = self._unread[end:]
        return found


class Cutting(RoundTrips):
    """A proxy that cuts connections. `fired`: the cut has happened."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._lock = threading.Lock()
        self._left = 0
        self._how: How = "unsent"
        self._deaf: set[socket.socket] = set()
        self.fired = False

    def cut(self, step: int, how: How) -> None:
        with self._lock:
            self._left, self._how, self.fired = step, how, False

    def _steps(self) -> How | None:
        with self._lock:
            if not self._left:
                return None
            self._left -= 1
            if self._left:
                return None
            self.fired = True
            return self._how

    def pass_asked(self, client: socket.socket, server: socket.socket) -> None:
        messages = _Messages()
        with suppress(OSError), client, server:
            while chunk := client.recv(_CHUNK_BYTES):
                for message in messages.whole(chunk):
                    how = self._steps() if message[0] in _ASKING else None
                    if how == "unsent":
                        _end(client, server)
                        return
                    if how == "unheard":
                        self._deaf.add(client)
                    server.sendall(message)

    def pass_answered(self, server: socket.socket, client: socket.socket) -> None:
        messages = _Messages()
        with suppress(OSError), client, server:
            while chunk := server.recv(_CHUNK_BYTES):
                for message in messages.whole(chunk):
                    if client not in self._deaf:
                        client.sendall(message)
                    elif message[0] == _READY:
                        _end(client, server)
                        return

    def _connect(self, client: socket.socket) -> None:
        with suppress(OSError):
            first, server = client.recv(_CHUNK_BYTES), self._connected()
            server.sendall(first)
            counts = UNCOUNTED not in first
            asked, answered = (
                (self.pass_asked, self.pass_answered) if counts else (_pass_raw, _pass_raw)
            )
            threading.Thread(target=answered, args=(server, client), daemon=True).start()
            asked(client, server)


def _end(*connected: socket.socket) -> None:
    for one in connected:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _pass_raw(of: socket.socket, to: socket.socket) -> None:
    with suppress(OSError), of, to:
        while chunk := of.recv(_CHUNK_BYTES):
            to.sendall(chunk)


STEPS_MAX = 40
# A background statement of the service may get the fault instead.
TRIES = 5
NOTE = {"type": "note", "text": "by the window"}
RECORD = '[Ruleset euchre]\n[Seats 2]\n[Players "Cid {0}" "Dot {0}"]\n'
# Tables that background tasks write.
OWN = {
    "feed", "feed_mark", "feed_tile", "head", "head_key", "migration", "backup", "standings_kept",
    "webhook_delivery", "result_change",
}  # fmt: skip
REFUSING = """
    CREATE FUNCTION carnet.no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$
"""

Send = Callable[[], Awaitable[httpx.Response]]


class Write(Struct, frozen=True):
    """One request. `send` may be called again; `repeats`: the second time it is the same command.

    `done`: the status by which it is acknowledged.
    """

    send: Send
    repeats: bool
    done: int


@pytest.fixture(scope="module")
def proxy(database: str) -> Iterator[Cutting]:
    with Cutting.counted(database) as cutting:
        yield cutting


@pytest.fixture(scope="module")
def cut_off(proxy: Cutting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("steps") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=proxy.url) as running:
        yield running


@pytest.fixture
async def http(cut_off: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(cut_off.url, KEY) as client:
        # A browser's forms too.
        assert (await client.get("/login", params={"key": KEY})).status_code == 303
        yield client


async def entries(http: httpx.AsyncClient) -> Write:
    game, key = await Game.start(http), str(uuid4())
    return Write(lambda: game.send(*DEAL, LOST_RESULT, NOTE, key=key), repeats=True, done=201)


async def start(http: httpx.AsyncClient) -> Write:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    body, headers = {"ruleset": "euchre", "players": players}, {"Idempotency-Key": str(uuid4())}
    return Write(
        lambda: http.post("/api/games", json=body, headers=headers), repeats=True, done=201
    )


async def bring_in(http: httpx.AsyncClient) -> Write:
    record, headers = RECORD.format(uuid4()).encode(), {"Idempotency-Key": str(uuid4())}
    headers["Content-Type"] = "text/vnd.carnet"
    return Write(
        lambda: http.post("/api/imports", content=record, headers=headers), repeats=True, done=201
    )


async def erase(http: httpx.AsyncClient) -> Write:
    game = await Game.start(http)
    await game.record(NOTE)
    return Write(lambda: http.delete(f"{game.path}/entries/2/text"), repeats=True, done=204)


async def link(http: httpx.AsyncClient) -> Write:
    game = await Game.start(http)
    body = {"role": "scorer"}
    return Write(lambda: http.post(f"{game.path}/links", json=body), repeats=False, done=201)


async def member(http: httpx.AsyncClient) -> Write:
    form = {"name": "Eve", "role": "scorer"}
    return Write(lambda: http.post("/people", data=form), repeats=False, done=303)


async def person(http: httpx.AsyncClient) -> Write:
    return Write(
        lambda: http.post("/api/players", json={"name": "Flo", "same_name": True}),
        repeats=False,
        done=201,
    )


WRITES = [entries, start, bring_in, erase, link, member, person]


def counted(database: str) -> Counter[str]:
    with psycopg.connect(database) as conn:
        found = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'carnet'")
        tables = sorted({name for (name,) in found} - OWN)
        each = [
            sql.SQL("SELECT {}, count(*) FROM carnet.{}").format(
                sql.Literal(name), sql.Identifier(name)
            )
            for name in tables
        ]
        erased = sql.SQL("SELECT 'erased', count(*) FROM carnet.free_text WHERE text IS NULL")
        rows: Any = conn.execute(sql.SQL(" UNION ALL ").join([*each, erased])).fetchall()
        return Counter(dict(rows))


async def judged(write: Write, whole: Counter[str], database: str) -> int:
    """Send a write that something befalls; return its status. `whole`: the rows it makes."""
    before = counted(database)
    status = (await write.send()).status_code
    made = +(counted(database) - before)
    assert status in {write.done, 503, 507}
    assert made == whole if status == write.done else made in (whole, Counter())
    return status


async def again(write: Write, whole: Counter[str], before: Counter[str], database: str) -> None:
    answer = await write.send()
    while answer.status_code in {503, 507}:
        await asyncio.sleep(0.05)
        answer = await write.send()
    assert answer.status_code == write.done, answer.text
    assert (await write.send()).content == answer.content
    assert +(counted(database) - before) == whole


async def measured(
    make: Callable[[httpx.AsyncClient], Awaitable[Write]], http: httpx.AsyncClient, database: str
) -> Counter[str]:
    write = await make(http)
    before = counted(database)
    answer = await write.send()
    assert answer.status_code == write.done, answer.text
    return +(counted(database) - before)


@pytest.mark.parametrize("how", ["unsent", "unheard"])
@pytest.mark.parametrize("make", WRITES)
async def test_a_statement_that_fails_or_is_not_heard_of_leaves_all_or_nothing(
    make: Callable[[httpx.AsyncClient], Awaitable[Write]],
    how: How,
    http: httpx.AsyncClient,
    proxy: Cutting,
    database: str,
    record_property: Callable[[str, int], None],
) -> None:
    whole = await measured(make, http, database)
    failed = broken = 0
    fired = True
    for step in range(1, STEPS_MAX):
        for _ in range(TRIES):
            write = await make(http)
            before = counted(database)
            proxy.cut(step, how)
            status = await judged(write, whole, database)
            fired = proxy.fired
            proxy.cut(0, how)
            if write.repeats:
                await again(write, whole, before, database)
            broken += fired
            failed += status != write.done
            if not fired or status != write.done:
                break
        if not fired:
            break
    assert not fired, "there are more steps than were broken"
    assert failed, "no break was noticed"
    record_property("steps broken", broken)
    record_property("answered by 5xx", failed)


@pytest.mark.parametrize("make", WRITES)
async def test_a_table_without_room_leaves_nothing(
    make: Callable[[httpx.AsyncClient], Awaitable[Write]],
    http: httpx.AsyncClient,
    database: str,
    record_property: Callable[[str, int], None],
) -> None:
    whole = await measured(make, http, database)
    tables = sorted(counted(database).keys() - {"erased"})
    failed: list[str] = []
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(REFUSING)
        try:
            for table in tables:
                write = await make(http)
                before = counted(database)
                name = sql.Identifier(table)
                does = "FOR EACH STATEMENT EXECUTE FUNCTION carnet.no_room()"
                when = "BEFORE INSERT OR UPDATE OR DELETE"
                owner.execute(
                    sql.SQL("CREATE TRIGGER no_room {} ON carnet.{} {}").format(
                        sql.SQL(when), name, sql.SQL(does)
                    )
                )
                try:
                    status = await judged(write, whole, database)
                finally:
                    owner.execute(sql.SQL("DROP TRIGGER no_room ON carnet.{}").format(name))
                if status != write.done:
                    failed.append(table)
                    assert status == 507
                    assert counted(database) == before
                if write.repeats:
                    await again(write, whole, before, database)
        finally:
            owner.execute("DROP FUNCTION carnet.no_room")
    # Erasing changes a row and adds none.
    assert {*failed} >= ({*whole} - {"erased"} or {"free_text"})
    record_property("steps broken", len(tables))
    record_property("answered by 5xx", len(failed))
