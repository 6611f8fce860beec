"""Run tests on a Citus cluster, either given by its address or started for the run."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.development.running import ROOT, print_line, stop, tool

if TYPE_CHECKING:
    from collections.abc import Generator

SETTING = "CARNET_CITUS"
PROGRAM = ROOT.parent / "shared" / "citus" / "cluster"
# Tests that need a cluster.
ONLY_HERE = (
    "tests/store/on_cluster.py",
    "tests/extensions/webhooks/on_cluster.py",
    "tests/store/killed_worker.py",
)
TESTS = ("tests/store", "tests/http", *ONLY_HERE, "tests/http/ten_clubs.py")
# Tests that `check` selects.
BRIEF = (*ONLY_HERE, "tests/extensions/witness/test_heads.py", "tests/store/test_feed.py")
# Exit status of automake for a skipped test.
LEFT_OUT = 77


@contextmanager
def coordinator() -> Generator[str]:
    """Yield the address of a coordinator; stop the cluster at the end if it was started here."""
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
    with _start(program) as url:
        yield url or stop(f"this failed: {program} up")


def available() -> bool:
    return PROGRAM.is_file() and os.geteuid() == 0


def main() -> int:
    """Run the tests that `check` selects; return LEFT_OUT if no cluster can be started."""
    with _start(PROGRAM) as url:
        if url is None:
            print_line("no Citus cluster could be started; its tests are left out")
            return LEFT_OUT
        environment = {**os.environ, "CARNET_TEST_DATABASE_URL": url}
        return subprocess.call([tool("pytest"), "--quiet", *BRIEF], env=environment, cwd=ROOT)


@contextmanager
def _start(program: Path) -> Generator[str | None]:
    # Serialise two checks on one machine.
    with program.open("rb") as lock, tempfile.TemporaryDirectory(prefix="carnet-citus-") as made:
        fcntl.flock(lock, fcntl.LOCK_EX)
        Path(made).chmod(0o755)  # PostgreSQL runs as another account
        folder = Path(made, "cluster")
        try:
            command = [str(program), "up", str(folder)]
            up = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
            yield None if up.returncode else up.stdout.split()[-1]
        finally:
            quiet = subprocess.DEVNULL
            subprocess.run(
                [str(program), "down", str(folder)], check=False, stdout=quiet, stderr=quiet
            )


if __name__ == "__main__":
    sys.exit(main())
