"""Time limits that end a test which waits for ever.

A busy machine may take twenty times as long as an idle one. How soon something happens is measured
by the benchmarks and by `deploy/dev.py faults`, not by these limits.
"""

BUSY_MACHINE_FACTOR = 20


def time_limit(seconds: float) -> float:
    """Return a limit for what takes `seconds` on an idle machine."""
    return seconds * BUSY_MACHINE_FACTOR
