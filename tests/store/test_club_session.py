"""A session of one club reads and writes nothing of another, even by SQL without a club condition.

For servers with row-level security; on_cluster.py tests the nodes of a cluster.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date
from typing import LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec import Struct
from psycopg import errors
from psycopg.sql import SQL, Identifier

from service.store.club.players import Players
from service.store.club.seasons import Seasons
from service.store.connection.pool import Pool, connection, open_pool
from service.store.feed.positions import Feed
from service.store.log.events import EventStore
from service.store.read_models.listing import GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import Season
from service.store.server.migrate import migrate
from tests.postgres import CitusCluster, Cluster
from tests.store.samples import SampleTable, note, play

# Of a club each has rows once it has played (`Club.played`).
FILLED = (
    *("entry", "free_text", "feed", "feed_mark", "player", "seat", "game", "game_player"),
    *("season", "entry_json"),
)

CALLS = """
    SELECT p.oid::regprocedure::text, p.pronargs
    FROM pg_proc p
    WHERE p.pronamespace = 'carnet'::regnamespace AND 'p_club_id' = ANY (p.proargnames)
      AND p.prosecdef AND has_function_privilege('carnet_service', p.oid, 'EXECUTE')
"""

UNBARRED = """
    SELECT c.relname FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'club_id'
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
      AND NOT (c.relrowsecurity AND EXISTS (
          SELECT FROM pg_policies p
          WHERE p.schemaname = 'carnet' AND p.tablename = c.relname AND p.cmd = 'ALL'
      ))
