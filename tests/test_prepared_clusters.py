"""Clusters that were made before are whole, made once, and start as if made on the spot."""

import stat
from pathlib import Path
from typing import Self

import psycopg
import pytest

from service.store.server.account import server_account
from service.store.server.embedded import EmbeddedServer
from tests import prepared_clusters as module
from tests.prepared_clusters import PreparedClusters

_VERSION = "PG_VERSION"


class Making:
    made = 0
    killed = 0

    def __init__(self, folder: Path, _programs: Path) -> None:
        self._cluster = folder / "postgres"

    def __enter__(self) -> Self:
        self._cluster.mkdir()
        if Making.killed:
            Making.killed -= 1
            raise KeyboardInterrupt
        (self._cluster / _VERSION).touch()
        Making.made += 1
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def making(monkeypatch: pytest.MonkeyPatch) -> type[Making]:
    monkeypatch.setattr(Making, "made", 0)
    monkeypatch.setattr(Making, "killed", 0)
    monkeypatch.setattr(module, "EmbeddedServer", Making)
    return Making


def test_a_server_starts_on_a_copy(tmp_path: Path, prepared_clusters: PreparedClusters) -> None:
    cluster = prepared_clusters.lay(tmp_path) / "postgres"
    assert not (cluster / "postmaster.pid").exists()
    found = cluster.stat()
    assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (server_account().uid, stat.S_IRWXU)
    with EmbeddedServer(tmp_path) as server, psycopg.connect(server.url) as conn:
        assert conn.execute("SELECT rolname FROM pg_roles WHERE rolcanlogin").fetchall() == [
            ("carnet_owner",)
        ]


def test_one_is_made_for_all_copies(tmp_path: Path, making: type[Making]) -> None:
    for process in ("one", "other"):
        laid = PreparedClusters(tmp_path / "shared", shared=True).lay(tmp_path / process)
        assert (laid / "postgres" / _VERSION).exists()
    assert making.made == 1


def test_one_that_is_half_made_is_never_copied(tmp_path: Path, making: type[Making]) -> None:
    clusters = PreparedClusters(tmp_path / "shared", shared=True)
    making.killed = 1
    with pytest.raises(KeyboardInterrupt):
        clusters.lay(tmp_path / "one")
    assert (clusters.lay(tmp_path / "other") / "postgres" / _VERSION).exists()
    assert making.made == 1
