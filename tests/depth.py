"""How many cases a test tries: few with every commit, many with `dev.py test --deep`."""

import os

from hypothesis import settings

EXAMPLES, EXAMPLES_DEEP = 25, 2_000


def register_profiles() -> None:
    """Register the Hypothesis profiles `commit` and `deep`, and choose `commit`."""
    settings.register_profile(
        "commit", max_examples=EXAMPLES, derandomize=True, database=None, deadline=None
    )
    settings.register_profile("deep", max_examples=EXAMPLES_DEEP, deadline=None, print_blob=True)
    settings.load_profile("commit")


def run_size(commit: int, *, deep: int, variable: str = "") -> int:
    """Return the number for this run. `variable`: an environment variable that decides instead."""
    if variable and variable in os.environ:
        return int(os.environ[variable])
    return deep if settings().max_examples >= EXAMPLES_DEEP else commit
