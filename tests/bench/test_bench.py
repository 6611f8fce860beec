"""Every measure of the benchmarks runs and does something."""

from tests.bench.__main__ import measures


def test_bench__each_measure_does_something() -> None:
    for name, measure in measures().items():
        assert measure() > 0, name
