"""Put random faults into the rules, and name those no test notices: see `runner`."""

import sys

from tests.mutation.runner import noticed


def main(count: int = 20, seed: int = 0) -> int:
    """Say which faults were noticed by nobody, and how many there were."""
    tried, left = noticed(count, seed)
    sys.stdout.writelines(f"{place} survives\n" for place in left)
    sys.stdout.write(f"{tried - len(left)} of {tried} noticed or justified, seed {seed}\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
