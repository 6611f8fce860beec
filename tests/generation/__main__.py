"""Hold generated games to what must hold, as many as there is time for, and say where it does not.

`python -m tests.generation WHAT [COUNT] [FIRST SEED]`: WHAT is a game (splices in true games of it,
one profile after the other) or `euchre-mistakes`, `durak-mistakes` (verdicts on deals with a
mistake in them, beside those of a judge who lists every deal of the cards).
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial

from tests.generation import (
    test_durak_oracle,
    test_durak_referee,
    test_euchre_oracle,
    test_euchre_referee,
)
from tests.generation.splices import HELD, MAKERS

TOLD_EVERY = 250


def splices(name: str, seed: int) -> int:
    """Hold one game to all that must hold of splices."""
    profiles = list(MAKERS[name].PROFILES)
    for holds in HELD:
        holds(name, profiles[seed % len(profiles)], seed)
    return 1


def euchre_mistakes(seed: int) -> int:
    """Compare the verdicts on the mistakes in one deal of Euchre."""
    tables = list(test_euchre_oracle.TABLES)
    return test_euchre_referee.compared(seed, tables[seed % len(tables)])


def durak_mistakes(seed: int) -> int:
    """Compare the verdicts on the mistakes in one deal of Durak."""
    tables = list(test_durak_oracle.TABLES.values())
    return test_durak_referee.compared(seed, *tables[seed % len(tables)])


WHAT: Mapping[str, Callable[[int], int]] = {
    **{name: partial(splices, name) for name in MAKERS},
    "euchre-mistakes": euchre_mistakes,
    "durak-mistakes": durak_mistakes,
}


def main(what: str, count: str = "1000", first: str = "1000000") -> int:
    """Tell each difference as it is found, how far it is, and how many there were."""
    compared = differences = 0
    for done, seed in enumerate(range(int(first), int(first) + int(count)), 1):
        try:
            compared += WHAT[what](seed)
        except AssertionError as difference:
            differences += 1
            sys.stdout.write(f"{what}, seed {seed}: {str(difference)[:800]}\n")
        if done % TOLD_EVERY == 0 or done == int(count):
            told = f"{what}: {done} seeds, {compared} compared, {differences} differences\n"
            sys.stdout.write(told)
            sys.stdout.flush()
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
