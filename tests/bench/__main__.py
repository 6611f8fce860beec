"""Measure everything several times, interleaved, and print medians and ratios.

Rates are of one process on one core. Interleaving lets a busy moment of the machine fall on all
measures alike; the median forgets it.
"""

import argparse
import gc
import logging
import statistics
import time
from collections.abc import Callable, Mapping

import structlog

from tests.bench import euchre, peers, store

Measure = Callable[[], int]

RULES = "rules alone, entries"
EXACT = "with exact knowledge, entries"
RECORDS = "decode and replay, records"
POKERKIT = "pokerkit: a hand's operations"
EVENTS = "eventsourcing: events, unjudged"


def measures() -> dict[str, Measure]:
    """Return what is measured: each runs once and says how many it did."""
    records = euchre.lines()
    games = euchre.decoded(records)
    return {
        RULES: lambda: euchre.folded(games, exact=False),
        EXACT: lambda: euchre.folded(games, exact=True),
        RECORDS: lambda: euchre.read_and_replayed(records),
        POKERKIT: peers.pokerkit_hands,
        EVENTS: peers.eventsourcing_events,
    }


def rates(measured: Mapping[str, Measure], runs: int) -> dict[str, float]:
    """Return the median rate per second of each measure over interleaved runs."""
    found: dict[str, list[float]] = {name: [] for name in measured}
    for run in range(runs + 1):
        for name, measure in measured.items():
            gc.collect()
            begun = time.perf_counter()
            done = measure()
            rate = done / (time.perf_counter() - begun)
            if run:  # the first warms the caches
                found[name].append(rate)
    return {name: statistics.median(each) for name, each in found.items()}


def main() -> None:
    """Print the table of the rules, then the table of the store."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="how often each is run (default 7)")
    runs: int = parser.parse_args().runs
    report(rates(measures(), runs), {"pokerkit": POKERKIT, "eventsourcing": EVENTS})
    errors_only = structlog.make_filtering_bound_logger(logging.ERROR)
    structlog.configure(wrapper_class=errors_only)  # the server tells of its start
    with store.measures() as durable:
        report(rates(durable, runs), {"bare INSERT": store.INSERT})


def report(found: Mapping[str, float], peers: Mapping[str, str]) -> None:
    """Print each rate, and its ratio to the peers' where both count alike."""
    print(f"\n{'':34}{'a second':>12}" + "".join(f"{'to ' + name:>18}" for name in peers))
    for name, rate in found.items():
        ratios = (
            "" if name == RECORDS else "".join(f"{rate / found[p]:>17.2f}×" for p in peers.values())
        )
        print(f"{name:34}{rate:>12,.0f}{ratios}")


if __name__ == "__main__":
    main()
