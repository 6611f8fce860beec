"""A real Citus cluster: each club is on one node, and its requests use only that node."""

from collections.abc import Iterator, Sequence
from contextlib import aclosing
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec import structs
from psycopg.sql import SQL, Identifier

from service.store.club.changes import ClubChanges
from service.store.club.players import Players
from service.store.connection.pool import Pool, owner_session
from service.store.feed.positions import Feed
from service.store.log.chain import entry_hash, seating_hash
from service.store.log.events import EventStore
from service.store.log.restore import open_restore
from service.store.records import ChainedEntry
from service.store.server.distribution import Change, count_nodes, distribute
from service.store.server.migrate import migrate
from tests.postgres import CitusCluster, server_url_of_club
from tests.store.samples import SampleTable, note, play

CLUBS = 64

_TABLES = """
    SELECT DISTINCT colocationid FROM pg_dist_partition
    WHERE logicalrelid::text LIKE 'carnet.%'
"""

_UNSPREAD = """
    SELECT c.relname FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'club_id'
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
      AND c.oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)
"""

_OF_CLUBS = """
    SELECT c.relname FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'club_id'
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
"""

ASKED: tuple[LiteralString, ...] = (
    "EXPLAIN SELECT * FROM carnet.append(%(club)s, '[]', true)",
    """EXPLAIN SELECT * FROM carnet.append_entry(
        %(club)s, %(game)s, 1, %(game)s, NULL, 'play', 1::smallint, '{}', '{}')""",
    "EXPLAIN SELECT * FROM carnet.entry WHERE club_id = %(club)s AND game_id = %(game)s",
    "EXPLAIN SELECT * FROM carnet.game WHERE club_id = %(club)s",
    "EXPLAIN SELECT * FROM carnet.results_changed(%(club)s, NULL, NULL, NULL)",
)


@pytest.fixture
def owner_of_all(database_url: str) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with psycopg.connect(database_url, autocommit=True) as conn:
        yield conn


async def test_again_is_nothing(database_url: str) -> None:
    assert [change async for change in distribute(database_url)] == []
    assert await count_nodes(database_url) == 2
    migrated = await migrate(database_url)
    assert (migrated.applied, migrated.distributed) == ((), ())


@pytest.mark.parametrize("stopped_after", [1, 40, 60, 90])
async def test_a_call_that_was_interrupted_is_continued_by_the_next(
    cluster: CitusCluster, stopped_after: int
) -> None:
    with cluster.distributed_database() as url:
        await migrate(url)
        made: list[Change] = []
        async with aclosing(distribute(url)) as changes:
            async for change in changes:
                made.append(change)
                if len(made) == stopped_after:
                    break
        migrated = await migrate(url)
        continued = [*migrated.distributed, *[change async for change in distribute(url)]]
        with psycopg.connect(url) as conn:
            assert conn.execute(_UNSPREAD).fetchall() == []
        tables = [change for change in (*made, *continued) if change.kind == "table"]
        assert len(tables) == len(set(tables))
        assert [change async for change in distribute(url)] == []


def test_every_table_is_spread_by_club_beside_the_others(
    owner_of_all: psycopg.Connection[tuple[Any, ...]],
) -> None:
    assert owner_of_all.execute(_UNSPREAD).fetchall() == []
    assert len(owner_of_all.execute(_TABLES).fetchall()) == 1


def test_clubs_stand_on_every_node_each_on_one(database_url: str) -> None:
    nodes = [server_url_of_club(database_url, uuid4()) for _ in range(CLUBS)]
    assert len(set(nodes)) == 2
    assert min(nodes.count(node) for node in set(nodes)) > CLUBS // 8


async def test_an_append_and_a_reading_ask_one_node(
    owner_of_all: psycopg.Connection[tuple[Any, ...]], table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    for asked in ASKED:
        plan = owner_of_all.execute(asked, {"club": str(club_id), "game": str(game_id)}).fetchall()
        assert "Task Count: 1" in "\n".join(line for (line,) in plan), plan


async def test_a_node_refuses_what_the_coordinator_does(
    database_url: str, club_id: UUID, table: SampleTable
) -> None:
    await table.start_game()
    node = server_url_of_club(database_url, club_id).replace("//postgres@", "//carnet_service@")
    with psycopg.connect(node, autocommit=True) as conn:
        for refused in ("DELETE FROM carnet.entry", "ALTER TABLE carnet.entry DISABLE TRIGGER ALL"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(refused.encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("SET ROLE postgres")
        waits = conn.execute("SHOW lock_timeout").fetchone()
    assert waits == ("10s",)


def rechain(
    links: Sequence[ChainedEntry], club_id: UUID, game_id: UUID, players: Sequence[UUID]
) -> list[ChainedEntry]:
    made: list[ChainedEntry] = []
    last = seating_hash(players)
    for link in links:
        moved = structs.replace(link, game_id=game_id)
        last = entry_hash(club_id, moved, last)
        made.append(structs.replace(moved, entry=structs.replace(link.entry, hash=last)))
    return made


async def test_what_was_copied_in_beside_other_games_is_in_the_feed(
    database_url: str, pool: Pool, table: SampleTable, club_id: UUID
) -> None:
    feed, game_id = Feed(pool, club_id), await table.start_game()
    links = [link async for link in table.events.walk()]
    await feed.complete()
    with psycopg.connect(server_url_of_club(database_url, club_id), autocommit=True) as node:
        for _ in range(2_000):  # far above the transaction numbers of the coordinator
            node.execute("SELECT pg_current_xact_id()")
    await table.start_game()
    assert await feed.complete() == 2
    other = uuid4()
    async with open_restore(database_url, club_id) as restore, restore.feed.lock():
        chained = rechain(links, club_id, other, table.players)
        await restore.game(other, table.players, chained)
    assert await feed.complete() == 3
    assert {entry.game_id for entry in await feed.page(0, 10)} >= {game_id, other}


async def test_a_club_is_removed_whole_and_no_other(
    database_url: str, pool: Pool, table: SampleTable, club_id: UUID
) -> None:
    elsewhere = uuid4()
    other = await SampleTable.with_players(EventStore(pool, elsewhere), Players(pool, elsewhere))
    kept, gone = await other.start_game(), await table.start_game()
    await table.append(gone, 1, play(0, "AH"), note("heard"))
    await Feed(pool, club_id).complete()
    async with owner_session(database_url) as conn:
        await ClubChanges(conn).add(club_id, "Acacia", bytes(32))
        await ClubChanges(conn).remove(club_id)
    assert await table.events.read(gone) == []
    assert await Players(pool, club_id).all() == []
    assert len(await other.events.read(kept)) == 1
    with psycopg.connect(database_url) as conn:
        for (name,) in conn.execute(_OF_CLUBS).fetchall():
            left = SQL("SELECT FROM carnet.{} WHERE club_id = %s").format(Identifier(name))
            assert conn.execute(left, [club_id]).fetchall() == [], name
