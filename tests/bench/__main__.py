"""Measure everything several times, interleaved, and print medians and ratios.

Rates are of one process on one core. Interleaving lets a busy moment of the machine fall on all
measures alike; the median forgets it.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Mapping

from tests.bench import euchre, peers

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
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="how often each is run (default 7)")
    found = rates(measures(), parser.parse_args().runs)
    print(f"{'':34}{'a second':>12}{'to pokerkit':>14}{'to eventsourcing':>18}")
    for name, rate in found.items():
        ratios = f"{rate / found[POKERKIT]:>13.1f}×{rate / found[EVENTS]:>17.2f}×"
        print(f"{name:34}{rate:>12,.0f}{'' if name == RECORDS else ratios}")


if __name__ == "__main__":
    main()
