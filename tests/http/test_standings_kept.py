"""Standings are folded before anybody asks for them."""

import time
from pathlib import Path

import psycopg

from tests.http.crowd import fill
from tests.postgres import Cluster
from tests.service_process import ServiceProcess

GAMES = 1_500
DEADLINE_SECONDS = 120.0


def test_a_service_that_starts_folds_what_is_not_kept(
    embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with embedded_cluster.database() as url:
        settings = {"CARNET_DATABASE_URL": url, "CARNET_DATA_DIR": str(tmp_path / "data")}
        with ServiceProcess.running(tmp_path / "log", **settings):
            fill(url, GAMES)
        with ServiceProcess.running(tmp_path / "log", **settings):
            assert folded(url) >= GAMES - 256


def folded(url: str) -> int:
    """Wait until something is kept; return of how many games."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    with psycopg.connect(url, autocommit=True) as conn:
        while time.monotonic() < deadline:
            found = conn.execute("SELECT max(games) FROM carnet.standings_kept").fetchone()
            if found is not None and found[0] is not None:
                return int(found[0])
            time.sleep(0.05)
    raise AssertionError(f"nothing is kept after {DEADLINE_SECONDS:.0f} s")
