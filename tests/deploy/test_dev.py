"""`deploy/dev.py`: it says what it cannot do, and looks for other programs only where needed."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from deploy import dev
from deploy.development import cluster, environment, programs, running

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
