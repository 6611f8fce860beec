"""`deploy/dev.py`: it says what it cannot do, and looks for other programs only where needed."""

import os
import subprocess
import sys
import sysconfig
from itertools import pairwise
from pathlib import Path

import pytest

from deploy import dev
from deploy.development import checks, cluster, environment, programs, running, testing
from tests import schedule

HERE = Path(dev.__file__)


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_an_unknown_command_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    answer = run("frobnicate", cwd=tmp_path)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "'frobnicate'" in answer.stderr
    assert "serve, test, faults, check, build, bench, carnet" in answer.stderr


def test_without_a_cluster_its_tests_say_what_to_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("CARNET_CITUS", str(tmp_path / "no program"))
    with pytest.raises(SystemExit), cluster.coordinator():
        pass
    assert "set CARNET_CITUS to the address of a coordinator" in capsys.readouterr().err


def test_a_cluster_is_started_and_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, calls = tmp_path / "cluster", tmp_path / "calls"
    program.write_text(f'#!/bin/sh\necho "$1" >> {calls}\necho starting\necho postgresql://here\n')
    program.chmod(0o755)
    monkeypatch.setenv("CARNET_CITUS", str(program))
    with cluster.coordinator() as url:
        assert url == "postgresql://here"
        assert calls.read_text().split() == ["up"]
    assert calls.read_text().split() == ["up", "down"]


def test_help_names_every_command(tmp_path: Path) -> None:
    answer = run("--help", cwd=tmp_path)
    assert answer.returncode == 0
    for command in ("serve", "test", "faults", "check", "build", "bench", "carnet"):
        assert f"dev.py {command}" in answer.stdout


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


def put_office(folder: Path) -> Path:
    folder.mkdir()
    office = folder / "soffice"
    office.write_text("#!/bin/sh\n")
    office.chmod(0o755)
    return office


def test_an_office_is_the_one_named_before_the_one_on_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path, named = put_office(tmp_path / "bin"), put_office(tmp_path / "own")
    monkeypatch.setenv("PATH", str(on_path.parent))
    monkeypatch.delenv("CARNET_SOFFICE", raising=False)
    assert programs.find(programs.OFFICE) == str(on_path)
    monkeypatch.setenv("CARNET_SOFFICE", str(named))
    assert programs.find(programs.OFFICE) == str(named)


def test_an_office_named_but_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARNET_SOFFICE", str(tmp_path / "none"))
    with pytest.raises(SystemExit):
        programs.find(programs.OFFICE)
    assert "none does not run" in capsys.readouterr().err


def test_where_no_office_can_be_had_the_way_to_one_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CARNET_SOFFICE", raising=False)
    office = programs.OFFICE._replace(names=("soffice",))
    programs.prepare(office)
    assert "libreoffice-calc" in capsys.readouterr().err


APT_GET = """#!/bin/sh
PATH=/usr/bin:/bin
case "$*" in
*--simulate*) printf 'Reading\\n%s upgraded, 1 newly installed, 0 to remove and 7 not.\\n' {} ;;
*) printf '#!/bin/sh\\n' > {}/chromium-headless-shell; chmod +x {}/chromium-headless-shell ;;
esac
"""


