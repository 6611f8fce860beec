"""What `deploy/dev.py` asks pytest for, and in which order files of tests come."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from deploy.development import checks, running, testing
from tests import schedule


@pytest.mark.parametrize(
    "arguments",
    [[], ["-k", "sheet"], ["tests"], ["tests/browser"], ["tests/browser/test_keypad.py::test_one"]],
    ids=" ".join,
)
def test_a_run_that_may_reach_the_page_tests_wants_a_browser(arguments: list[str]) -> None:
    assert testing.reaches(arguments, testing.BROWSER_TESTS)


@pytest.mark.parametrize("arguments", [["tests/deploy"], ["-x", "tests/conftest.py"]], ids=" ".join)
def test_a_run_of_other_tests_wants_no_browser(arguments: list[str]) -> None:
    assert not testing.reaches(arguments, testing.BROWSER_TESTS)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [([], True), (["tests/office"], True), (["tests/browser"], False), (["tests/domain"], False)],
    ids=str,
)
def test_only_a_run_that_may_reach_the_spreadsheet_tests_wants_an_office(
    arguments: list[str], *, wanted: bool
) -> None:
    assert testing.reaches(arguments, testing.OFFICE_TESTS) is wanted


@pytest.mark.parametrize(
    "arguments", [[], ["tests/web"], ["-k", "sheet"], ["tests/test_house.py", "tests/conftest.py"]]
)
def test_files_of_tests_run_side_by_side(arguments: list[str]) -> None:
    shared = [*testing.side_by_side(), *testing.ONCE_MORE]
    assert testing.pytest_arguments(arguments) == [*arguments, *shared]


def test_before_several_processes_run_all_tests_one_compiles_them_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = tmp_path / "compiled"
    monkeypatch.setattr(testing, "COLLECTED", tmp_path / "collected")
    monkeypatch.setattr(testing, "COLLECT", ("python", "-c", f"open({str(compiled)!r}, 'x')"))
    for one_or_some in (["tests/test_house.py"], ["tests/web"], ["--pdb"]):
        testing.compile_once(testing.pytest_arguments(one_or_some))
        assert not compiled.exists()
    testing.compile_once(testing.pytest_arguments([]))
    compiled.unlink()
    testing.compile_once(testing.pytest_arguments([]))
    assert not compiled.exists()
    testing.COLLECTED.unlink()
    testing.compile_once(checks.TESTS.command[1:])
    assert compiled.exists()


def test_a_deep_run_tries_nothing_once_more() -> None:
    asked = testing.pytest_arguments([testing.DEEP])
    assert {*testing.side_by_side()} <= {*asked}
    assert not {*testing.ONCE_MORE} & {*asked}


def test_what_passes_only_the_second_time_is_named_with_what_it_failed_with(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        """
        tries = []

        def test_unsteady():
            tries.append(1)
            assert len(tries) == 2, "the first time"
        """
    )
    ran = pytester.runpytest("-p", "no:asyncio", "-p", "tests.unsteady", *testing.ONCE_MORE)
    ran.assert_outcomes(passed=1)
    ran.stdout.fnmatch_lines(["unsteady, tried once more: *::test_unsteady", "*the first time*"])


def test_what_a_check_starts_is_scheduled_as_a_batch_where_there_is_such_a_thing() -> None:
    asked = """if True:
        import os, subprocess, sys
        from deploy.development.running import work_as_a_batch
        if sys.platform == "linux":
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        work_as_a_batch()
        ask = "import os; print(os.sched_getscheduler(0) == os.SCHED_BATCH)"
        subprocess.run([sys.executable, "-c", ask if sys.platform == "linux" else "print(True)"])
    """
    answer = subprocess.run(
        [sys.executable, "-c", asked], cwd=running.ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout == "True\n"


def test_tests_that_wait_leave_no_processor_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}
    for processors in (None, 1, 2, 4, 64):
        monkeypatch.setattr(os, "cpu_count", lambda told=processors: told)
        asked[processors] = testing.side_by_side()[0]
    told = {None: 2, 1: 2, 2: 3, 4: 5, 64: 8}
    assert asked == {known: f"--numprocesses={number}" for known, number in told.items()}


def test_files_that_wait_come_one_by_one_among_the_first_of_those_that_work() -> None:
    places = schedule.order(Path(schedule.__file__).parent.rglob("test_*.py"))
    waits = [
        path.parent.name == schedule.WAITING for path in sorted(places, key=lambda one: places[one])
    ]
    last = len(waits) - waits[::-1].index(True)
    assert last < len(waits) / 4
    assert (True, True) not in set(pairwise(waits))
    assert waits.count(True) == sum(waits[:last]) > schedule.EARLY / 2


def test_files_that_work_keep_their_order_and_folders_are_spread_over_each_other() -> None:
    tests = Path(schedule.__file__).parent
    one, other = (
        [tests / folder / f"test_{name}.py" for name in "ab"] for folder in ("domain", "generic")
    )
    first = [tests / name for name in schedule.FIRST]
    places = schedule.order([*one, *other, *other, *reversed(first)])
    ordered = sorted(places, key=lambda path: places[path])
    assert ordered == [*first, one[0], other[0], one[1], other[1]]


def test_the_files_that_come_first_are_there() -> None:
    tests = Path(schedule.__file__).parent
    assert [name for name in schedule.FIRST if not (tests / name).exists()] == []


@pytest.mark.parametrize(
    "arguments",
    [["tests/test_house.py"], ["-x", "tests/test_house.py::test_one"], ["-n", "0"], ["--pdb"]],
    ids=" ".join,
)
def test_one_file_or_who_wants_it_otherwise_runs_in_one_process(arguments: list[str]) -> None:
    assert testing.pytest_arguments(arguments) == arguments


def test_a_deep_run_is_of_the_same_tests_on_more() -> None:
    asked = ["--deep", "tests/test_house.py"]
    assert testing.pytest_arguments(asked) == ["tests/test_house.py", *testing.DEEPLY]


def test_a_deep_run_of_everything_puts_faults_in() -> None:
    assert testing.puts_faults_in(["--deep"])
    assert not testing.puts_faults_in(["--deep", "tests/domain"])
    assert not testing.puts_faults_in([])


def test_the_folders_that_need_another_program_are_there() -> None:
    assert testing.BROWSER_TESTS.is_dir()
    assert testing.OFFICE_TESTS.is_dir()
