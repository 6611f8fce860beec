"""Where the servers of the tests keep their data, and what databases are copied from."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from service.store.server.migrate import migrate
from tests import postgres
from tests.postgres import Cluster


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(postgres, "_MEMORY", tmp_path)
    monkeypatch.setattr(postgres, "_PLENTY_BYTES", 0)
    return tmp_path


def test_data_lie_in_memory_where_that_is_plenty_and_are_gone_in_the_end(memory: Path) -> None:
    with postgres.data_folder(memory / "disk") as folder:
        assert folder.parent == memory
        (folder / "data").write_text("a page")
    assert not folder.exists()


def test_data_lie_on_the_disk_where_memory_is_short(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_PLENTY_BYTES", shutil.disk_usage(memory).total + 2**60)
    with postgres.data_folder(memory / "disk") as folder:
        assert folder == memory / "disk"


def test_what_a_killed_run_left_in_memory_is_removed_and_nothing_else(memory: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    mine, left = (memory / f"carnet-tests-{pid}-{uuid4().hex}" for pid in (os.getpid(), ended.pid))
    mine.mkdir()
    left.mkdir()
    with postgres.data_folder(memory / "disk"):
        assert (mine.exists(), left.exists()) == (True, False)


async def test_databases_with_the_schema_lack_nothing_and_share_nothing(
    embedded_cluster: Cluster,
) -> None:
    with embedded_cluster.migrated_database() as one:
        with psycopg.connect(one) as conn:
            conn.execute("DROP SCHEMA carnet CASCADE")
        with embedded_cluster.migrated_database() as other:
            migrated = await migrate(other)
            assert (migrated.applied, migrated.role) == ((), "carnet_service")


def test_everything_is_forgotten_once_whoever_reads_is_done(embedded_cluster: Cluster) -> None:
    with (
        embedded_cluster.migrated_database() as url,
        psycopg.connect(url) as reader,
        ThreadPoolExecutor() as beside,
    ):
        reader.execute("INSERT INTO carnet.club (club_id, name) VALUES (%s, 'one')", [uuid4()])
        reader.commit()
        reader.execute("SELECT FROM carnet.entry")
        forgetting = beside.submit(postgres.forget_everything, url)
        with pytest.raises(TimeoutError):
            forgetting.result(timeout=0.2)
        reader.execute("SELECT FROM carnet.club")
        reader.commit()
        forgetting.result()
        assert reader.execute("SELECT count(*) FROM carnet.club").fetchone() == (0,)
