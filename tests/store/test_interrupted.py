"""A request cancelled at any await returns a session that works and is not mixed up.

Cancelled at each await, once, or again at each later one, as a cancel scope of anyio does when the
client disconnects. psycopg yields at more places on a busy machine (MAX_BUSY_TIME); here always.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from itertools import count
from types import coroutine
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import waiting
from psycopg.sql import SQL, Literal

from service.store.club.players import Players
from service.store.connection.multi_query import multi_query
from service.store.connection.pool import Pool, connection, open_pool
from service.store.log.events import EventStore
from tests.postgres import Cluster
from tests.store.samples import SampleTable
from tests.store.test_club_session import pool_in_mode

Asked: TypeAlias = Callable[[Pool, UUID], Coroutine[Any, Any, object]]

# Pending reads of psycopg on a closed session.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

MODES = ["of one club", "of several clubs", "behind a pooler"]


@pytest.fixture(scope="module")
async def barred_url(embedded_cluster: Cluster) -> AsyncGenerator[str]:
    with embedded_cluster.migrated_database() as url:
        yield url


@coroutine
def interrupt_at(
    asked: Coroutine[Any, Any, object], place: int, *, again: bool, late: bool
) -> Generator[Any, None, bool]:
    waited = 0
    try:
        waiting = asked.send(None)
        while True:
            waited += 1
            if waited == place or (again and waited > place):
                if late:
                    yield waiting
                elif waiting is not None:
                    waiting.cancel()
                waiting = asked.throw(asyncio.CancelledError())
            else:
                yield waiting
                waiting = asked.send(None)
    except StopIteration:
        return waited >= place
    except asyncio.CancelledError:
        return True


async def a_statement(pool: Pool, club_id: UUID) -> None:
    await Players(pool, club_id).create(uuid4(), "Ann", same_name=True)


async def a_transaction(pool: Pool, club_id: UUID) -> None:
    async with connection(pool, club_id) as conn, conn.transaction():
        insert = "INSERT INTO carnet.player (club_id, player_id) VALUES (%s, %s)"
        await conn.execute(insert, [club_id, uuid4()])
        await conn.execute(insert, [club_id, uuid4()])


async def multi_query_of_club(pool: Pool, club_id: UUID) -> None:
    people = SQL("SELECT * FROM carnet.player WHERE club_id = {}").format(Literal(club_id))
    await multi_query(pool, club_id, people, people)


async def a_call(pool: Pool, club_id: UUID) -> None:
    async with connection(pool, club_id, club_in_arguments=True) as conn:
        await conn.execute("SELECT * FROM carnet.append(%s, '[]'::jsonb, true)", [club_id])


async def is_stored(pool: Pool, url: str, club_id: UUID) -> bool:
    table = await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
    game_id = await table.start_game()
    with psycopg.connect(url) as other:
        look = other.execute("SELECT FROM carnet.entry WHERE game_id = %s", [game_id])
        return bool(look.fetchall())


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("again", [False, True], ids=["once", "again and again"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("asked", [a_statement, a_transaction, multi_query_of_club, a_call])
async def test_an_interrupted_session_does_what_it_answers(
    asked: Asked,
    mode: str,
    barred_url: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    again: bool,
    late: bool,
) -> None:
    monkeypatch.setattr(waiting, "MAX_BUSY_TIME", 0.0)
    async with pool_in_mode(barred_url, mode) as pool:
        club_id = uuid4()
        for place in count(1):
            if not await interrupt_at(asked(pool, club_id), place, again=again, late=late):
                break
            async with asyncio.timeout(60):
                assert await is_stored(pool, barred_url, club_id), place


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("again", [False, True], ids=["once", "again and again"])
async def test_whoever_waits_for_a_session_that_many_leave_gets_one(
    barred_url: str, *, again: bool, late: bool
) -> None:
    async with pool_in_mode(barred_url, "of several clubs") as pool:
        club_id = uuid4()
        for place in range(1, 20):
            async with asyncio.timeout(60):
                first = Players(pool, club_id).all()
                leave = [
                    interrupt_at(a_statement(pool, club_id), place, again=again, late=late)
                    for _ in range(5)
                ]
                last = Players(pool, club_id).all()
                await asyncio.gather(first, *leave, last)


async def test_whoever_is_interrupted_while_giving_back_keeps_no_session(barred_url: str) -> None:
    async with pool_in_mode(barred_url, "of one club") as pool:
        club_id, borrowed, enough = uuid4(), asyncio.Event(), asyncio.Event()

        async def borrower() -> None:
            async with connection(pool, club_id):
                borrowed.set()
                await enough.wait()

        leaving = asyncio.ensure_future(borrower())
        await borrowed.wait()
        # As if another task returned a connection.
        async with pool._lock:  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            enough.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
        assert await Players(pool, club_id).all() == []


@pytest.mark.parametrize("turns", range(12))
async def test_whoever_is_interrupted_as_a_session_comes_goes_no_further(
    barred_url: str, turns: int
) -> None:
    async with open_pool(barred_url, None, 1, 1) as pool:

        async def waits() -> None:
            async with connection(pool, None):
                await asyncio.sleep(60)

        async with connection(pool, None):
            waiter = asyncio.ensure_future(waits())
            await asyncio.sleep(0.05)
            assert pool.get_stats()["requests_waiting"] == 1
        for _ in range(turns):
            await asyncio.sleep(0)
        waiter.cancel()
        async with asyncio.timeout(30):
            await asyncio.gather(waiter, return_exceptions=True)
            assert waiter.cancelled()
            async with connection(pool, None) as conn:
                await conn.execute("SELECT")
