"""The walks that every test of every game goes over, each walked once a process."""

from functools import cache

import pytest

from schemas.catalogue import SHAPES
from tests.depth import run_size
from tests.generic.walks import Walk, walk

LENGTH = 45

every_game = pytest.mark.parametrize("ruleset", sorted(SHAPES))


@cache
def walks(ruleset: str) -> tuple[Walk, ...]:
    return tuple(walk(ruleset, seed, LENGTH) for seed in range(run_size(2, deep=100)))
