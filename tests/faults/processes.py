"""Processes as the system sees them: who lives, whose children they are, and how a server is hit.

A signal is not an end: whoever is killed, or whose parent is, may answer and commit for a moment
more. What is asserted of the time after a kill begins once they are gone, which is waited for here.
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
    """Say whether a process does anything: one that waits to be collected does nothing."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def until(true: Callable[[], bool], seconds_max: float = SECONDS_MAX) -> None:
    deadline = time.monotonic() + time_limit(seconds_max)
    while not true():
        assert time.monotonic() < deadline
        time.sleep(_PAUSE_SECONDS)


def kill_server(postmaster: int) -> None:
    # Whoever it starts in between notices its death as those before do.
    backends = children(postmaster)
    os.kill(postmaster, signal.SIGKILL)
    until(lambda: not any(lives(pid) for pid in backends))


def stand_still(postmaster: int) -> list[int]:
    """Stop a PostgreSQL with all its backends; return who is to be continued, in that order."""
    os.kill(postmaster, signal.SIGSTOP)
    # It starts nobody any more: these are all.
    stopped = children(postmaster)
    for pid in stopped:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    return [*stopped, postmaster]


def go_on(stopped: list[int]) -> None:
    for pid in stopped:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
