import asyncio
from datetime import UTC
from urllib.parse import quote
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from service.errors import StoreUnavailable
from service.store.connection.pool import connection, open_pool, session_options
from service.store.log.events import EventStore
from tests.postgres import server_url_of_club
from tests.store.samples import SampleTable, play


def with_options(url: str, options: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}options={quote(options)}"


async def test_times_are_utc(events: EventStore, table: SampleTable) -> None:
    (started,) = await events.read(await table.start_game())
    assert started.recorded_at.tzinfo is not None
    assert started.recorded_at.utcoffset() == UTC.utcoffset(None)


async def test_an_addresss_own_options_are_kept(database_url: str) -> None:
    url = with_options(database_url, "-c work_mem=7MB")
    async with open_pool(url, "carnet_service", 1, 1) as pool, connection(pool, None) as conn:
        row = await (await conn.execute("SELECT current_setting('work_mem')")).fetchone()
    assert row == ("7MB",)
    assert str(conninfo_to_dict(url)["options"]) in session_options(url, for_service=True)


async def test_a_game_held_by_another_is_unavailable(
    database_url: str, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    url = with_options(database_url, "-c lock_timeout=50ms")
    with psycopg.connect(server_url_of_club(database_url, club_id)) as holder:
        holder.execute("SELECT carnet.lock_game(%s, %s)", [club_id, game_id])
        async with open_pool(url, "carnet_service", 1, 1) as pool:
            impatient = SampleTable(EventStore(pool, club_id), table.players)
            with pytest.raises(StoreUnavailable):
                await impatient.append(game_id, 1, play(0, "AH"))


async def test_broken_connections_are_replaced_together(
    database_url: str, events: EventStore, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    url = with_options(database_url, "-c application_name=to-be-broken")
    async with open_pool(url, "carnet_service", 4, 4) as pool:
        await asyncio.gather(*(EventStore(pool, club_id).read(game_id) for _ in range(4)))
        with psycopg.connect(database_url, autocommit=True) as admin:
            admin.execute(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE application_name = 'to-be-broken'
                """
            )
        with pytest.raises(StoreUnavailable):
            await EventStore(pool, club_id).read(game_id)
        for _ in range(4):
            assert await EventStore(pool, club_id).read(game_id) == await events.read(game_id)


async def test_a_server_that_is_not_there_is_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.store.connection.pool.WAIT_SECONDS_MAX", 0.2)
    with pytest.raises(StoreUnavailable):
        async with open_pool("postgresql:///carnet?host=/nowhere", None):
            pass
