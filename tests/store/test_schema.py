import re
from collections.abc import Iterator
from importlib import resources

import psycopg
import pytest

from service.store.server.migrate import SqlFile, migrate, packaged_schema
from tests.postgres import Cluster

# Everything in the schema but its rows, as PostgreSQL itself writes it, a line a fact.
_DESCRIBE = """
    SELECT c.oid::regclass || ': ' || fact
    FROM pg_class c
    CROSS JOIN LATERAL (
        SELECT format('%s %s', c.relkind, coalesce(c.reloptions::text, '')) AS fact
        UNION ALL
        SELECT format(
            'column %s %s %s not null: %s identity: %s default: %s',
            row_number() OVER (ORDER BY a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
            a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
        FROM pg_attribute a
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT format('constraint %s %s', k.conname, pg_get_constraintdef(k.oid))
        FROM pg_constraint k WHERE k.conrelid = c.oid
        UNION ALL
        SELECT pg_get_triggerdef(t.oid)
        FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
        UNION ALL
        SELECT pg_get_indexdef(c.oid) WHERE c.relkind = 'i'
        UNION ALL
        SELECT pg_get_viewdef(c.oid) WHERE c.relkind = 'v'
    ) facts
    WHERE c.relnamespace = 'carnet'::regnamespace
    UNION ALL
    SELECT pg_get_functiondef(p.oid) || ' public: '
           || has_function_privilege('public', p.oid, 'EXECUTE')
    FROM pg_proc p
    WHERE p.pronamespace = 'carnet'::regnamespace
"""


@pytest.fixture
def url(cluster: Cluster) -> Iterator[str]:
    with cluster.database() as made:
        yield made


def describe(url: str) -> list[str]:
    with psycopg.connect(url) as conn:
        return sorted(row[0] for row in conn.execute(_DESCRIBE))


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE carnet.game ADD COLUMN more integer",
        "ALTER TABLE carnet.game ALTER COLUMN totals DROP NOT NULL",
        "ALTER TABLE carnet.game SET (fillfactor = 90)",
        "ALTER TABLE carnet.access_grant DROP CONSTRAINT access_grant_of_its_kind",
        "DROP INDEX carnet.game_by_start",
        "DROP TRIGGER entry_keeps_rows ON carnet.entry",
        "GRANT EXECUTE ON FUNCTION carnet.append TO PUBLIC",
        "ALTER FUNCTION carnet.append RESET search_path",
    ],
)
async def test_a_difference_between_two_schemas_is_seen(change: str, url: str) -> None:
    await migrate(url)
    before = describe(url)
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(change.encode())
    assert describe(url) != before


def test_every_object_has_its_place_in_the_order() -> None:
    folder = resources.files("service.store") / "sql" / "schema"
    files = sorted(f"schema/{file.name}" for file in folder.iterdir() if file.name != "order")
    assert sorted(file.name for file in packaged_schema().objects) == files


@pytest.mark.parametrize("file", packaged_schema().objects, ids=lambda file: file.name)
def test_a_file_makes_the_object_it_is_named_for(file: SqlFile) -> None:
    name = file.name.removeprefix("schema/").removesuffix(".sql")
    made = [line for line in file.sql.decode().splitlines() if line.startswith("CREATE ")]
    assert len(made) == 1
    assert re.search(rf"\b{name}\b", made[0], re.IGNORECASE)
