"""The real PostgreSQL servers the tests run on.

The store's tests run on every server there is: the embedded one (PostgreSQL 18), and PostgreSQL 15
or newer where `CARNET_TEST_DATABASE_URL` names one (its user may create databases and roles) or its
programs are on the PATH, which then are started for the run. `cluster` stands for each of them in
turn, `embedded_cluster` for the embedded one alone. Every run makes databases of its own and
leaves none behind; tests that share one keep apart by club.
"""

import os
import shutil
import subprocess
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from msgspec import Struct
from psycopg import sql

from service.store.embedded import EmbeddedServer
from service.store.migrate import migrate
from service.store.pool import Pool, open_pool

_VERSION_MIN = 15


class Cluster(Struct, frozen=True):
    """A running server. `url`: a database of it, for a user who may create others.

    `kept`: it goes on after the run, and gets its databases dropped, each after a checkpoint.
    """

    url: str
    kept: bool = False

    @contextmanager
    def database(self) -> Generator[str]:
        """Make an empty database, for the time of a run at most."""
        name = f"carnet_test_{uuid4().hex}"
        self._execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(self.url)._replace(path=f"/{name}").geturl()
        finally:
            if self.kept:
                drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
                self._execute(drop)

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute(statement)


def installed_programs() -> Path | None:
    """Find the programs of a PostgreSQL on the PATH that is new enough."""
    found = shutil.which("postgres")
    if found is None:
        return None
    done = subprocess.run([found, "--version"], check=True, capture_output=True, text=True)
    version = int(done.stdout.split()[2].split(".")[0])
    return Path(found).resolve().parent if version >= _VERSION_MIN else None


def clusters() -> list[str]:
    """Name the servers this machine has."""
    if os.environ.get("CARNET_TEST_DATABASE_URL"):
        return ["embedded", "given"]
    return ["embedded"] if installed_programs() is None else ["embedded", "installed"]


def forget_everything(url: str) -> None:
    """Empty the log and all that stands beside it; the owner's key stays.

    Nothing in Carnet can: triggers refuse it, which only PostgreSQL's superuser can leave out.
    """
    kept = ("migration", "owner_key")
    with psycopg.connect(url) as conn:
        conn.execute("SET session_replication_role = replica")
        found = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'carnet'")
        tables = [sql.Identifier("carnet", name) for (name,) in found if name not in kept]
        conn.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(tables)))


@pytest.fixture(scope="session")
def embedded_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with EmbeddedServer(tmp_path_factory.mktemp("embedded")) as server:
        yield Cluster(server.url)


@pytest.fixture(scope="session", params=clusters())
def cluster(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    match request.param:
        case "embedded":
            yield request.getfixturevalue("embedded_cluster")
        case "given":
            yield Cluster(os.environ["CARNET_TEST_DATABASE_URL"], kept=True)
        case _:
            folder = tmp_path_factory.mktemp("installed")
            with EmbeddedServer(folder, installed_programs()) as server:
                yield Cluster(server.url)


@pytest.fixture(scope="session")
async def database_url(cluster: Cluster) -> AsyncGenerator[str]:
    """Make a database with the schema; its address is its owner's."""
    with cluster.database() as url:
        await migrate(url)
        yield url


@pytest.fixture(scope="session")
async def pool(database_url: str) -> AsyncGenerator[Pool]:
    """Connect to it as the service's role."""
    async with open_pool(database_url, "carnet_service") as opened:
        yield opened
