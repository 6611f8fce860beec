"""The real PostgreSQL servers the tests run on.

The store's tests run on every server there is: the embedded one (PostgreSQL 18), and PostgreSQL 15
or newer where `CARNET_TEST_DATABASE_URL` names one (its user may create databases and roles) or its
programs are on the PATH, which then are started for the run. `cluster` stands for each of them in
turn, `embedded_cluster` for the embedded one alone. Every run makes databases of its own and
leaves none behind; tests that share one keep apart by club. A database that has the schema is a
copy of one that was migrated once in the run, where the server is ours: a tenth of the work.

Where memory is plenty the data of these servers lie in it: each commit, each new database waits for
a disk, and what outlives a crash is asked of servers of their own. Their settings are the same.
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
_LOOK_SECONDS = 0.02
_OTHER_SESSIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND pid <> pg_backend_pid()
"""
_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made in it)
_PREFIX = "carnet-tests-"
# A run leaves some gigabytes of databases in a server, and twice as much must be left for others.
_PLENTY_BYTES = 6 * 2**30
_OTHERS = 2
# Fewer parts of a table than the 32 that are usual are made sooner, and hold as many clubs.
_SHARDS = 8


class Cluster(Struct, frozen=True):
    """A running server. `url`: a database of it, for a user who may create others.

    `kept`: it goes on after the run, and gets its databases dropped, each after a checkpoint.
    """

    url: str
    kept: bool = False

    @contextmanager
    def database(self) -> Generator[str]:
        with self._made("template1") as url:
            yield url

    @contextmanager
    def migrated_database(self) -> Generator[str]:
        """Make a database with the schema and nothing in it, served as `carnet_service`."""
        if self.kept:
            with self.database() as url:
                _migrate(url)
                yield url
            return
        with self._made(_migrated(self)) as url:
            yield url

    @contextmanager
    def _made(self, template: str) -> Generator[str]:
        # By files is a third of the work, but asks for checkpoints, which others would wait for.
        name = f"carnet_test_{uuid4().hex}"
        copied = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY {}")
        how = sql.SQL("WAL_LOG" if self.kept else "FILE_COPY")
        self.execute(copied.format(sql.Identifier(name), sql.Identifier(template), how))
        try:
            yield _name(self.url, name)
        finally:
            if self.kept:
                drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
                self.execute(drop)

    def execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute(statement)


class Spread(Cluster, frozen=True):
    """A Citus cluster. `url`: its coordinator's."""

    @contextmanager
    def spread_database(self) -> Generator[str]:
        name = f"carnet_test_{uuid4().hex}"
        nodes = self._nodes()
        for url in nodes:
            with psycopg.connect(url, autocommit=True) as conn:
                conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            with psycopg.connect(_name(url, name), autocommit=True) as conn:
                conn.execute("CREATE EXTENSION citus")
        made = _name(self.url, name)
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


def _name(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()


@cache
def _migrated(cluster: Cluster) -> str:
    name = f"carnet_migrated_{uuid4().hex}"
    cluster.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    _migrate(_name(cluster.url, name))
    shut = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name))
    cluster.execute(shut)
    return name


def _migrate(url: str) -> None:
    # In a thread, for whoever asks may be run by an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, migrate(url)).result()


def node_of(url: str, club_id: UUID) -> str:
    """Name the address of the server that holds a club: of a node, where the tables are spread."""
    with psycopg.connect(url) as conn:
        if not is_spread(conn):
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


def is_spread(conn: psycopg.Connection[tuple[object, ...]]) -> bool:
    return conn.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is not None


def alone(url: str) -> None:
    """Wait until nobody else has a session: killed processes' may go on, and commit, for a while.

    A server that has lost its client notices when it next says something to it, so that what was
    asked before a kill can be stored after it. Whoever counts then counts too early.
    """
    with psycopg.connect(url, autocommit=True) as conn:
        while conn.execute(_OTHER_SESSIONS).fetchone() != (0,):
            time.sleep(_LOOK_SECONDS)


def given_a_spread_one() -> bool:
    return bool(os.environ.get("CARNET_TEST_DATABASE_URL")) and isinstance(given_cluster(), Spread)


