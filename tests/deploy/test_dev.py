"""`deploy/dev.py`: its commands, and the uv it finds."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy import dev
from deploy.development import checks, cluster, environment
from deploy.development.checks import Check

Captured = pytest.CaptureFixture[str]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, dev.__file__, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_an_unknown_command_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    answer = run("frobnicate", cwd=tmp_path)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "'frobnicate'" in answer.stderr
    assert "serve, test, faults, check, build, bench, carnet" in answer.stderr


def test_help_names_every_command(tmp_path: Path) -> None:
    answer = run("--help", cwd=tmp_path)
    assert answer.returncode == 0
    for command in ("serve", "test", "faults", "check", "build", "bench", "carnet"):
        assert f"dev.py {command}" in answer.stdout


@pytest.mark.parametrize(
    ("says", "taken"),
    [("uv 0.11.30 (Homebrew)", False), ("what?", False), ("uv 1.0.0 (abcdef 2026-11-01)", True)],
)
def test_only_a_recent_uv_is_used(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, taken: bool
) -> None:
    uv = tmp_path / "uv"
    uv.write_text(f"#!/bin/sh\necho '{says}'\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(environment, "OWN_UV", tmp_path / "none")
    assert environment.find_uv() == (str(uv) if taken else None)


def test_without_a_cluster_the_error_names_the_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
) -> None:
    monkeypatch.setenv("CARNET_CITUS", str(tmp_path / "no program"))
    with pytest.raises(SystemExit), cluster.coordinator():
        pass
    assert "set CARNET_CITUS to the address of a coordinator" in capsys.readouterr().err


def python(code: str, *, shown: bool = False) -> Check:
    return Check("gate", ("python", "-c", code), shown, cluster.LEFT_OUT)


def test_a_gate_that_fails_prints_why(capfd: Captured) -> None:
    assert not checks.passes(python("print('a long line'); raise SystemExit(1)"))
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("a long line\ndev: gate")
    assert "FAILED" in captured.err


def test_a_gate_that_passes_prints_only_its_verdict(capfd: Captured) -> None:
    assert checks.passes(python("print('fine')"))
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.split()[:3] == ["dev:", "gate", "ok"]


def test_the_closing_line_of_pytest_is_passed_on(capfd: Captured) -> None:
    assert checks.passes(python("print('9 passed in 1.00s')", shown=True))
    assert capfd.readouterr().out == "9 passed in 1.00s\n"


def test_a_gate_with_nothing_to_test_on_is_left_out(capfd: Captured) -> None:
    assert checks.passes(python(f"raise SystemExit({cluster.LEFT_OUT})"))
    assert "left out" in capfd.readouterr().err


@pytest.mark.parametrize(("gate", "tests"), [("1", "pass"), ("pass", "1"), ("pass", "pass")])
def test_a_check_passes_only_if_gates_and_tests_pass(
    gate: str, tests: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = {"1": "raise SystemExit(1)", "pass": "pass"}
    monkeypatch.setattr(cluster, "available", lambda: False)
    monkeypatch.setattr(checks, "GATES", (python(code[gate]),))
    monkeypatch.setattr(checks, "TESTS", python(code[tests], shown=True))
    assert checks.all_pass() is (gate == tests == "pass")
