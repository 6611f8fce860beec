"""Synchronise .venv with uv.lock, with uv from PATH or installed in .uv."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from deploy.development.running import ROOT, VENV, print_line, run_or_stop, stop

OWN_UV = ROOT / ".uv"
UV_VERSION = "0.13.8"
UV_VERSION_MIN = (0, 12)  # older ones lack UV_SYSTEM_CERTS
# Debian packages parts of the standard library separately.
NEEDED_OF_PYTHON = "import asyncio, ctypes, lzma, sqlite3, ssl, zoneinfo"


def prepare_environment() -> None:
    """Synchronise .venv with uv.lock; takes a few milliseconds if nothing changed."""
    # pyright's wheel contains Node; do not let it download a newer pyright.
    os.environ["PYRIGHT_PYTHON_IGNORE_WARNINGS"] = "1"
    os.environ["UV_PROJECT_ENVIRONMENT"] = str(VENV)
    os.environ["UV_PYTHON_DOWNLOADS"] = "never"
    # Use the system's certificate authorities, which uv ignores by default.
    os.environ.setdefault("UV_SYSTEM_CERTS", "true")
    os.environ.pop("VIRTUAL_ENV", None)
    uv = find_uv() or install_uv()
    if not VENV.exists():
        print_line("making .venv from uv.lock")
    run_or_stop([uv, "sync", "--quiet", "--locked", "--python", wanted_python()], cwd=ROOT)
    # Tests start hundreds of processes; without bytecode each takes three times as long.
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def wanted_python() -> str:
    """Return the Python for .venv: the running one, or an optimised build of the same version.

    A build without optimisations needs about 17 % more processor time.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    settings = VENV / "pyvenv.cfg"
    if settings.exists() and f"version_info = {version}" in settings.read_text():
        return version
    running: str = getattr(sys, "_base_executable", None) or sys.executable
    system = Path(f"/usr/bin/python{version}")
    optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    if optimised or Path(running).resolve().parent == system.parent or not system.exists():
        return running
    whole = subprocess.run([system, "-c", NEEDED_OF_PYTHON], capture_output=True, check=False)
    return running if whole.returncode else str(system)


def find_uv() -> str | None:
    for candidate in (shutil.which("uv"), str(OWN_UV / "bin" / "uv")):
        if candidate and uv_version(candidate) >= UV_VERSION_MIN:
            return candidate
    return None


def uv_version(uv: str) -> tuple[int, ...]:
    """Return the version of a uv, () if it does not run."""
    try:
        answer = subprocess.run([uv, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", answer.stdout)
    return tuple(map(int, found.groups())) if found else ()


def install_uv() -> str:
    if importlib.util.find_spec("pip") is None:
        stop(
            f"{sys.executable} has no pip to install uv with; install pip"
            " (Debian: apt-get install python3-pip) or put uv on PATH"
        )
    print_line(f"installing uv {UV_VERSION} into .uv")
    os.environ["PIP_ROOT_USER_ACTION"] = "ignore"
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    run_or_stop([*pip, "--upgrade", "--target", str(OWN_UV), f"uv=={UV_VERSION}"])
    return str(OWN_UV / "bin" / "uv")
