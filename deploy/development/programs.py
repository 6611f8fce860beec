"""Find the programs some tests need, a Chromium, a LibreOffice, a PgBouncer, or install them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deploy.development.running import run_silently, say, stop, tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Program(NamedTuple):
    """A program, by the names it may have on PATH, and the packages that bring it.

    `variable`: tells the tests where it is. `packages`: the first that the system has are taken.
    `playwrights`: Playwright has one too, and can fetch it.
    """

    name: str
    needed_for: str
    variable: str
    names: tuple[str, ...]
    packages: tuple[tuple[str, ...], ...]
    playwrights: bool = False


CHROMIUM = Program(
    name="Chromium",
    needed_for="the tests of pages",
    variable="CARNET_CHROMIUM",
    # The one that has no window first: a page in it takes a fifth of the time to open.
    names=(
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ),
    # Pages are measured with text in them, and a bare system has no font.
    packages=(("chromium-headless-shell", "fonts-dejavu-core"), ("chromium", "fonts-dejavu-core")),
    playwrights=True,
)
OFFICE = Program(
    name="LibreOffice",
    needed_for="the tests of spreadsheets",
    variable="CARNET_SOFFICE",
    names=("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice"),
    packages=(("libreoffice-calc",),),
)
POOLER = Program(
    name="PgBouncer",
    needed_for="the tests of a pooler before the database",
    variable="CARNET_PGBOUNCER",
    names=("pgbouncer", "/usr/sbin/pgbouncer"),
    packages=(("pgbouncer",),),
)

# Where another check installs at the same time, it is waited for, in seconds.
INSTALL = ("install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300")


def install_missing(wanted: Iterable[Program]) -> None:
    """Install the packages of all programs that are not here at once, where we may.

    Needs no .venv, so that it runs beside its making; what fails here, `prepare` tries again.
    """
    missing = [program for program in wanted if not find(program)]
    apt = apt_get()
    if missing and apt:
        install_packages(apt, missing)


def prepare(program: Program) -> None:
    """Set the variable of a program, for the tests, to one found here or installed now.

    Without one the tests that need it fail, and the others still have something to say.
    """
    path = find(program) or install(program)
    if path and slow(program, path):
        path = install_beside(program) or path
    if path:
        os.environ[program.variable] = path
    else:
        say(
            f"no {program.name} for {program.needed_for}, and none could be installed; install one"
            f" (Debian: apt-get install {program.packages[-1][0]})"
            f" or set {program.variable} to its path"
        )


def find(program: Program) -> str | None:
    """Find a program: by its variable, then on PATH, then where Playwright keeps it."""
    named = os.environ.get(program.variable)
    if named:
        return named if shutil.which(named) else stop(f"{program.variable}: {named} does not run")
    on_path = next(filter(None, map(shutil.which, program.names)), None)
    return on_path or (playwrights_chromium() if program.playwrights else None)


def install(program: Program) -> str | None:
    """Install a program from the system's packages where we may, else through Playwright."""
    apt = apt_get()
    if apt:
        install_packages(apt, [program])
    elif program.playwrights:
        say(f"installing {program.name} with playwright, for {program.needed_for}")
        run_silently([tool("playwright"), "install", "chromium"], dict(os.environ))
    return find(program)


def slow(program: Program, path: str) -> bool:
    """Tell whether a program was found that nobody named, and another would do the same sooner."""
    best = program.packages[0][0]
    return (
        not os.environ.get(program.variable) and best in program.names and Path(path).name != best
    )


def install_beside(program: Program) -> str | None:
    """Install the best package where we may and no other package changes for it."""
    apt = apt_get()
    best = program.packages[0][0]
    if not apt or not known(best):
        return None
    asked = [*apt, *INSTALL, best]
    if "\n0 upgraded, 1 newly installed, 0 to remove" not in simulated(asked):
        return None
    say(f"installing {best} with apt-get, for {program.needed_for}: it is several times as fast")
    return shutil.which(best) if run_silently(asked, unattended()) else None


def bring_up_to_date(package: str) -> bool:
    """Upgrade a package that is installed, where we may; tell whether there was something newer."""
    apt = apt_get()
    if not apt or not run_silently([*apt, "update"], unattended()):
        return False
    asked = [*apt, *INSTALL, "--only-upgrade", package]
    if f"\nInst {package} " not in simulated(asked):
        return False
    say(f"upgrading {package} with apt-get")
    return run_silently(asked, unattended())


def simulated(asked: Sequence[str]) -> str:
    """Have apt-get say what it would do, in English; nothing is done."""
    would = subprocess.run(
        [*asked, "--simulate"], capture_output=True, text=True, check=False, env=unattended()
    )
    return would.stdout


def unattended() -> dict[str, str]:
    """Return the environment of an apt-get that asks nothing and speaks English."""
    return {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}


def playwrights_chromium() -> str | None:
    """Ask Playwright where its Chromium belongs, and look whether it is there."""
    if not Path(tool("python")).exists():
        return None
    question = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    answer = subprocess.run(
        [tool("python"), "-c", question], capture_output=True, text=True, check=False
    )
    path = answer.stdout.strip()
    return path if path and Path(path).exists() else None


def install_packages(apt: Sequence[str], programs: Iterable[Program]) -> None:
    """Install the packages of programs and what they cannot do without; `apt`: runs apt-get."""
    run_silently([*apt, "update"], unattended())
    packages: list[str] = []
    for program in programs:
        best = next((one for one in program.packages if known(one[0])), program.packages[-1])
        say(f"installing {best[0]} with apt-get, for {program.needed_for}")
        packages += best
    run_silently([*apt, *INSTALL, *packages], unattended())


def known(package: str) -> bool:
    """Tell whether the system knows a package."""
    asked = ["apt-cache", "show", package]
    return not subprocess.call(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


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
