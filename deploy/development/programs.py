"""Find the programs some tests need, a Chromium and a LibreOffice, or install them.

Promises: what is named in CARNET_CHROMIUM or CARNET_SOFFICE comes first, then what is on PATH;
where nothing can be installed the way to it is said, and the tests that need it fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.development.running import run_silently, say, stop, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Pages are measured with text in them, and a bare system has no font.
CHROMIUM_PACKAGES = ("chromium", "fonts-dejavu-core")

OFFICE_NAMES = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
OFFICE_PACKAGES = ("libreoffice-calc",)


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
