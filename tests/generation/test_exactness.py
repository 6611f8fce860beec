"""Games found in which more was accepted than was proved, as long as nothing better was known.

Each is judged without one inexact entry now; `python -m tests.generation.exactness` looks for more.
"""

import pytest

from tests.generation.exactness import Found, one_game


@pytest.mark.parametrize("seed", [60_094, 60_149, 60_213, 60_284, 60_285])
def test_rows_revealed_by_their_points_after_ranks_alone__are_held_exactly(seed: int) -> None:
    found = Found()
    one_game("dutch", "ranks alone", seed, found)
    assert (found.judged.total(), found.listed.total()) == (0, 0)
