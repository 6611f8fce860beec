"""Every measure of the benchmarks runs and does something."""

import pytest

from tests.bench.__main__ import measures


@pytest.mark.parametrize("name", measures())
def test_bench__each_measure_does_something(name: str) -> None:
    assert measures()[name]() > 0
