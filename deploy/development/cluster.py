"""A Citus cluster for tests: one that is given, or one that is started for the run.

Assumes, where one is started, a program that is called as `PROGRAM up FOLDER`, prints the address
of the coordinator as its last line, and stops it as `PROGRAM down FOLDER`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
            " to a program that starts one (deploy/README.md)"
        )
    with tempfile.TemporaryDirectory(prefix="carnet-citus-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another account
        say("starting a Citus cluster")
        try:
            yield _up(program, folder) or stop(f"this failed: {program} up {folder}")
        finally:
            _down(program, folder)


def at_hand() -> bool:
    """Tell whether there is a program that starts a cluster, and we may run it."""
    return PROGRAM.is_file() and os.geteuid() == 0


def main() -> int:
    """Run what a check has time for on a cluster, if one can be started."""
    with tempfile.TemporaryDirectory(prefix="carnet-citus-") as folder:
        Path(folder).chmod(0o755)
        try:
            url = _up(PROGRAM, folder)
            if url is None:  # its ports are fixed: another check may have them
                say("no Citus cluster could be started; its tests are left out")
                return 0
            environment = {**os.environ, "CARNET_TEST_DATABASE_URL": url}
            return subprocess.call([tool("pytest"), "--quiet", *BRIEF], env=environment, cwd=ROOT)
        finally:
            _down(PROGRAM, folder)


def _up(program: Path, folder: str) -> str | None:
    """Start a cluster; return its coordinator's address, None if it does not start."""
    started = subprocess.run(
        [program, "up", folder], check=False, stdout=subprocess.PIPE, text=True
    )
    return None if started.returncode else started.stdout.split()[-1]


def _down(program: Path, folder: str) -> None:
    subprocess.run([program, "down", folder], check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
