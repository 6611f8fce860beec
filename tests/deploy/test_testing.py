"""The arguments that `deploy/dev.py test` gives to pytest."""

import pytest

from deploy.development import programs, testing
from deploy.development.running import ROOT


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        ([], ["Chromium", "LibreOffice", "PgBouncer"]),
        (["-k", "sheet"], ["Chromium", "LibreOffice", "PgBouncer"]),
        (["tests/browser/test_taps.py"], ["Chromium"]),
        (["tests"], ["Chromium", "LibreOffice", "PgBouncer"]),
        (["tests/office"], ["LibreOffice"]),
        (["tests/deploy"], []),
    ],
    ids=str,
)
def test_only_programs_of_named_tests_are_needed(arguments: list[str], needed: list[str]) -> None:
    assert [program.name for program in testing.needed(arguments)] == needed


def test_folders_that_need_a_program_exist() -> None:
    assert all((ROOT / "tests" / folder).is_dir() for folder in testing.NEEDS)


@pytest.mark.parametrize(
    "arguments",
    [["tests/test_house.py"], ["-x", "tests/test_house.py::test_one"], ["-n", "0"], ["--pdb"]],
    ids=" ".join,
)
def test_one_file_runs_in_one_process(arguments: list[str]) -> None:
    assert testing.pytest_arguments(arguments) == arguments


def test_files_run_side_by_side() -> None:
    assert testing.pytest_arguments(["tests/web"]) == ["tests/web", *testing.side_by_side()]


def test_a_deep_run_is_a_longer_run_of_the_same_tests() -> None:
    asked = ["--deep", "tests/test_house.py"]
    assert testing.pytest_arguments(asked) == ["tests/test_house.py", *testing.DEEPLY]


def test_a_program_named_by_its_variable_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARNET_SOFFICE", "/bin/sh")
    assert programs.find(programs.OFFICE) == "/bin/sh"


def test_a_named_program_that_does_not_exist_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARNET_SOFFICE", "/nowhere/soffice")
    with pytest.raises(SystemExit):
        programs.find(programs.OFFICE)
    assert "/nowhere/soffice does not run" in capsys.readouterr().err


def test_a_missing_program_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CARNET_PGBOUNCER", raising=False)
    programs.prepare(programs.POOLER._replace(names=("pgbouncer",)))
    assert "apt-get install pgbouncer" in capsys.readouterr().err
