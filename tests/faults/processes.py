"""Helpers for processes: children, liveness, and signals to PostgreSQL.

A killed process, or the backends of a killed server, may answer and commit for a moment; these
helpers wait until they are gone.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.waiting import time_limit

SECONDS_MAX = 60.0
_PAUSE_SECONDS = 0.02


def children(pid: int) -> list[int]:
    """Name the children of a process; of one that is gone, none."""
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def lives(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def until(true: Callable[[], bool], seconds_max: float = SECONDS_MAX) -> None:
    deadline = time.monotonic() + time_limit(seconds_max)
    while not true():
        assert time.monotonic() < deadline
        time.sleep(_PAUSE_SECONDS)


def kill_server(postmaster: int) -> None:
    # Backends started meanwhile notice its death, too.
    backends = children(postmaster)
    os.kill(postmaster, signal.SIGKILL)
    until(lambda: not any(lives(pid) for pid in backends))


def stand_still(postmaster: int) -> list[int]:
    """Stop a PostgreSQL with all its backends; return the processes to continue, in order."""
    os.kill(postmaster, signal.SIGSTOP)
    # The stopped postmaster starts no more backends, so the list is complete.
    stopped = children(postmaster)
    for pid in stopped:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    return [*stopped, postmaster]


def go_on(stopped: list[int]) -> None:
    for pid in stopped:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
