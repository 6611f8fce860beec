"""A service whose database was upgraded; one that may go on: tests/releases."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import httpx
import pytest

from service.store.server.migrate import (
    Schema,
    SqlFile,
    migrate,
    packaged_schema,
)
from tests.http.club import MADE_RESULT, Game, client_with_key
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

ADDED = b"CREATE TABLE carnet.added ()"


@pytest.fixture
def database(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as url:
        yield url


@pytest.fixture
def service(database: str, tmp_path: Path) -> Iterator[ServiceProcess]:
    with ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=database) as running:
        yield running


@pytest.fixture
async def http(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(service.url, KEY) as client:
        yield client


async def upgrade(database: str, migration: bytes) -> None:
    added = SqlFile(name="migrations/999_added.sql", sql=migration)
    await migrate(
        database,
        Schema(
            objects=packaged_schema().objects, migrations=(*packaged_schema().migrations, added)
        ),
    )


async def test_where_the_migration_does_not_allow_it_it_is_not_ready_and_does_nothing(
    database: str, http: httpx.AsyncClient, service: ServiceProcess
) -> None:
    game = await Game.start(http)
    await upgrade(database, ADDED)
    ready = await http.get("/readyz")
    assert (ready.status_code, ready.text) == (
        503,
        "the database's schema is not this program's\n",
    )
    answer = await game.send(MADE_RESULT)
    assert (answer.status_code, answer.json()["type"]) == (503, "unavailable")
    assert "store.schema_changed" in service.log.read_text()
