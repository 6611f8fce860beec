"""Hold splices in as many generated games as there is time for, and say where they do not hold.

`python -m tests.generation GAME [COUNT] [FIRST SEED]`: one profile after the other.
"""

import sys

from tests.generation.splices import HELD, MAKERS

TOLD_EVERY = 250


def main(name: str, count: str = "1000", first: str = "1000000") -> int:
    """Tell each difference as it is found, how far it is, and how many there were."""
    profiles, differences = list(MAKERS[name].PROFILES), 0
    for done, seed in enumerate(range(int(first), int(first) + int(count)), 1):
        profile = profiles[seed % len(profiles)]
        for holds in HELD:
            try:
                holds(name, profile, seed)
            except AssertionError as difference:
                differences += 1
                where = f"{holds.__name__}({name!r}, {profile!r}, {seed})"
                sys.stdout.write(f"{where}: {str(difference)[:500]}\n")
        if done % TOLD_EVERY == 0 or done == int(count):
            sys.stdout.write(f"{name}: {done} games, {differences} differences\n")
            sys.stdout.flush()
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
