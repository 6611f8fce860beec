"""Measure every game beside peers, the store beside a bare INSERT, and the history; print it all.

All rates are of one process on one core, and what is measured takes turns. What only computes is
timed by the processor's clock, and the best run counts: other programs can only slow it down. What
waits for the disk is timed by the wall clock, and the median counts.
"""

import argparse
import gc
import logging
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import structlog

from tests.bench import games, history, http, peers, store

Measure = Callable[[], int]
Clock = Callable[[], float]
Choice = Callable[[Sequence[float]], float]

RULES, EXACT, CHECKED = "rules alone", "exact knowledge", "records"
COLUMNS = {
    RULES: "entries a second, judged by what everybody sees and folded, all history kept",
    EXACT: "entries a second, judged also by all that the log proves of unseen cards",
    CHECKED: "whole records a second, decoded from JSON, judged exactly and folded",
}
POKERKIT, EVENTS = "pokerkit: operations", "eventsourcing: unjudged"


def measures(share: float = 1) -> dict[str, Measure]:
    """Return what is measured of a `share` of the games: each runs once, says how many it did."""
    found: dict[str, Measure] = {}
    for kind in games.GENERATED:
        material = games.generated(kind, share)
        found |= {
            _name(kind, RULES): partial(games.folded, material, exact=False),
            _name(kind, EXACT): partial(games.folded, material, exact=True),
            _name(kind, CHECKED): partial(games.read_and_folded, material),
        }
    return {**found, POKERKIT: peers.pokerkit_hands, EVENTS: peers.eventsourcing_events}


def _name(kind: str, column: str) -> str:
    return f"{kind}, {column}"


def rates(
    measured: Mapping[str, Measure], runs: int, clock: Clock, best: Choice
) -> dict[str, float]:
    """Return the rate per second of each measure over so many runs in turn."""
    found: dict[str, list[float]] = {name: [] for name in measured}
    for run in range(runs + 1):
        for name, measure in measured.items():
            gc.collect()
            begun = clock()
            done = measure()
            rate = done / (clock() - begun)
            if run:  # the first warms the caches
                found[name].append(rate)
    return {name: best(each) for name, each in found.items()}


def main() -> None:
    """Print the tables of the games, of the peers beside them, of the store, of the history."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="how often each is run (default 7)")
    parser.add_argument("--http", type=Path, help="measure appends by HTTP alone, JSON to a file")
    arguments = parser.parse_args()
    runs: int = arguments.runs
    if arguments.http is not None:
        found = http.measure(rounds=runs)
        http.report(found)
        arguments.http.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
        return
    computed = rates(measures(), runs, time.process_time, max)
    report_games(computed, runs)
    rules = {_name(kind, RULES): computed[_name(kind, RULES)] for kind in games.GENERATED}
    beside = {name: computed[name] for name in (POKERKIT, EVENTS)}
    report(rules | beside, {"pokerkit": POKERKIT, "eventsourcing": EVENTS})
    errors_only = structlog.make_filtering_bound_logger(logging.ERROR)
    structlog.configure(wrapper_class=errors_only)  # the server tells of its start
    with store.measures() as durable:
        waited = rates(durable, runs, time.perf_counter, statistics.median)
        report(waited, {"bare INSERT": store.INSERT})
    http.report(http.measure())
    with history.crowded() as (runner, past):
        history.report_pages(runner, past)
        report(rates(history.measures(runner, past), 1, time.perf_counter, statistics.median), {})


def report_games(found: Mapping[str, float], runs: int) -> None:
    """Print the rates of all games side by side, and what each column is."""
    print(f"\nthe best of {runs} runs{'':17}" + "".join(f"{column:>18}" for column in COLUMNS))
    for kind in games.GENERATED:
        cells = "".join(f"{found[_name(kind, column)]:>18,.0f}" for column in COLUMNS)
        print(f"{kind:34}{cells}")
    for column, meaning in COLUMNS.items():
        print(f"  {column}: {meaning}")


def report(found: Mapping[str, float], peers: Mapping[str, str]) -> None:
    """Print each rate, and its ratio to the peers'."""
    print(f"\n{'':34}{'a second':>12}" + "".join(f"{'to ' + name:>18}" for name in peers))
    for name, rate in found.items():
        ratios = "".join(f"{rate / found[peer]:>17.2f}×" for peer in peers.values())
        print(f"{name:34}{rate:>12,.0f}{ratios}")


if __name__ == "__main__":
    main()
