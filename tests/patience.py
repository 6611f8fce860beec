"""How long a promise may take on a machine that has other things to do.

A commit is tried on machines that stand still for seconds: there a promised time tells what comes
from what never does. How soon it comes is held by a deep run and by `deploy/dev.py faults`.
"""

import os
from pathlib import Path

from tests.depth import sized

# What waits for its turn twice, at the server and here, waits for each of those before it.
_TURNS = 2
# What the machine will do while something is waited for, nobody knows before: twice the time where
# it is held as closely as can be.
_MARGIN = 20


def patient(seconds: float) -> float:
    """Stretch a time that is promised on an idle machine by how busy this one is."""
    waiting = max(os.getloadavg()[0], _runnable()) / (os.cpu_count() or 1)
    margin = _MARGIN / sized("how closely promised times are held")
    return seconds * margin * (1 + _TURNS * waiting)


def _runnable() -> int:
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0])
    except OSError:
        return 0
