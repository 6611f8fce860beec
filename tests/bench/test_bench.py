"""Every measure of the benchmarks runs and does something."""

import pytest

from tests.bench import history, http, store
from tests.bench.__main__ import measures


def test_bench__each_measure_does_something() -> None:
    for name, measure in measures(share=0.03).items():
        assert measure() > 0, name


def test_bench__the_stores_measures_do_something() -> None:
    with store.measures() as measured:
        for name, measure in measured.items():
            assert measure() > 0, name


def test_bench__appends_by_http_are_measured_beside_an_echo(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "CLIENTS", (2,))
    found = http.measure(entries=3, rounds=1)
    http.report(found)
    assert set(found[2]) == {http.PLAIN, http.FAST, http.APPEND, http.MINIMAL}
    assert all(one.a_second > 0 and one.service > 0 for one in found[2].values())
    assert found[2][http.APPEND].store > 0
    assert http.MINIMAL in capsys.readouterr().out


def test_bench__pages_and_exports_of_the_history_are_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with history.crowded(60) as (runner, past):
        history.report_pages(runner, past)
        for name, measure in history.measures(runner, past).items():
            assert measure() > 60, name
    assert capsys.readouterr().out.count("\n") > len(history.FILTERS)
