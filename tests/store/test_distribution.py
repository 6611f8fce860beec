"""What `carnet distribute` does, compared with the catalogue of an ordinary PostgreSQL."""

from collections.abc import Iterator
from graphlib import CycleError

import psycopg
import pytest

from service.store.connection.pool import owner_session
from service.store.server.distribution import (
    Change,
    Distributed,
    Table,
    missing_changes,
    table_order,
)
from tests.postgres import Cluster

_TABLES = """
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r' AND EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'club_id')
"""
_EVERY_TABLE = """
    SELECT relname FROM pg_class WHERE relnamespace = 'carnet'::regnamespace AND relkind = 'r'
"""
_FOREIGN_KEYS = """
    SELECT k.conname, f.relname, t.relname
    FROM pg_constraint k
    JOIN pg_class f ON f.oid = k.conrelid
    JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND f.relnamespace = 'carnet'::regnamespace
"""
_POLICIES = "SELECT tablename FROM pg_policies WHERE schemaname = 'carnet'"
_FUNCTIONS = """
    SELECT oid::regprocedure::text, proname FROM pg_proc
    WHERE pronamespace = 'carnet'::regnamespace
"""
_WITHOUT_CLUB = {"migration"}


async def changes_of(url: str, distributed: Distributed | None = None) -> list[Change]:
    async with owner_session(url) as conn:
        return await missing_changes(conn, distributed)


def named(changes: list[Change], *kinds: str) -> list[str]:
    return [change.name for change in changes if change.kind in kinds]


@pytest.fixture
def url(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.migrated_database() as made:
        yield made


async def test_a_table_follows_those_that_its_foreign_keys_name(url: str) -> None:
    order = named(await changes_of(url), "table")
    with psycopg.connect(url) as conn:
        keys = conn.execute(_FOREIGN_KEYS).fetchall()
    assert {name for name, *_ in keys} >= {"seat_club_id_player_id_fkey"}
    for key, table, referenced in keys:
        assert order.index(referenced) < order.index(table), key


async def test_every_table_policy_and_function_is_listed_once(url: str) -> None:
    changes = await changes_of(url)
    with psycopg.connect(url) as conn:
        tables = {name for (name,) in conn.execute(_TABLES)}
        every = {name for (name,) in conn.execute(_EVERY_TABLE)}
        policies = {name for (name,) in conn.execute(_POLICIES)}
        functions = {name for name, _ in conn.execute(_FUNCTIONS)}
    assert every - tables == _WITHOUT_CLUB
    assert sorted(named(changes, "table")) == sorted(tables)
    assert sorted(named(changes, "policy")) == sorted(policies)
    assert sorted(named(changes, "function", "helper")) == sorted(functions)
    assert len(changes) == len(set(changes))


async def test_an_interrupted_call_leaves_the_rest_in_the_same_order(url: str) -> None:
    whole = await changes_of(url)
    tables, delegated = named(whole, "table"), named(whole, "function")
    done = Distributed(frozenset(tables[:14]), {delegated[0]: True, delegated[1]: False})
    left = await changes_of(url, done)
    assert named(left, "table") == tables[14:]
    assert named(left, "function") == delegated[1:]


async def test_append_is_delegated_and_a_hash_is_a_helper(url: str) -> None:
    changes = await changes_of(url)
    for appends in ("carnet.append(", "carnet.append_entry("):
        assert any(name.startswith(appends) for name in named(changes, "function"))
    assert any(name.startswith("carnet.entry_hash(") for name in named(changes, "helper"))


def test_foreign_keys_in_a_circle_are_refused() -> None:
    with pytest.raises(CycleError):
        table_order([Table("player", ("title",)), Table("title")])
