"""What is smaller with every commit than where a run goes deep: this list, and nothing else.

Every test runs with every commit; `deploy/dev.py test --deep` runs the same ones, on more. A size
that is not in `SIZES` is the same in both, and a test holds that nothing else asks how deep it is.
"""

import os
from typing import NamedTuple

from hypothesis import settings


class Size(NamedTuple):
    """How many of something there are."""

    commit: int
    deep: int


EXAMPLES = "examples of Hypothesis"
# How often `deploy/dev.py faults --kills=N --feed-kills=N` kills, whatever else the depth is.
ASKED = {
    "kills while clients write": "CARNET_TESTS_KILLS",
    "kills while the feed grows": "CARNET_TESTS_FEED_KILLS",
}
SIZES = {
    EXAMPLES: Size(25, 2_000),
    "generated games": Size(20, 1_500),
    "random walks": Size(2, 100),
    # of four games, three languages, two sizes of a screen, three deals each
    "games recorded by taps": Size(4, 72),
    # English and German are looked at by axe; whether words fit is asked in French, too
    "languages a page is shown in": Size(2, 3),
    "rules of axe in another look": Size(1, 2),
    # More than one: of what lies under something else, axe does not tell.
    "texts painted alike whose contrast is weighed": Size(2, 10_000),
    "entries of an hour away": Size(100, 500),
    "small states counted": Size(40, 10_000),
    "games seen by every seat": Size(4, 10_000),
    "games of a large export": Size(10_000, 100_000),
    "games of a large list": Size(30_000, 100_000),
    "kills while the feed grows": Size(6, 1_000),
    "requests an operation": Size(3, 100),
    # The last five count, and more where those wait longer than they may.
    "requests whose waits are counted": Size(5, 20),
    "crashes of the model": Size(1, 3),
    "kills while clients write": Size(6, 1_000),
    "notes while readers hang up": Size(25, 500),
    # With a commit a promised time says that something comes at all; how soon, a deep run does.
    "how closely promised times are held": Size(1, 10),
    "walks with crashes": Size(2, 60),
}


def register_profiles() -> None:
    """Make Hypothesis know `commit` and `deep`, and choose `commit`."""
    few, many = SIZES[EXAMPLES]
    settings.register_profile(
        "commit", max_examples=few, derandomize=True, database=None, deadline=None
    )
    settings.register_profile("deep", max_examples=many, deadline=None, print_blob=True)
    settings.load_profile("commit")


def sized(name: str) -> int:
    """Return how many there are in this run."""
    size = SIZES[name]
    asked = os.environ.get(ASKED.get(name, ""), "")
    if asked:
        return int(asked)
    return size.deep if settings().max_examples >= SIZES[EXAMPLES].deep else size.commit