@pytest.mark.parametrize("upgraded", [0, 3])
def test_a_chromium_without_windows_is_installed_beside_another_where_nothing_else_changes(
    upgraded: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apt = APT_GET.format(upgraded, tmp_path, tmp_path)
    scripts = {"apt-get": apt, "sudo": '#!/bin/sh\nshift\nexec "$@"\n'}
    for name in ("chromium", "apt-cache", "true", *scripts):
        (tmp_path / name).write_text(scripts.get(name, "#!/bin/sh\n"))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CARNET_CHROMIUM", "")
    programs.prepare(programs.CHROMIUM)
    wanted = "chromium" if upgraded else "chromium-headless-shell"
    assert os.environ["CARNET_CHROMIUM"] == str(tmp_path / wanted)


def test_what_is_not_here_is_installed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = tmp_path / "calls"
    scripts = {"apt-get": f'#!/bin/sh\necho "$@" >> {calls}\n', "sudo": '#!/bin/sh\nshift\n"$@"\n'}
    for name in ("chromium", "apt-cache", "true", *scripts):
        (tmp_path / name).write_text(scripts.get(name, "#!/bin/sh\n"))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CARNET_CHROMIUM", "")
    wanted = [
        program._replace(names=program.names[:2], variable="CARNET_NONE")
        for program in (programs.CHROMIUM, programs.OFFICE, programs.POOLER._replace(names=()))
    ]
    programs.install_missing(wanted)
    asked = calls.read_text().splitlines()
    assert [line.split()[0] for line in asked] == ["update", "install"]
    assert asked[1].split()[-2:] == ["libreoffice-calc", "pgbouncer"]
    programs.install_missing(wanted[:1])
    assert calls.read_text().splitlines() == asked


def test_a_chromium_that_somebody_named_is_the_one_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "chromium"
    named.write_text("#!/bin/sh\n")
    named.chmod(0o755)
    monkeypatch.setenv("CARNET_CHROMIUM", str(named))
    assert not programs.slow(programs.CHROMIUM, str(named))
    monkeypatch.delenv("CARNET_CHROMIUM")
    assert programs.slow(programs.CHROMIUM, str(named))


def put_uv(folder: Path, says: str) -> None:
    folder.mkdir()
    uv = folder / "uv"
    uv.write_text(f"#!/bin/sh\necho '{says}'\n")
    uv.chmod(0o755)


@pytest.mark.parametrize("says", ["uv 0.11.30 (Homebrew)", "what?"])
def test_a_uv_that_is_old_or_strange_is_not_taken(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_uv(tmp_path / "bin", says)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(environment, "OWN_UV", tmp_path / "none")
    assert environment.find_uv() is None


def test_a_recent_uv_on_path_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_uv(tmp_path / "bin", "uv 1.0.0 (abcdef 2026-11-01)")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert environment.find_uv() == str(tmp_path / "bin" / "uv")


def test_what_is_compiled_is_kept_where_nobody_wants_it_in_the_checkout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX")
    environment.keep_bytecode()
    asked = "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", str(running.VENV / "bytecode")]


def test_nothing_is_compiled_into_an_environment_that_is_not_made_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prefixes: list[str | None] = []

    def sync(command: list[str], cwd: Path) -> None:
        del command, cwd
        prefixes.append(os.environ.get("PYTHONPYCACHEPREFIX"))

    monkeypatch.setattr(environment, "run_or_stop", sync)
    for name in ("PYRIGHT_PYTHON_IGNORE_WARNINGS", "UV_PROJECT_ENVIRONMENT", "UV_PYTHON_DOWNLOADS"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX")
    environment.prepare_environment()
    assert prefixes == [None]
    assert os.environ["PYTHONPYCACHEPREFIX"] == str(running.VENV / "bytecode")


def put_python(folder: Path, status: int) -> str:
    """Make a program that stands for a Python of the system: it has all we need, or not."""
    folder.mkdir()
    python = folder / f"python{sys.version_info.major}.{sys.version_info.minor}"
    python.write_text(f"#!/bin/sh\nexit {status}\n")
    python.chmod(0o755)
    return str(python)


@pytest.mark.parametrize(
    ("configured", "status", "taken"),
    [
        ("'--enable-shared'", 0, "the system's"),
        ("'--enable-shared'", 1, "the running one"),
        ("'--enable-shared' '--enable-optimizations'", 0, "the running one"),
    ],
)
def test_a_python_compiled_without_optimisations_gives_way_to_the_system_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, configured: str, status: int, taken: str
) -> None:
    own = put_python(tmp_path / "bin", status)
    monkeypatch.setattr(environment, "VENV", tmp_path / "none")
    monkeypatch.setattr(environment, "SYSTEM_PROGRAMS", tmp_path / "bin")
    monkeypatch.setattr(sys, "_base_executable", "/elsewhere/python", raising=False)
    monkeypatch.setattr(sysconfig, "get_config_var", {"CONFIG_ARGS": configured}.get)
    chosen = {"the system's": own, "the running one": "/elsewhere/python"}
    assert environment.environment_python() == chosen[taken]


def test_a_python_that_the_system_itself_brings_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = put_python(tmp_path / "bin", 0)
    monkeypatch.setattr(environment, "VENV", tmp_path / "none")
    monkeypatch.setattr(environment, "SYSTEM_PROGRAMS", tmp_path / "bin")
    monkeypatch.setattr(sys, "_base_executable", own, raising=False)
    monkeypatch.setattr(sysconfig, "get_config_var", {"CONFIG_ARGS": "'--with-dtrace'"}.get)
    assert environment.environment_python() == own
    assert environment.is_optimised(own)


def test_an_environment_of_the_wanted_version_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    put_python(tmp_path / "bin", 0)
    (tmp_path / "bin" / f"python{version}").rename(tmp_path / "bin" / "python")
    (tmp_path / "pyvenv.cfg").write_text(f"version_info = {version}.7\n")
    monkeypatch.setattr(environment, "VENV", tmp_path)
    assert environment.environment_python() == version


def test_a_system_without_that_python_has_none_that_is_whole(tmp_path: Path) -> None:
    assert not environment.is_whole(tmp_path / "python3.11")
