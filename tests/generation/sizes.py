"""The number of generated games per test: hundreds per commit, ten thousand with `--deep`."""

from collections.abc import Iterable

from tests.depth import run_size


def games(first: int, share: int = 1) -> Iterable[int]:
    """Return the seeds of this run; `share` divides them for tests whose games are costly."""
    return range(first, first + max(1, run_size(20, deep=1_500) // share))
