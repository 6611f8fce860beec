"""Every measure of the benchmarks runs and does something."""

from tests.bench import store
from tests.bench.__main__ import measures


def test_bench__each_measure_does_something() -> None:
    for name, measure in measures().items():
        assert measure() > 0, name


def test_bench__the_stores_measures_do_something() -> None:
    with store.measures() as measured:
        for name, measure in measured.items():
            assert measure() > 0, name
