import asyncio
from collections.abc import Iterator
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest
from msgspec import structs
from psycopg import sql

from service.errors import MigrationChanged, StartupError, StoreUnavailable
from service.store.club.players import Players
from service.store.connection.pool import open_pool
from service.store.records import DEFAULT_CLUB
from service.store.server.distribution import distribute
from service.store.server.migrate import (
    BACKWARD_COMPATIBLE_MARKER,
    Schema,
    SqlFile,
    check_schema_of,
    migrate,
    packaged_schema,
)
from tests.postgres import Cluster

ADDED = SqlFile(name="migrations/999_added.sql", sql=b"CREATE TABLE carnet.added ()")
ADDED_OBJECT = SqlFile(name="schema/added.sql", sql=ADDED.sql)


def with_later_migration(migration: SqlFile = ADDED) -> Schema:
    now = packaged_schema()
    return Schema(objects=(*now.objects, ADDED_OBJECT), migrations=(*now.migrations, migration))


@pytest.fixture
def empty_url(cluster: Cluster) -> Iterator[str]:
    with cluster.database() as url:
        yield url


async def test_a_new_database_is_made_of_all_objects_in_their_order(empty_url: str) -> None:
    migrated = await migrate(empty_url)
    assert migrated.applied == tuple(file.name for file in packaged_schema().objects)


async def test_a_second_time_nothing_is_applied(empty_url: str) -> None:
    await migrate(empty_url)
    assert (await migrate(empty_url)).applied == ()


async def test_a_database_from_before_is_brought_on_by_what_it_lacks(empty_url: str) -> None:
    await migrate(empty_url)
    assert (await migrate(empty_url, with_later_migration())).applied == (ADDED.name,)
    assert (await migrate(empty_url, with_later_migration())).applied == ()


async def test_a_new_database_needs_no_migration(empty_url: str) -> None:
    assert ADDED.name not in (await migrate(empty_url, with_later_migration())).applied
    assert (await migrate(empty_url, with_later_migration())).applied == ()


async def test_of_many_at_once_one_migrates(empty_url: str) -> None:
    answers = await asyncio.gather(*(migrate(empty_url) for _ in range(8)))
    applied = sorted(len(answer.applied) for answer in answers)
    assert applied == [0] * 7 + [len(packaged_schema().objects)]


async def test_an_object_that_reads_differently_stops_the_start(empty_url: str) -> None:
    await migrate(empty_url, with_later_migration())
    first, *others = with_later_migration().objects
    changed = structs.replace(first, sql=first.sql + b"\n-- harmless")
    with pytest.raises(MigrationChanged) as refused:
        await migrate(
            empty_url, structs.replace(with_later_migration(), objects=(changed, *others))
        )
    assert refused.value.name == first.name


async def test_a_database_of_another_commit_without_migrations_is_moved_by_an_export(
    empty_url: str,
) -> None:
    await migrate(empty_url)
    added = Schema(objects=(*packaged_schema().objects, ADDED_OBJECT), migrations=())
    with pytest.raises(StartupError, match="before the first release"):
        await migrate(empty_url, added)


async def test_an_object_that_the_missing_migrations_do_not_name_stops_the_start(
    empty_url: str,
) -> None:
    await migrate(empty_url)
    wanted = with_later_migration()
    other = SqlFile(name="schema/other.sql", sql=b"CREATE TABLE carnet.other ()")
    with pytest.raises(MigrationChanged) as refused:
        await migrate(empty_url, structs.replace(wanted, objects=(*wanted.objects, other)))
    assert refused.value.name == other.name
    assert (await migrate(empty_url, wanted)).applied == (ADDED.name,)


async def test_a_migration_that_was_applied_and_reads_differently_stops_the_start(
    empty_url: str,
) -> None:
    await migrate(empty_url)
    await migrate(empty_url, with_later_migration())
    changed = structs.replace(ADDED, sql=ADDED.sql + b"\n-- harmless")
    with pytest.raises(MigrationChanged) as refused:
        await migrate(empty_url, with_later_migration(changed))
    assert refused.value.name == ADDED.name


