"""Bringing a database to the schema."""

import asyncio
from collections.abc import Iterator
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest
from msgspec import structs
from psycopg import sql

from service.errors import MigrationChanged, StartupError
from service.store.events import EventStore
from service.store.migrate import Migration, current, migrate, packaged
from service.store.players import Players
from service.store.pool import open_pool
from service.store.records import DEFAULT_CLUB
from tests.postgres import Cluster
from tests.store.samples import Table, play

ADDED = Migration(name="999_added.sql", sql=b"CREATE TABLE carnet.added ()")


@pytest.fixture
def empty_url(cluster: Cluster) -> Iterator[str]:
    with cluster.database() as url:
        yield url


async def test_all_files_are_applied_in_the_order_of_their_names(empty_url: str) -> None:
    migrated = await migrate(empty_url)
    assert migrated.applied == tuple(sorted(migrated.applied))
    assert len(migrated.applied) == len(packaged())


async def test_a_second_time_nothing_is_applied(empty_url: str) -> None:
    await migrate(empty_url)
    assert (await migrate(empty_url)).applied == ()


async def test_an_added_file_is_applied_alone(empty_url: str) -> None:
    await migrate(empty_url)
    assert (await migrate(empty_url, [*packaged(), ADDED])).applied == ("999_added.sql",)


async def test_of_many_at_once_one_migrates(empty_url: str) -> None:
    answers = await asyncio.gather(*(migrate(empty_url) for _ in range(8)))
    assert sorted(len(answer.applied) for answer in answers) == [0] * 7 + [len(packaged())]


async def test_a_file_that_was_applied_and_changed_stops_the_start(empty_url: str) -> None:
    await migrate(empty_url)
    first, *others = packaged()
    changed = structs.replace(first, sql=first.sql + b"\n-- harmless")
    with pytest.raises(MigrationChanged) as refused:
        await migrate(empty_url, [changed, *others])
    assert refused.value.name == first.name


async def test_a_database_of_a_later_version_stops_the_start(empty_url: str) -> None:
    await migrate(empty_url, [*packaged(), ADDED])
    with pytest.raises(StartupError, match="999_added"):
        await migrate(empty_url)


async def test_a_file_that_fails_leaves_the_database_as_it_was(empty_url: str) -> None:
    failing = Migration(name="999_failing.sql", sql=b"CREATE TABLE nowhere.x ()")
    with pytest.raises(StartupError, match="999_failing"):
        await migrate(empty_url, [*packaged(), failing])
    assert len((await migrate(empty_url)).applied) == len(packaged())


async def test_the_schema_is_current_when_all_files_are_applied(empty_url: str) -> None:
    migrated = await migrate(empty_url)
    async with open_pool(empty_url, migrated.role) as pool:
        assert await current(pool)
        assert not await current(pool, [*packaged(), ADDED])


async def test_an_empty_database_is_not_current(empty_url: str) -> None:
    async with open_pool(empty_url, None) as pool:
        assert not await current(pool)


async def test_a_server_that_does_not_answer_stops_the_start() -> None:
    with pytest.raises(StartupError, match="cannot be reached"):
        await migrate("postgresql:///carnet?host=/nowhere&connect_timeout=2")


async def test_a_user_who_may_not_make_roles_works_without_their_separation(
    empty_url: str,
) -> None:
    role = sql.Identifier(f"carnet_test_{uuid4().hex}")
    with psycopg.connect(empty_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE ROLE {}").format(role))
        database = sql.Identifier(admin.info.dbname)
        admin.execute(sql.SQL("GRANT CREATE ON DATABASE {} TO {}").format(database, role))
        separator = "&" if "?" in empty_url else "?"
        options = quote(f"-c role={role.as_string(None)}".replace('"', ""))
        url = f"{empty_url}{separator}options={options}"
        migrated = await migrate(url)
        assert migrated.role is None
        async with open_pool(url, migrated.role) as pool:
            events, players = EventStore(pool, DEFAULT_CLUB), Players(pool, DEFAULT_CLUB)
            table = await Table.laid(events, players)
            game_id = await table.started()
            await table.append(game_id, 1, play(0, "AH"))
            assert len(await events.read(game_id)) == 2
        admin.execute(sql.SQL("DROP OWNED BY {}").format(role))
        admin.execute(sql.SQL("DROP ROLE {}").format(role))


async def test_a_user_without_rights_is_told_what_to_do(empty_url: str) -> None:
    role = sql.Identifier(f"carnet_test_{uuid4().hex}")
    await migrate(empty_url)
    with psycopg.connect(empty_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE ROLE {}").format(role))
        separator = "&" if "?" in empty_url else "?"
        options = quote(f"-c role={role.as_string(None)}".replace('"', ""))
        with pytest.raises(StartupError, match="owns the database"):
            await migrate(f"{empty_url}{separator}options={options}")
        admin.execute(sql.SQL("DROP ROLE {}").format(role))
