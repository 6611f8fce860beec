"""How long a promise may take on a machine that has other things to do."""

import os
from pathlib import Path

# What waits for its turn twice, at the server and here, waits for each of those before it.
_TURNS = 2
# What the machine will do while something is waited for, nobody knows before.
_MARGIN = 2


def patient(seconds: float) -> float:
    """Stretch a time that is promised on an idle machine by how busy this one is."""
    waiting = max(os.getloadavg()[0], _runnable()) / (os.cpu_count() or 1)
    return seconds * _MARGIN * (1 + _TURNS * waiting)


def _runnable() -> int:
    """Count who would work now; the load of the last minute knows nothing of a burst."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0])
    except OSError:
        return 0
