#!/usr/bin/env python3
"""Work on Carnet from a checkout, with nothing installed but Python.

    python3 deploy/dev.py serve            the service, on http://127.0.0.1:8000
    python3 deploy/dev.py test [args …]    pytest; paths count from the top of the checkout
    python3 deploy/dev.py check            everything a commit must pass
    python3 deploy/dev.py bench [args …]   the measurements of tests/bench
    python3 deploy/dev.py carnet args …    any command of carnet, e.g. carnet check game.jsonl

Promises: the standard library is enough to start it; what it installs stays inside the checkout
(.uv, .venv) at the versions of uv.lock, except what some tests need, a Chromium and a LibreOffice,
which come from the system's packages; it works from any folder, as root and as an ordinary user;
its own words go to standard error, one line for each thing done, and standard output belongs to the
tool it runs.
Assumes: Linux or macOS, Python 3.11 to 3.13, and a way to PyPI the first time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OWN_UV = ROOT / ".uv"
BROWSER_TESTS = ROOT / "tests" / "browser"
OFFICE_TESTS = ROOT / "tests" / "office"

PYTHONS = ((3, 11), (3, 13))
UV_VERSION = "0.13.8"
UV_VERSION_MIN = (0, 12)  # older ones lack UV_SYSTEM_CERTS

CHECKS = (
    ("format", ("ruff", "format", "--check")),
    ("lint", ("ruff", "check")),
    ("mypy", ("mypy",)),
    ("pyright", ("pyright",)),
    ("imports", ("lint-imports",)),
    ("audit", ("carnet", "audit", "--records", "tests/games")),
    ("tests", ("pytest", "--quiet")),
)

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Pages are measured with text in them, and a bare system has no font.
CHROMIUM_PACKAGES = ("chromium", "fonts-dejavu-core")

OFFICE_NAMES = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
OFFICE_PACKAGES = ("libreoffice-calc",)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "serve": lambda rest: carnet(["serve", *rest]),
        "test": test,
        "check": check,
        "bench": bench,
        "carnet": carnet,
    }
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(__doc__)
        return 0 if arguments else 2
    command = commands.get(arguments[0])
    if command is None:
        stop(f"there is no command {arguments[0]!r}; there are: {', '.join(commands)}")
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        stop(f"Python 3.11 to 3.13 is needed, this is {sys.version.split()[0]}")
    return command(arguments[1:])


def carnet(arguments: Sequence[str]) -> int:
    """Become `carnet`, in the folder it was called from, so that signals and paths reach it."""
    prepare_environment()
    return become([tool("carnet"), *arguments])


def test(arguments: Sequence[str]) -> int:
    """Become pytest, with a Chromium or a LibreOffice at hand if a test of theirs may run."""
    prepare_environment()
    if reaches(arguments, BROWSER_TESTS):
        prepare_chromium()
    if reaches(arguments, OFFICE_TESTS):
        prepare_office()
    os.chdir(ROOT)
    return become([tool("pytest"), *arguments])


def bench(arguments: Sequence[str]) -> int:
    """Become the benchmarks."""
    prepare_environment()
    prepare_chromium()
    os.chdir(ROOT)
    return become([tool("python"), "-m", "tests.bench", *arguments])


def check(arguments: Sequence[str]) -> int:
    """Run every check, also after a failed one, and say how each went.

    What pytest prints is passed on untouched, so its closing line is the last of standard output.
    Returns 1 if any check failed.
    """
    if arguments:
        stop("check takes no arguments; a single tool runs as .venv/bin/<tool>")
    prepare_environment()
    prepare_chromium()
    prepare_office()
    failed = [name for name, command in CHECKS if not passes(name, command)]
    say(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def passes(name: str, command: Sequence[str]) -> bool:
    """Run one check and say its verdict; a tool that passes keeps its output to itself."""
    shows_progress = name == "tests"
    started = time.monotonic()
    run = subprocess.run(
        [tool(command[0]), *command[1:]],
        cwd=ROOT,
        check=False,
        stdout=None if shows_progress else subprocess.PIPE,
        stderr=None if shows_progress else subprocess.STDOUT,
        text=True,
    )
    seconds = time.monotonic() - started
    if run.returncode and run.stdout:
        print(run.stdout, file=sys.stderr, end="")
    say(f"{name:<8} {'FAILED' if run.returncode else 'ok':<6} {seconds:6.1f} s")
    return run.returncode == 0


# --- the environment ----------------------------------------------------------------------------


def prepare_environment() -> None:
    """Make .venv what uv.lock says; a few milliseconds when it already is."""
    # The wheel of pyright brings its own Node; it need not ask anybody for a newer pyright.
    os.environ["PYRIGHT_PYTHON_IGNORE_WARNINGS"] = "1"
    os.environ["UV_PROJECT_ENVIRONMENT"] = str(VENV)
    os.environ["UV_PYTHON_DOWNLOADS"] = "never"
    # A network with a certificate authority of its own is known to the system, not to uv.
    os.environ.setdefault("UV_SYSTEM_CERTS", "true")
    os.environ.pop("VIRTUAL_ENV", None)
    uv = find_uv() or install_uv()
    if not VENV.exists():
        say("making .venv from uv.lock")
    run_or_stop([uv, "sync", "--quiet", "--locked", "--python", environment_python()], cwd=ROOT)


def environment_python() -> str:
    """Choose the Python of .venv: the one running this, or a .venv already made of that version."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    settings = VENV / "pyvenv.cfg"
    if settings.exists() and (VENV / "bin" / "python").exists():
        made_of = re.search(r"^version\w* = (\d+\.\d+)", settings.read_text(), re.MULTILINE)
        if made_of and made_of[1] == version:
            return version
    return getattr(sys, "_base_executable", None) or sys.executable


