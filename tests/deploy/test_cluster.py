"""How the gate of the cluster comes to a cluster: by a program that starts one, or not at all."""

import fcntl
import threading
from pathlib import Path

import pytest

from deploy.development import checks, cluster
from tests.deploy.test_checks import Captured

STARTS = """#!/bin/sh
echo "$1" "$(basename "$2")" >> "$(dirname "$0")/told"
[ "$1" = down ] || { [ -e "$(dirname "$0")/new" ] && echo postgresql://one; }
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a program that starts a cluster once `new` lies beside it, and notes what it is told."""
    made = tmp_path / "cluster"
    made.write_text(STARTS, encoding="utf-8")
    made.chmod(0o755)
    monkeypatch.setattr(cluster, "PROGRAM", made)
    monkeypatch.setattr(cluster, "BRIEF", ("--version",))
    return made


def told(program: Path) -> list[str]:
    return (program.parent / "told").read_text(encoding="utf-8").splitlines()


def test_a_server_that_is_too_old_is_upgraded_and_tried_again(
    program: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    def upgraded(package: str) -> bool:
        assert package == "postgresql-15"
        (program.parent / "new").touch()
        return True

    monkeypatch.setattr(cluster, "bring_up_to_date", upgraded)
    assert cluster.main() == 0
    assert capfd.readouterr().out.startswith("pytest ")
    assert told(program) == ["up cluster", "down cluster", "up upgraded", "down upgraded"]


def test_where_none_can_be_started_the_check_says_that_its_tests_are_left_out(
    program: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    def nothing_newer(_package: str) -> bool:
        return False

    def env(_tool: str) -> str:
        return "/usr/bin/env"

    monkeypatch.setattr(cluster, "bring_up_to_date", nothing_newer)
    assert cluster.main() == cluster.LEFT_OUT
    assert told(program) == ["up cluster", "down cluster"]
    leaves = f"import sys; print('why'); sys.exit({cluster.LEFT_OUT})"
    monkeypatch.setattr(checks, "tool", env)
    command = ("env", "python3", "-c", leaves)
    assert checks.passes(checks.CLUSTER._replace(command=command))
    said = capfd.readouterr().err
    assert "no Citus cluster could be started" in said
    assert "why\ndev: cluster  left out" in said


def test_two_checks_on_one_machine_wait_for_each_other(program: Path) -> None:
    (program.parent / "new").touch()
    waiting = threading.Thread(target=cluster.main)
    with program.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting.start()
        waiting.join(0.5)
        assert not (program.parent / "told").exists()
    waiting.join()
    assert told(program) == ["up cluster", "down cluster"]
