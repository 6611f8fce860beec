"""A Citus cluster for tests: one that is given, or one that is started for the run."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.development.programs import bring_up_to_date
from deploy.development.running import ROOT, say, stop, tool

if TYPE_CHECKING:
    from collections.abc import Generator

SETTING = "CARNET_CITUS"
PROGRAM = ROOT.parent / "shared" / "citus" / "cluster"
# Those that only a cluster can pass.
ONLY_HERE = (
    "tests/store/on_cluster.py",
    "tests/store/webhooks_on_cluster.py",
    "tests/store/killed_worker.py",
)
# Those of them that take longer than a check has time for.
LONG = ("tests/http/ten_clubs.py",)
# All of the store's and all of HTTP's.
TESTS = ("tests/store", "tests/http", *ONLY_HERE, *LONG)
# What a Citus is built for, and may be too new for what is installed of it.
SERVER = "postgresql-15"
# As automake has it: nothing was tested, and nobody is to blame.
LEFT_OUT = 77
# What a check has time for.
BRIEF = (*ONLY_HERE, "tests/store/test_heads.py", "tests/store/test_feed.py")


@contextmanager
def coordinator() -> Generator[str]:
    """Yield the address of a coordinator; end what was started for it."""
    given = os.environ.get(SETTING)
    if given and "://" in given:
        yield given
        return
    program = Path(given) if given else PROGRAM
    if not program.is_file():
        stop(
            f"there is no Citus: set {SETTING} to the address of a coordinator, postgresql://…, or"
            " to a program that starts one (docs/operating/scaling.md)"
        )
    with _started(program) as url:
        yield url or stop(f"this failed: {program} up")


def at_hand() -> bool:
    """Tell whether there is a program that starts a cluster, and we may run it."""
    return PROGRAM.is_file() and os.geteuid() == 0


def main() -> int:
    """Run what a check has time for on a cluster; say so if none can be started."""
    with _started(PROGRAM) as url:
        if url is None:
            say("no Citus cluster could be started; its tests are left out")
            return LEFT_OUT
        environment = {**os.environ, "CARNET_TEST_DATABASE_URL": url}
        return subprocess.call([tool("pytest"), "--quiet", *BRIEF], env=environment, cwd=ROOT)


@contextmanager
def _started(program: Path) -> Generator[str | None]:
    """Start a cluster, once nobody else has one here; yield its address, None if none starts.

    Where it does not, the server below it may be older than what the extension was built for.
    """
    with program.open("rb") as lock, tempfile.TemporaryDirectory(prefix="carnet-citus-") as made:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Path(made).chmod(0o755)  # PostgreSQL runs as another account
        say("starting a Citus cluster")
        folder = Path(made, "cluster")
        try:
            url = _up(program, folder)
            if url is None and bring_up_to_date(SERVER):
                _down(program, folder)
                folder = Path(made, "upgraded")
                url = _up(program, folder)
            yield url
        finally:
            _down(program, folder)


def _up(program: Path, folder: Path) -> str | None:
    started = subprocess.run(
        [program, "up", folder], check=False, stdout=subprocess.PIPE, text=True
    )
    return None if started.returncode else started.stdout.split()[-1]


def _down(program: Path, folder: Path) -> None:
    nothing = subprocess.DEVNULL
    subprocess.run([program, "down", folder], check=False, stdout=nothing, stderr=nothing)


if __name__ == "__main__":
    sys.exit(main())
