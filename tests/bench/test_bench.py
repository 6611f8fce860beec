"""Every measure of the benchmarks runs and does something."""

import pytest

from tests.bench import history, store
from tests.bench.__main__ import measures


def test_bench__each_measure_does_something() -> None:
    for name, measure in measures(share=0.03).items():
        assert measure() > 0, name


def test_bench__the_stores_measures_do_something() -> None:
    with store.measures() as measured:
        for name, measure in measured.items():
            assert measure() > 0, name


def test_bench__pages_and_exports_of_the_history_are_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with history.crowded(60) as (runner, past):
        history.report_pages(runner, past)
        for name, measure in history.measures(runner, past).items():
            assert measure() > 60, name
    assert capsys.readouterr().out.count("\n") > len(history.FILTERS)
