"""Make .venv what uv.lock says, with a uv found or installed into .uv."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from deploy.development.running import ROOT, VENV, run_or_stop, say, stop

OWN_UV = ROOT / ".uv"
UV_VERSION = "0.13.8"
UV_VERSION_MIN = (0, 12)  # older ones lack UV_SYSTEM_CERTS
SYSTEM_PROGRAMS = Path("/usr/bin")
# A system may have the interpreter alone, without what a package beside it brings.
NEEDED_OF_PYTHON = "import asyncio, ctypes, lzma, sqlite3, ssl, zoneinfo"


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
    python = environment_python()
    if not VENV.exists():
        say(f"making .venv from uv.lock with {python}")
    run_or_stop([uv, "sync", "--quiet", "--locked", "--python", python], cwd=ROOT)
    keep_bytecode()  # not before: uv makes no environment where a folder lies already


def keep_bytecode() -> None:
    """Let programs be compiled once, in .venv where nobody wants it in the checkout.

    Tests start hundreds of processes, and one that may not keep what it compiles takes three times
    as long to start.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def environment_python() -> str:
    """Choose the Python of .venv, one already made of the wanted version first."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    settings = VENV / "pyvenv.cfg"
    if settings.exists() and (VENV / "bin" / "python").exists():
        made_of = re.search(r"^version\w* = (\d+\.\d+)", settings.read_text(), re.MULTILINE)
        if made_of and made_of[1] == version:
            return version
    running: str = getattr(sys, "_base_executable", None) or sys.executable
    own = SYSTEM_PROGRAMS / f"python{version}"
    return str(own) if not is_optimised(running) and is_whole(own) else running


def is_whole(python: Path) -> bool:
    """Tell whether a Python is there, with all that we need of its library."""
    try:
        asked = subprocess.run([python, "-c", NEEDED_OF_PYTHON], capture_output=True, check=False)
    except OSError:
        return False
    return asked.returncode == 0


def is_optimised(python: str) -> bool:
    """Tell whether a Python was compiled as those are that are handed on, or by its system.

    `--enable-optimizations` lets the compiler see a run of Python's own tests first; what makes a
    system's packages asks for the same in ways of its own.
    """
    by_system = Path(python).resolve().is_relative_to(SYSTEM_PROGRAMS)
    return by_system or "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")


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
