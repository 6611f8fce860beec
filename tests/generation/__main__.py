"""Check properties of generated games, and print failures.

`python -m tests.generation WHAT [COUNT] [FIRST SEED]`: WHAT is a game (splices in its true games,
one profile after another), `euchre-mistakes` or `durak-mistakes` (verdicts on wrong deals, compared
with an enumeration of all deals), `dutch-mistakes` or `rami-mistakes` (compared with a referee that
follows the rule text and matches or counts cards), or a game with `-seen` (no seat learns private
cards of another) or `-citations` (cited entries satisfy the definition).
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial

from domain.games import GAMES
from tests.generation import (
    test_citations,
    test_durak_oracle,
    test_durak_referee,
    test_dutch_referee,
    test_euchre_oracle,
    test_euchre_referee,
    test_rami_referee,
)
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generation.splices import HELD
from tests.generic import test_viewpoint

TOLD_EVERY = 250


def splices(name: str, seed: int) -> int:
    profiles = list(MAKERS[name].PROFILES)
    for holds in HELD:
        holds(name, profiles[seed % len(profiles)], seed)
    return 1


def euchre_mistakes(seed: int) -> int:
    tables = list(test_euchre_oracle.TABLES)
    return test_euchre_referee.compared(seed, tables[seed % len(tables)])


def durak_mistakes(seed: int) -> int:
    tables = list(test_durak_oracle.TABLES.values())
    return test_durak_referee.compared(seed, *tables[seed % len(tables)])


def dutch_mistakes(seed: int) -> int:
    tables = list(test_dutch_referee.TABLES)
    return test_dutch_referee.mistaken(seed, tables[seed % len(tables)])


def rami_mistakes(seed: int) -> int:
    tables = list(test_rami_referee.TABLES)
    return test_rami_referee.mistaken(seed, tables[seed % len(tables)])


WHAT: Mapping[str, Callable[[int], int]] = {
    **{name: partial(splices, name) for name in MAKERS},
    "euchre-mistakes": euchre_mistakes,
    "durak-mistakes": durak_mistakes,
    "dutch-mistakes": dutch_mistakes,
    "rami-mistakes": rami_mistakes,
    **{f"{name}-seen": partial(test_viewpoint.compared, name) for name in GAMES},
    **{f"{name}-citations": partial(test_citations.check, name) for name in FOLLOWED},
}


def main(what: str, count: str = "1000", first: str = "1000000") -> int:
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
