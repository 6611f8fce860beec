"""`deploy/dev.py faults`: what was tried is counted, by what it breaks."""

import re
import subprocess
from pathlib import Path

import pytest

from deploy.development import faults
from deploy.development.running import ROOT, tool
from tests import depth

KILLED = '''"""kill -9 of a server."""
import pytest

@pytest.mark.parametrize("times", [3, 1000])
def test_kill(record_property, times):
    record_property("kills", times)

def test_lost():
    assert False
'''
FULL = '''"""A disk that is full."""
import pytest

@pytest.fixture
def disk():
    raise OSError

def test_full(disk):
    pass
'''
TABLE = """\
| what breaks | tests | failed | seconds | kills |
| --- | --- | --- | --- | --- |
| test_full | 1 | 1 | 7 | 0 |
| test_killed | 3 | 1 | 7 | 1,003 |
"""


def test_a_table_counts_tests_failures_and_what_tests_counted(tmp_path: Path) -> None:
    (tmp_path / "test_killed.py").write_text(KILLED)
    (tmp_path / "test_full.py").write_text(FULL)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    report = tmp_path / "report.xml"
    command = [tool("pytest"), f"--junitxml={report}", "-p", "no:cacheprovider", "-q", "."]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    counted = faults.counted(report)
    for file in counted.values():
        assert 0 <= file["seconds"] < 60
        file["seconds"] = 7
    assert faults.table(counted) == TABLE


def test_a_file_of_faults_is_run_and_told_by_its_first_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    named = "tests/faults/test_connections.py::test_a_kept_connection_outlives_a_minute_of_silence"
    assert faults.run(["-n0", named]) == 0
    said = capfd.readouterr().out
    assert "1 passed" in said
    assert "| What a connection may take: each limit met on real sockets, most of them" in said
    assert "| 1 | 0 |" in said


def test_a_fault_that_harms_is_an_exit_status(tmp_path: Path) -> None:
    assert faults.run(["-n0", "--collect-only", str(tmp_path / "none.py")]) != 0


def test_what_a_test_counts_is_told_by_the_projects_own_settings(
    capfd: pytest.CaptureFixture[str],
) -> None:
    # Where warnings are errors, a form of report that cannot hold it is one.
    assert faults.run(["-n0", "tests/faults/test_linearisable.py"]) == 0
    assert "| seconds | planted |" in capfd.readouterr().out


def test_the_paper_has_a_place_for_the_table_and_keeps_the_rest() -> None:
    paper = faults.PAPER.read_text("utf-8")
    told = faults.written(paper, TABLE)
    assert told.count(TABLE) == 1
    before, after = paper.split(faults.BEGINS)[0], paper.split(faults.ENDS)[1]
    assert told.startswith(before)
    assert told.endswith(after)
    assert faults.written(told, TABLE) == told


def test_every_file_that_the_paper_names_is_there() -> None:
    named = re.findall(r"`((?:tests|deploy|service)/[\w/.]+)`", faults.PAPER.read_text("utf-8"))
    assert named
    assert [one for one in named if not (ROOT / one).exists()] == []


def test_how_often_is_asked_of_the_tests_and_the_rest_of_pytest() -> None:
    kills, rest = faults.kills_asked(["--kills=200", "-x", "--feed-kills=600", "--kills=many"])
    assert kills == {
        depth.ASKED["kills while clients write"]: "200",
        depth.ASKED["kills while the feed grows"]: "600",
    }
    assert rest == ["-x", "--kills=many"]


def test_what_is_asked_is_how_often(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "kills while the feed grows"
    monkeypatch.setenv(depth.ASKED[name], "7")
    assert depth.sized(name) == 7
