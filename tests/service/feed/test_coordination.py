import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import psycopg
import pytest
from msgspec import structs

from service.feed.coordination import Coordination, NoticeKind, coordinating
from service.feed.leader_jobs import run_on_leader
from service.store.connection.pool import Pool, open_pool
from service.store.server.distribution import SERVICE_ROLE
from service.store.server.logins import DatabaseUrls
from service.store.server.migrate import Schema, SqlFile, migrate, packaged_schema
from tests.postgres import Cluster
from tests.waiting import time_limit

Notice = tuple[NoticeKind, str]
Started = Callable[[], "asyncio.Future[Coordination]"]


@pytest.fixture
async def reached(embedded_cluster: Cluster) -> AsyncIterator[DatabaseUrls]:
    with embedded_cluster.migrated_database() as url:
        yield DatabaseUrls(url=url, role=SERVICE_ROLE, owner=url)


@asynccontextmanager
async def process(reached: DatabaseUrls) -> AsyncGenerator[tuple[Coordination, Pool]]:
    async with (
        open_pool(reached.url, reached.role, 1, 2) as pool,
        coordinating(reached, pool) as here,
    ):
        async with asyncio.timeout(time_limit(10)):
            await here.listens.wait()
        yield here, pool


def notices_to(one: Coordination, kind: NoticeKind) -> asyncio.Queue[str]:
    heard: asyncio.Queue[str] = asyncio.Queue()
    one.subscribe(kind, heard.put_nowait)
    return heard


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(time_limit(20)):
        while not holds():  # noqa: ASYNC110 -- another process does it
            await asyncio.sleep(0.01)


async def test_what_one_tells_the_others_hear_and_it_does_not(reached: DatabaseUrls) -> None:
    async with process(reached) as (one, _), process(reached) as (other, _):
        here, there = notices_to(one, "game"), notices_to(other, "game")
        for number in range(250):  # more than one message carries
            one.publish("game", f"game {number}")
        async with asyncio.timeout(time_limit(10)):
            found = [await there.get() for _ in range(250)]
            other.publish("game", "back")
            assert await here.get() == "back"
    assert found == [f"game {number}" for number in range(250)]
    assert here.empty()


async def test_a_session_that_is_lost_is_made_again_and_hears(reached: DatabaseUrls) -> None:
    async with process(reached) as (one, _), process(reached) as (other, _):
        there, anew = notices_to(other, "game"), notices_to(other, "access")
        with psycopg.connect(reached.url, autocommit=True) as admin:
            admin.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
        async with asyncio.timeout(time_limit(20)):
            await anew.get()  # subscribers that missed messages read again
            await other.listens.wait()
            while there.empty():
                one.publish("game", "again")
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        assert await there.get() == "again"
                        break


async def test_one_leads_and_another_takes_over_when_it_ends(reached: DatabaseUrls) -> None:
    async with process(reached) as (other, _):
        async with AsyncExitStack() as stack:
            one, _ = await stack.enter_async_context(process(reached))
            assert [other.leads, one.leads] == [True, False]
        async with process(reached) as (third, _):
            assert not third.leads
    async with process(reached) as (last, _):
        await until(lambda: last.leads)  # once the server has noticed that the other went


async def test_who_leads_no_more_says_so_and_another_leads(reached: DatabaseUrls) -> None:
    async with process(reached) as (one, _), process(reached) as (other, _):
        assert (one.leads, other.leads) == (True, False)
        with psycopg.connect(reached.url, autocommit=True) as admin:
            admin.execute(
                """
                SELECT pg_terminate_backend(l.pid) FROM pg_locks l
                WHERE l.locktype = 'advisory' AND l.granted
                  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            )
        await until(lambda: not one.leads)
        await until(lambda: one.leads != other.leads)


async def test_a_chore_is_done_by_who_leads_and_again_when_it_is_due() -> None:
    done: list[str] = []
    now, leader = 0.0, "one"

    async def chore(name: str) -> None:
        done.append(name)

    def doing(name: str) -> "asyncio.Task[None]":
        return asyncio.create_task(
            run_on_leader(lambda: chore(name), lambda: leader == name, lambda: now, 60.0)
        )

    tasks = [doing("one"), doing("other")]
    await until(lambda: done == ["one"])
    now = 61.0
    await until(lambda: done == ["one", "one"])
    leader = "other"
    await until(lambda: done == ["one", "one", "other"])
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_process_whose_schema_a_newer_version_replaced_works_no_more(
    reached: DatabaseUrls,
) -> None:
    async with process(reached) as (_, pool):
        assert pool.refusal_reason is None
        now = packaged_schema()
        added = SqlFile(name="migrations/999_added.sql", sql=b"CREATE TABLE carnet.added ()")
        await migrate(reached.url, Schema(objects=now.objects, migrations=(*now.migrations, added)))
        await until(lambda: pool.refusal_reason is not None)


async def test_by_an_address_without_a_role_a_process_listens_too(reached: DatabaseUrls) -> None:
    async with process(structs.replace(reached, role=None)) as (one, _):
        assert one.leads