def find_uv() -> str | None:
    """Find a uv that is recent enough, on PATH or in .uv."""
    for candidate in (shutil.which("uv"), str(OWN_UV / "bin" / "uv")):
        if candidate and uv_version(candidate) >= UV_VERSION_MIN:
            return candidate
    return None


def uv_version(uv: str) -> tuple[int, ...]:
    """Read what version a uv has; () if it does not run."""
    try:
        answer = subprocess.run([uv, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", answer.stdout)
    return tuple(map(int, found.groups())) if found else ()


def install_uv() -> str:
    """Install uv into .uv with pip; whole or not at all, even if two runs do it at once."""
    if importlib.util.find_spec("pip") is None:
        stop(
            f"{sys.executable} has no pip to install uv with; install pip"
            " (Debian: apt-get install python3-pip) or put uv on PATH"
        )
    say(f"installing uv {UV_VERSION} into .uv")
    os.environ["PIP_ROOT_USER_ACTION"] = "ignore"
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    fresh = Path(tempfile.mkdtemp(prefix=".uv.", dir=ROOT))
    try:
        run_or_stop([*pip, "--target", str(fresh), f"uv=={UV_VERSION}"])
        fresh.chmod(0o755)
        shutil.rmtree(OWN_UV, ignore_errors=True)
        with contextlib.suppress(OSError):  # another run put its own there first: as good
            fresh.rename(OWN_UV)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return str(OWN_UV / "bin" / "uv")


def reaches(arguments: Sequence[str], folder: Path) -> bool:
    """Tell whether a test of a folder may be among what pytest is asked for."""
    named = (ROOT / argument.split("::")[0] for argument in arguments if argument[:1] != "-")
    paths = [path for path in named if path.exists()]
    return not paths or any(
        path.is_relative_to(folder) or folder.is_relative_to(path) for path in paths
    )


# --- the browser --------------------------------------------------------------------------------


def prepare_chromium() -> None:
    """Set CARNET_CHROMIUM, for the tests, to a Chromium found here or installed now.

    Without one the tests of pages fail, and the others still have something to say.
    """
    chromium = find_chromium() or install_chromium()
    if chromium:
        os.environ["CARNET_CHROMIUM"] = chromium
    else:
        say(
            "no Chromium for the tests of pages, and none could be installed;"
            " install one (Debian: apt-get install chromium) or set CARNET_CHROMIUM to its path"
        )


def find_chromium() -> str | None:
    """Find a Chromium: CARNET_CHROMIUM, then PATH, then the one Playwright keeps."""
    named = os.environ.get("CARNET_CHROMIUM")
    if named:
        return named if shutil.which(named) else stop(f"CARNET_CHROMIUM: {named} does not run")
    on_path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return on_path or playwrights_chromium()


def playwrights_chromium() -> str | None:
    """Ask Playwright where its Chromium belongs, and look whether it is there."""
    question = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    answer = subprocess.run(
        [tool("python"), "-c", question], capture_output=True, text=True, check=False
    )
    path = answer.stdout.strip()
    return path if path and Path(path).exists() else None


def install_chromium() -> str | None:
    """Install Chromium from the system's packages where we may, else through Playwright."""
    apt = apt_get()
    if apt:
        say("installing chromium with apt-get, for the tests of pages")
        install_packages(apt, CHROMIUM_PACKAGES)
    else:
        say("installing chromium with playwright, for the tests of pages")
        run_silently([tool("playwright"), "install", "chromium"], dict(os.environ))
    return find_chromium()


# --- the spreadsheet ----------------------------------------------------------------------------


def prepare_office() -> None:
    """Set CARNET_SOFFICE, for the tests, to a LibreOffice found here or installed now.

    Without one the tests that open our files in it fail, and the others still say something.
    """
    office = find_office() or install_office()
    if office:
        os.environ["CARNET_SOFFICE"] = office
    else:
        say(
            "no LibreOffice for the tests of spreadsheets, and none could be installed; install one"
            " (Debian: apt-get install libreoffice-calc) or set CARNET_SOFFICE to its path"
        )


def find_office() -> str | None:
    """Find a LibreOffice: CARNET_SOFFICE, then PATH, then where macOS keeps it."""
    named = os.environ.get("CARNET_SOFFICE")
    if named:
        return named if shutil.which(named) else stop(f"CARNET_SOFFICE: {named} does not run")
    return next(filter(None, map(shutil.which, OFFICE_NAMES)), None)


def install_office() -> str | None:
    """Install LibreOffice from the system's packages where we may."""
    apt = apt_get()
    if apt is None:
        return None
    say("installing libreoffice-calc with apt-get, for the tests of spreadsheets")
    install_packages(apt, OFFICE_PACKAGES)
    return find_office()


# --- the system's packages ----------------------------------------------------------------------


def install_packages(apt: Sequence[str], packages: Sequence[str]) -> None:
    """Install packages and what they cannot do without; `apt`: the words that run apt-get."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    for command in ([*apt, "update"], install):
        run_silently(command, quiet)


def apt_get() -> list[str] | None:
    """Give the words that run apt-get with the right to install, if there are any."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    sudo = ["sudo", "--non-interactive"]
    allowed = shutil.which("sudo") and not subprocess.call(
        [*sudo, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return [*sudo, "apt-get"] if allowed else None


# --- running things -----------------------------------------------------------------------------


def tool(name: str) -> str:
    """Give the path of a tool of .venv."""
    return str(VENV / "bin" / name)


def become(command: list[str]) -> NoReturn:
    """Replace this process by a command."""
    sys.stdout.flush()
    try:
        os.execv(command[0], command)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        stop(f"{command[0]} does not run: {error.strerror}")


def run_or_stop(command: Sequence[str], cwd: Path | None = None) -> None:
    """Run a command that explains its own failures."""
    if subprocess.call(command, cwd=cwd, stdout=sys.stderr):
        stop(f"this failed: {' '.join(command)}")


def run_silently(command: Sequence[str], environment: dict[str, str]) -> None:
    """Run a chatty command; show what it said only if it fails, and go on."""
    run = subprocess.run(
        command,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if run.returncode:
        print(run.stdout, file=sys.stderr, end="")


def say(words: str) -> None:
    """Say one line on standard error."""
    print(f"dev: {words}", file=sys.stderr, flush=True)


def stop(words: str) -> NoReturn:
    """Say why nothing more can be done, and exit with 2."""
    say(words)
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