async def test_a_database_of_a_later_version_stops_the_start(empty_url: str) -> None:
    await migrate(empty_url, with_later_migration())
    with pytest.raises(StartupError, match="999_added"):
        await migrate(empty_url)


async def test_a_later_version_that_says_so_lets_this_one_go_on(empty_url: str) -> None:
    migrated = await migrate(empty_url)
    async with open_pool(empty_url, migrated.role, 1, 1) as pool:
        going_on = structs.replace(ADDED, sql=BACKWARD_COMPATIBLE_MARKER + ADDED.sql)
        await migrate(empty_url, with_later_migration(going_on))
        assert await check_schema_of(pool)
        assert (await migrate(empty_url)).applied == ()
        players = Players(pool, DEFAULT_CLUB)
        await players.create(uuid4(), "Ann")


async def test_a_later_version_that_does_not_say_so_stops_this_ones_work(empty_url: str) -> None:
    migrated = await migrate(empty_url)
    async with open_pool(empty_url, migrated.role, 1, 1) as pool:
        players = Players(pool, DEFAULT_CLUB)
        await players.create(uuid4(), "Ann")
        await migrate(empty_url, with_later_migration())
        assert not await check_schema_of(pool)
        with pytest.raises(StoreUnavailable, match="schema is not this program's"):
            await players.create(uuid4(), "Bob")
        with psycopg.connect(empty_url, autocommit=True) as owner:
            owner.execute("DELETE FROM carnet.migration WHERE name = %s", [ADDED.name])
            owner.execute("DELETE FROM carnet.migration WHERE name = %s", [ADDED_OBJECT.name])
        assert await check_schema_of(pool)
        await players.create(uuid4(), "Bob")


async def test_a_database_from_before_the_first_release_is_told_to_be_too_old(
    empty_url: str,
) -> None:
    await migrate(empty_url)
    with psycopg.connect(empty_url, autocommit=True) as owner:
        owner.execute("DELETE FROM carnet.migration")
        owner.execute(
            "INSERT INTO carnet.migration (name, digest) VALUES ('010_schema.sql', sha256(''))"
        )
    with pytest.raises(StartupError, match="before the first release"):
        await migrate(empty_url)


async def test_a_file_that_fails_leaves_the_database_as_it_was(empty_url: str) -> None:
    await migrate(empty_url)
    failing = SqlFile(name="migrations/999_failing.sql", sql=b"CREATE TABLE nowhere.added ()")
    with pytest.raises(StartupError, match="999_failing"):
        await migrate(empty_url, with_later_migration(failing))
    assert (await migrate(empty_url)).applied == ()


async def test_the_schema_is_current_when_all_files_are_applied(empty_url: str) -> None:
    migrated = await migrate(empty_url)
    async with open_pool(empty_url, migrated.role) as pool:
        assert await check_schema_of(pool)
        assert not await check_schema_of(pool, with_later_migration())


async def test_an_empty_database_is_not_current(empty_url: str) -> None:
    async with open_pool(empty_url, None) as pool:
        assert not await check_schema_of(pool)


async def test_a_server_that_does_not_answer_stops_the_start() -> None:
    with pytest.raises(StartupError, match="cannot be reached"):
        await migrate("postgresql:///carnet?host=/nowhere&connect_timeout=2")


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


async def test_a_database_without_citus_is_told_so(embedded_cluster: Cluster) -> None:
    with embedded_cluster.database() as url, pytest.raises(StartupError, match="CREATE EXTENSION"):
        await anext(distribute(url))


async def test_a_server_that_is_not_there_is_told_so() -> None:
    with pytest.raises(StartupError, match="cannot be reached"):
        await anext(distribute("postgresql://postgres@127.0.0.1:1/carnet"))
