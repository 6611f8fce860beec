"""Fixtures for the PostgreSQL servers of the tests.

The fixture `cluster` runs a test on every available server: the embedded one (PostgreSQL 18), and
PostgreSQL 15 or newer if `CARNET_TEST_DATABASE_URL` names one (its user may create databases and
roles) or if its programs are on the PATH. `embedded_cluster` is the embedded one alone. Each run
creates its own databases and drops them; tests that share a database use different clubs. On
servers started here, a migrated database is a copy of a template, which takes a tenth of the time.

If there is enough memory, data folders are in /dev/shm, because commits and new databases would
wait for the disk. Tests of crashes use servers of their own. The settings are the same.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec import Struct
from psycopg import sql
from psycopg.errors import LockNotAvailable

from service.store.connection.pool import Pool, open_pool
from service.store.server.distribution import distribute
from service.store.server.embedded import EmbeddedServer
from service.store.server.migrate import migrate
from tests.prepared_clusters import PreparedClusters

_VERSION_MIN = 15
_POLL_SECONDS = 0.02
_OTHER_SESSIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND pid <> pg_backend_pid()
"""
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 (a folder with a unique name is made in it)
_PREFIX = "carnet-tests-"
# A run fills some gigabytes; twice as much must stay free for other runs.
_FREE_MEMORY_BYTES_MIN = 6 * 2**30
_OTHER_RUNS = 2
# The default of 32 shards takes longer to create and is not needed for so few clubs.
_SHARDS = 8


class Cluster(Struct, frozen=True):
    """A running server. `url`: a database of it, for a user who may create others.

    `outlives_run`: it was not started here, so its databases are dropped after use.
    """

    url: str
    outlives_run: bool = False

    @contextmanager
    def database(self) -> Generator[str]:
        with self._new_database("template1") as url:
            yield url

    @contextmanager
    def migrated_database(self) -> Generator[str]:
        """Create an empty database with the schema, for the login `carnet_service`."""
        if self.outlives_run:
            with self.database() as url:
                _migrate(url)
                yield url
            return
        with self._new_database(_migrated_template(self)) as url:
            yield url

    @contextmanager
    def _new_database(self, template: str) -> Generator[str]:
        # FILE_COPY takes a third of the time, but forces a checkpoint, which delays other users.
        name = f"carnet_test_{uuid4().hex}"
        copied = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY {}")
        how = sql.SQL("WAL_LOG" if self.outlives_run else "FILE_COPY")
        self.execute(copied.format(sql.Identifier(name), sql.Identifier(template), how))
        try:
            yield _with_database(self.url, name)
        finally:
            if self.outlives_run:
                drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
                self.execute(drop)

    def execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute(statement)


class CitusCluster(Cluster, frozen=True):
    """A Citus cluster. `url`: its coordinator's."""

    @contextmanager
    def distributed_database(self) -> Generator[str]:
        name = f"carnet_test_{uuid4().hex}"
        nodes = self._nodes()
        for url in nodes:
            with psycopg.connect(url, autocommit=True) as conn:
                conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            with psycopg.connect(_with_database(url, name), autocommit=True) as conn:
                conn.execute("CREATE EXTENSION citus")
        made = _with_database(self.url, name)
        with psycopg.connect(made, autocommit=True) as conn:
            few = sql.SQL("ALTER DATABASE {} SET citus.shard_count = {}")
            conn.execute(few.format(sql.Identifier(name), _SHARDS))
            for number, url in enumerate(nodes):
                at = urlsplit(url)
                added = "citus_add_node" if number else "citus_set_coordinator_host"
                conn.execute(f"SELECT {added}(%s, %s)", [at.hostname, at.port])
        try:
            yield made
        finally:
            for url in nodes:
                with psycopg.connect(url, autocommit=True) as conn:
                    drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
                    conn.execute(drop)

    def _nodes(self) -> list[str]:
        at = urlsplit(self.url)
        user = at.netloc.rpartition("@")[0]
        with psycopg.connect(self.url) as conn:
            found = conn.execute(
                "SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid"
            ).fetchall()
        return [
            self.url,
            *(at._replace(netloc=f"{user}@{host}:{port}").geturl() for host, port in found),
        ]


def _with_database(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()


@cache
def _migrated_template(cluster: Cluster) -> str:
    name = f"carnet_migrated_{uuid4().hex}"
    cluster.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    _migrate(_with_database(cluster.url, name))
    shut = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name))
    cluster.execute(shut)
    return name


def _migrate(url: str) -> None:
    # In a thread, because the caller may run in an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, migrate(url)).result()


def server_url_of_club(url: str, club_id: UUID) -> str:
    """Return the URL of the server that stores a club: with Citus, of its node."""
    with psycopg.connect(url) as conn:
        if not has_citus(conn):
            return url
        row = conn.execute(
            """
            SELECT n.nodename, n.nodeport
            FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
            WHERE p.shardid = get_shard_id_for_distribution_column('carnet.player', %s::text)
            """,
            [club_id],
        ).fetchone()
    assert row is not None
    at = urlsplit(url)
    user = at.netloc.rpartition("@")[0]
    return at._replace(netloc=f"{user}@{row[0]}:{row[1]}").geturl()


def has_citus(conn: psycopg.Connection[tuple[object, ...]]) -> bool:
    return conn.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is not None