def given_cluster() -> Cluster:
    url = os.environ["CARNET_TEST_DATABASE_URL"]
    with psycopg.connect(url) as conn:
        return Spread(url, kept=True) if is_spread(conn) else Cluster(url, kept=True)


def installed_programs() -> Path | None:
    found = shutil.which("postgres")
    if found is None:
        return None
    done = subprocess.run([found, "--version"], check=True, capture_output=True, text=True)
    version = int(done.stdout.split()[2].split(".")[0])
    return Path(found).resolve().parent if version >= _VERSION_MIN else None


def clusters() -> list[str]:
    if given_a_spread_one():
        return ["given"]
    if os.environ.get("CARNET_TEST_DATABASE_URL"):
        return ["embedded", "given"]
    return ["embedded"] if installed_programs() is None else ["embedded", "installed"]


def forget_everything(url: str) -> None:
    """Empty the log and all that stands beside it; the owner's key stays.

    Nothing in Carnet can: triggers refuse it, which only PostgreSQL's superuser can leave out. A
    service that goes on meanwhile is let finish: with some tables locked, nobody waits for others,
    or each would wait for the other.
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
                    conn.execute(sql.SQL("TRUNCATE {}").format(tables))
                    conn.execute("DELETE FROM carnet.access_grant WHERE kind <> 'owner_key'")
            except LockNotAvailable:
                time.sleep(_LOOK_SECONDS)
            else:
                return


def available_bytes() -> int:
    """Say how much may be kept in memory: 0 where nobody tells (proc_meminfo(5))."""
    told = Path("/proc/meminfo")
    if not (told.exists() and _MEMORY.is_dir()):
        return 0
    (line,) = (line for line in told.read_text().splitlines() if line.startswith("MemAvailable:"))
    return min(int(line.split()[1]) * 1024 // (1 + _OTHERS), shutil.disk_usage(_MEMORY).free)


@contextmanager
def data_folder(otherwise: Path) -> Generator[Path]:
    """Make a folder for a server's data: in memory where that is plenty.

    What a run that was killed left there is removed by the next one.
    """
    for left in _MEMORY.glob(f"{_PREFIX}*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)
    if available_bytes() < _PLENTY_BYTES:
        yield otherwise
        return
    with tempfile.TemporaryDirectory(
        prefix=f"{_PREFIX}{os.getpid()}-", dir=_MEMORY, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


@contextmanager
def _kept_server(
    folder: Path, prepared: PreparedClusters, programs: Path | None = None
) -> Generator[Cluster]:
    with (
        data_folder(folder) as data,
        EmbeddedServer(prepared.lay(data, programs) if prepared.shared else data, programs) as one,
    ):
        yield Cluster(one.url)


@pytest.fixture(scope="session")
def embedded_cluster(
    tmp_path_factory: pytest.TempPathFactory, prepared_clusters: PreparedClusters
) -> Iterator[Cluster]:
    with _kept_server(tmp_path_factory.mktemp("embedded"), prepared_clusters) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def installed_cluster(
    tmp_path_factory: pytest.TempPathFactory, prepared_clusters: PreparedClusters
) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("installed")
    with _kept_server(folder, prepared_clusters, installed_programs()) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def database(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as url:
        yield url


@pytest.fixture(scope="session", params=clusters())
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    match request.param:
        case "embedded":
            yield request.getfixturevalue("embedded_cluster")
        case "given":
            yield given_cluster()
        case _:
            yield request.getfixturevalue("installed_cluster")


@pytest.fixture(scope="session")
async def database_url(cluster: Cluster) -> AsyncGenerator[str]:
    """Make a database with the schema; its address is its owner's."""
    if isinstance(cluster, Spread):
        with cluster.spread_database() as url:
            await migrate(url)
            await distribute(url)
            yield url
    else:
        with cluster.migrated_database() as url:
            yield url


@pytest.fixture(scope="session")
async def pool(database_url: str) -> AsyncGenerator[Pool]:
    async with open_pool(database_url, "carnet_service") as opened:
        yield opened
