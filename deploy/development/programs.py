"""Find or install the system programs that tests need, or report them as missing."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deploy.development.running import print_line, stop, succeeds, tool

if TYPE_CHECKING:
    from collections.abc import Sequence


class Program(NamedTuple):
    """A program with its possible names on PATH and its Debian packages.

    `variable` is the environment variable that gives its path to the tests.
    """

    name: str
    variable: str
    names: tuple[str, ...]
    packages: tuple[str, ...]


CHROMIUM = Program(
    "Chromium",
    "CARNET_CHROMIUM",
    # The headless shell opens a page five times as fast.
    ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    # Tests measure text, and a minimal system has no fonts.
    ("chromium-headless-shell", "fonts-dejavu-core"),
)
OFFICE = Program(
    "LibreOffice",
    "CARNET_SOFFICE",
    ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice"),
    ("libreoffice-calc",),
)
POOLER = Program(
    "PgBouncer", "CARNET_PGBOUNCER", ("pgbouncer", "/usr/sbin/pgbouncer"), ("pgbouncer",)
)
CURL = Program("curl", "CARNET_CURL", ("curl",), ("curl",))
JQ = Program("jq", "CARNET_JQ", ("jq",), ("jq",))
# Required by Node.
NODE_LIBRARY, NODE_PACKAGE = "atomic", "libatomic1"
INSTALL = ("install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300")


def install_missing(programs: Sequence[Program], *, node: bool) -> None:
    missing = [package for one in programs if find(one) is None for package in one.packages]
    if node and sys.platform == "linux" and ctypes.util.find_library(NODE_LIBRARY) is None:
        missing.append(NODE_PACKAGE)
    apt = apt_get()
    if not missing or apt is None:
        return
    print_line(f"installing {', '.join(missing)} with apt-get")
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    succeeds([*apt, "update"], environment)
    if not succeeds([*apt, *INSTALL, *missing], environment):
        # Install separately: one unknown package must not prevent the others.
        for package in missing:
            succeeds([*apt, *INSTALL, package], environment)


def prepare(program: Program) -> None:
    """Set the environment variable of a program; Playwright's Chromium needs .venv.

    Without the program only the tests that need it fail.
    """
    path = find(program)
    if path is None and program is CHROMIUM:
        path = playwrights_chromium()
        if path is None:
            print_line("installing Chromium with Playwright")
            succeeds([tool("playwright"), "install", "chromium"])
            path = playwrights_chromium()
    if path:
        os.environ[program.variable] = path
    else:
        print_line(
            f"{program.name} is missing and could not be installed: install it"
            f" (Debian: apt-get install {' '.join(program.packages)})"
            f" or set {program.variable} to its path"
        )


def find(program: Program) -> str | None:
    named = os.environ.get(program.variable)
    if named:
        return named if shutil.which(named) else stop(f"{program.variable}: {named} does not run")
    return next(filter(None, map(shutil.which, program.names)), None)


def playwrights_chromium() -> str | None:
    question = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    command = [tool("python"), "-c", question]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    path = answer.stdout.strip()
    return path if path and Path(path).exists() else None


def apt_get() -> list[str] | None:
    """Return the command for apt-get, with sudo if needed; None if not permitted."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    sudo = ["sudo", "--non-interactive"]
    quiet = subprocess.DEVNULL
    allowed = shutil.which("sudo") and not subprocess.call(
        [*sudo, "true"], stdout=quiet, stderr=quiet
    )
    return [*sudo, "apt-get"] if allowed else None