def wait_for_other_sessions(url: str) -> None:
    """Wait until no other session is open.

    The backend of a killed process notices the lost connection only when it next writes to it, so
    a statement sent before the kill may still commit after it.
    """
    with psycopg.connect(url, autocommit=True) as conn:
        while conn.execute(_OTHER_SESSIONS).fetchone() != (0,):
            time.sleep(_POLL_SECONDS)


def configured_with_citus() -> bool:
    return bool(os.environ.get("CARNET_TEST_DATABASE_URL")) and isinstance(
        configured_cluster(), CitusCluster
    )


def configured_cluster() -> Cluster:
    url = os.environ["CARNET_TEST_DATABASE_URL"]
    with psycopg.connect(url) as conn:
        return (
            CitusCluster(url, outlives_run=True)
            if has_citus(conn)
            else Cluster(url, outlives_run=True)
        )


def installed_programs() -> Path | None:
    found = shutil.which("postgres")
    if found is None:
        return None
    done = subprocess.run([found, "--version"], check=True, capture_output=True, text=True)
    version = int(done.stdout.split()[2].split(".")[0])
    return Path(found).resolve().parent if version >= _VERSION_MIN else None


def cluster_kinds() -> list[str]:
    if configured_with_citus():
        return ["given"]
    if os.environ.get("CARNET_TEST_DATABASE_URL"):
        return ["embedded", "given"]
    return ["embedded"] if installed_programs() is None else ["embedded", "installed"]


def truncate_all(url: str) -> None:
    """Empty all tables except the migrations and the owner's key.

    Only a superuser can bypass the triggers that forbid it. NOWAIT and a retry avoid a deadlock
    with a running service, which is told that the games changed: it keeps standings in memory.
    """
    kept = ("migration", "access_grant")
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")
        found = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'carnet'")
        named = [sql.Identifier("carnet", name) for (name,) in found if name not in kept]
        tables = sql.SQL(", ").join(named)
        while True:
            try:
                with conn.transaction():
                    conn.execute(
                        sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE NOWAIT").format(tables)
                    )
                    games = conn.execute(
                        "SELECT club_id, started_at, game_id FROM carnet.game"
                    ).fetchall()
                    conn.execute(sql.SQL("TRUNCATE {}").format(tables))
                    conn.cursor().executemany(
                        "INSERT INTO carnet.result_change (club_id, started_at, game_id)"
                        " VALUES (%s, %s, %s)",
                        games,
                    )
                    conn.execute("DELETE FROM carnet.access_grant WHERE kind <> 'owner_key'")
            except LockNotAvailable:
                time.sleep(_POLL_SECONDS)
            else:
                return


def free_memory_bytes() -> int:
    """Return the memory that one run may use; 0 if unknown (proc_meminfo(5))."""
    told = Path("/proc/meminfo")
    if not (told.exists() and _MEMORY_FOLDER.is_dir()):
        return 0
    (line,) = (line for line in told.read_text().splitlines() if line.startswith("MemAvailable:"))
    return min(
        int(line.split()[1]) * 1024 // (1 + _OTHER_RUNS), shutil.disk_usage(_MEMORY_FOLDER).free
    )


@contextmanager
def data_folder(fallback: Path) -> Generator[Path]:
    """Create a data folder, in memory if there is enough; else return `fallback`.

    Folders that a killed run left in memory are removed.
    """
    for left in _MEMORY_FOLDER.glob(f"{_PREFIX}*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)
    if free_memory_bytes() < _FREE_MEMORY_BYTES_MIN:
        yield fallback
        return
    with tempfile.TemporaryDirectory(
        prefix=f"{_PREFIX}{os.getpid()}-", dir=_MEMORY_FOLDER, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


@contextmanager
def _temporary_server(
    folder: Path, prepared: PreparedClusters, programs: Path | None = None
) -> Generator[Cluster]:
    with (
        data_folder(folder) as data,
        EmbeddedServer(
            prepared.copy_to(data, programs) if prepared.shared else data, programs
        ) as one,
    ):
        yield Cluster(one.url)


@pytest.fixture(scope="session")
def embedded_cluster(
    tmp_path_factory: pytest.TempPathFactory, prepared_clusters: PreparedClusters
) -> Iterator[Cluster]:
    with _temporary_server(tmp_path_factory.mktemp("embedded"), prepared_clusters) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def installed_cluster(
    tmp_path_factory: pytest.TempPathFactory, prepared_clusters: PreparedClusters
) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("installed")
    with _temporary_server(folder, prepared_clusters, installed_programs()) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def database(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as url:
        yield url


@pytest.fixture(scope="session", params=cluster_kinds())
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    match request.param:
        case "embedded":
            yield request.getfixturevalue("embedded_cluster")
        case "given":
            yield configured_cluster()
        case _:
            yield request.getfixturevalue("installed_cluster")


@pytest.fixture(scope="session")
async def database_url(cluster: Cluster) -> AsyncGenerator[str]:
    """Create a database with the schema; the URL is that of its owner."""
    if isinstance(cluster, CitusCluster):
        with cluster.distributed_database() as url:
            await migrate(url)
            async for _ in distribute(url):
                pass
            yield url
    else:
        with cluster.migrated_database() as url:
            yield url


@pytest.fixture(scope="session")
async def pool(database_url: str) -> AsyncGenerator[Pool]:
    async with open_pool(database_url, "carnet_service") as opened:
        yield opened