"""


class Club(Struct, frozen=True):
    club_id: UUID
    table: SampleTable
    game_id: UUID

    @classmethod
    async def with_game(cls, pool: Pool) -> "Club":
        club_id = uuid4()
        table = await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
        game_id = await table.start_game()
        await table.append(game_id, 1, play(0, "AH"), note("heard"))
        await Feed(pool, club_id).complete()
        season = Season(
            season_id=uuid4(), name="Winter", first_day=date(2026, 1, 1), last_day=date(2026, 3, 1)
        )
        await Seasons(pool, club_id).write(season)
        return cls(club_id, table, game_id)


@pytest.fixture(scope="session")
async def barred_url(cluster: Cluster, embedded_cluster: Cluster) -> AsyncGenerator[str]:
    single = embedded_cluster if isinstance(cluster, CitusCluster) else cluster
    with single.migrated_database() as url:
        yield url


@asynccontextmanager
async def pool_in_mode(url: str, mode: str) -> AsyncGenerator[Pool]:
    """Open a pool of one session that sets its club by `mode`."""
    async with open_pool(url, "carnet_service", 1, 1) as pool:
        pool.behind_pooler = mode == "behind a pooler"
        if mode == "of several clubs":
            for _ in range(2):
                await Players(pool, uuid4()).all()
        yield pool


@pytest.fixture(params=["of one club", "of several clubs", "behind a pooler"])
async def lent(request: pytest.FixtureRequest, barred_url: str) -> AsyncGenerator[Pool]:
    async with pool_in_mode(barred_url, request.param) as pool:
        yield pool


@pytest.fixture
async def other(barred_url: str) -> Club:
    async with pool_in_mode(barred_url, "of one club") as pool:
        return await Club.with_game(pool)


@pytest.fixture
async def own(lent: Pool, other: Club) -> Club:
    del other  # it was there before
    return await Club.with_game(lent)


async def clubs_in(pool: Pool, club_id: UUID, relation: str) -> set[UUID]:
    query = SQL("SELECT club_id FROM carnet.{}").format(Identifier(relation))
    async with connection(pool, club_id) as conn:
        return {row[0] async for row in await conn.execute(query)}


def test_no_table_of_clubs_is_left_out(barred_url: str) -> None:
    with psycopg.connect(barred_url) as conn:
        assert conn.execute(UNBARRED).fetchall() == [("club",)]


async def test_a_query_that_forgets_the_club_reads_its_own(lent: Pool, own: Club) -> None:
    for relation in FILLED:
        assert await clubs_in(lent, own.club_id, relation) == {own.club_id}, relation


async def test_a_session_that_says_no_club_reads_nothing(barred_url: str, other: Club) -> None:
    del other
    async with open_pool(barred_url, "carnet_service", 1, 1) as pool:
        for relation in FILLED:
            query = SQL("SELECT FROM carnet.{}").format(Identifier(relation))
            async with pool.connection() as conn:
                assert await (await conn.execute(query)).fetchall() == [], relation


async def test_a_query_for_another_club_reads_nothing(lent: Pool, own: Club, other: Club) -> None:
    query = "SELECT FROM carnet.entry WHERE club_id = %s"
    async with connection(lent, own.club_id) as conn:
        assert await (await conn.execute(query, [other.club_id])).fetchall() == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE carnet.player SET name = 'X', folded = 'x', same_name = true",
        "UPDATE carnet.player SET name = NULL, folded = NULL WHERE club_id = ANY (%(clubs)s)",
        "UPDATE carnet.season SET name = 'X'",
        "DELETE FROM carnet.season",
    ],
)
async def test_a_change_that_forgets_the_club_changes_its_own(
    change: LiteralString, lent: Pool, own: Club, other: Club, barred_url: str
) -> None:
    async with connection(lent, own.club_id) as conn:
        done = await conn.execute(change, {"clubs": [own.club_id, other.club_id]})
        assert done.rowcount in {1, 2}
    async with pool_in_mode(barred_url, "of one club") as pool:
        people = await Players(pool, other.club_id).all()
        assert [person.name for person in people] == ["Ann", "Bob"]
        assert [one.name for one in await Seasons(pool, other.club_id).all()] == ["Winter"]


async def test_a_row_of_another_club_is_not_inserted(lent: Pool, own: Club, other: Club) -> None:
    insert = "INSERT INTO carnet.player (club_id, player_id) VALUES (%s, %s)"
    async with connection(lent, own.club_id) as conn:
        with pytest.raises(errors.InsufficientPrivilege):
            await conn.execute(insert, [other.club_id, uuid4()])


async def test_every_call_for_another_club_is_refused(
    lent: Pool, own: Club, other: Club, barred_url: str
) -> None:
    with psycopg.connect(barred_url) as owner:
        calls = owner.execute(CALLS).fetchall()
    assert calls
    for signature, arguments in calls:
        name = signature.partition("(")[0]
        call = f"SELECT {name}(%s{', NULL' * (arguments - 1)})"
        async with connection(lent, own.club_id) as conn:
            with pytest.raises(errors.InsufficientPrivilege, match="another club"):
                await conn.execute(call.encode(), [other.club_id])


async def test_the_stores_read_and_write_their_own_club(lent: Pool, own: Club) -> None:
    page = await GameIndex(lent, own.club_id).games(GameFilter())
    assert [game.game_id for game in page.games] == [own.game_id]
    assert [entry.version for entry in await own.table.events.read(own.game_id)] == [1, 2, 3]
    await own.table.append(own.game_id, 3, play(0, "KH"))
    assert [one.entries async for one in own.table.events.verify()] == [4]


async def test_clubs_take_turns_on_one_session(lent: Pool) -> None:
    clubs = [await Club.with_game(lent) for _ in range(3)]
    for club in (*clubs, *reversed(clubs)):
        assert await clubs_in(lent, club.club_id, "entry") == {club.club_id}
        game = await club.table.start_game()
        assert len(await club.table.events.read(game)) == 1


async def test_what_several_said_is_gone_with_the_transaction(barred_url: str) -> None:
    async with pool_in_mode(barred_url, "of several clubs") as pool:
        club = await Club.with_game(pool)
        async with connection(pool, club.club_id) as conn, conn.transaction():
            rows = await conn.execute("SELECT DISTINCT club_id FROM carnet.entry")
            assert await rows.fetchall() == [(club.club_id,)]
        async with pool.connection() as conn:
            conn.club_per_transaction = None
            told = await conn.execute("SELECT current_setting('carnet.club_id', true)")
            assert await told.fetchone() in {("",), (None,)}


async def test_the_owner_is_not_held(barred_url: str, other: Club) -> None:
    async with open_pool(barred_url, None, 1, 1) as pool:
        assert not pool.row_security
        assert other.club_id in await clubs_in(pool, uuid4(), "entry")


async def test_a_database_has_the_barrier_on_every_table_of_a_club_s(cluster: Cluster) -> None:
    with cluster.database() as url:
        await migrate(url)
        with psycopg.connect(url) as conn:
            assert conn.execute(UNBARRED).fetchall() == [("club",)]
