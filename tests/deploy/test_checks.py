"""What `deploy/dev.py check` says of the tools it runs."""

import re
import sys
import time
from pathlib import Path

import pytest

from deploy.development import checks, cluster
from deploy.development.checks import Check
from deploy.development.running import say

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def tools_are_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every tool be a line of Python."""

    def python(_name: str) -> str:
        return sys.executable

    monkeypatch.setattr(checks, "tool", python)
    monkeypatch.setattr(checks, "compile_once", len)
    monkeypatch.setattr(cluster, "at_hand", lambda: False)


def line(code: str, *, name: str = "lint", shown: bool = False) -> Check:
    return Check(name, ("python", "-c", code), shown)


def test_a_check_that_passes_says_only_so_and_how_long_it_took(capfd: Captured) -> None:
    assert checks.passes(line("print('fine')"))
    said = capfd.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"dev: lint +ok +\d+\.\d s\n", said.err)


def test_a_check_that_fails_says_why(capfd: Captured) -> None:
    assert not checks.passes(line("print('a long line'); raise SystemExit(1)"))
    said = capfd.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"a long line\ndev: lint +FAILED +\d+\.\d s\n", said.err)


def test_only_who_says_so_may_be_left_out(capfd: Captured) -> None:
    nothing = line(f"raise SystemExit({cluster.LEFT_OUT})")
    assert not checks.passes(nothing)
    assert "FAILED" in capfd.readouterr().err
    assert checks.passes(nothing._replace(left_out=cluster.LEFT_OUT))
    assert "left out" in capfd.readouterr().err
    assert {one.name for one in (*checks.GATES, checks.TESTS) if one.left_out} == set()


def test_what_the_tests_print_is_passed_on(capfd: Captured) -> None:
    assert checks.passes(line("print('9 passed in 1.00s')", name="tests", shown=True))
    assert capfd.readouterr().out == "9 passed in 1.00s\n"


@pytest.mark.parametrize(
    ("gate", "tests", "said"),
    [
        ("pass", "pass", "all passed in"),
        ("exit(1)", "pass", "failed: lint"),
        ("pass", "exit(1)", "failed: tests"),
        ("exit(1)", "exit(1)", "failed: lint, tests"),
    ],
)
def test_gates_and_tests_all_run_and_all_must_pass(
    gate: str, tests: str, said: str, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    monkeypatch.setattr(checks, "GATES", (line(gate), line("pass", name="mypy")))
    monkeypatch.setattr(checks, "TESTS", line(tests, name="tests", shown=True))
    assert checks.all_pass() is (said == "all passed in")
    err = capfd.readouterr().err
    assert f"dev: {said}" in err
    assert {one.split()[1] for one in err.splitlines()} >= {"lint", "mypy", "tests"}


def test_a_line_is_said_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[str] = []
    monkeypatch.setattr(sys.stderr, "write", pieces.append)
    say("lint ok")
    assert pieces == ["dev: lint ok\n"]


def test_the_tests_run_beside_the_gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meets = (
        "import time; from pathlib import Path; Path({!r}).touch()\n"
        "while not Path({!r}).exists(): time.sleep(0.01)"
    )
    one, other = str(tmp_path / "one"), str(tmp_path / "other")
    monkeypatch.setattr(checks, "GATES", (line(meets.format(one, other)),))
    monkeypatch.setattr(checks, "TESTS", line(meets.format(other, one), name="tests"))
    assert checks.all_pass()


def test_gates_do_not_wait_for_what_the_tests_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, there = tmp_path / "a gate ran", tmp_path / "a program is there"
    monkeypatch.setattr(checks, "GATES", (line(f"open({str(gone)!r}, 'x')"),))
    monkeypatch.setattr(checks, "TESTS", line(f"open({str(there)!r})", name="tests"))

    def programs_at_hand() -> None:
        while not gone.exists():
            time.sleep(0.01)
        there.touch()

    assert checks.all_pass(programs_at_hand)
