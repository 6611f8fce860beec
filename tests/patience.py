"""How long a promise may take on a machine that has other things to do."""

import os

# What waits for its turn twice, at the server and here, waits for each of those before it.
_TURNS = 2


def patient(seconds: float) -> float:
    """Stretch a time that is promised on an idle machine by how busy this one is."""
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    return seconds * (1 + _TURNS * waiting)
