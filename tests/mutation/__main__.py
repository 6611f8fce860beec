"""Put random faults into the rules, and name those no test notices: see `runner`."""

import sys

from tests.mutation.runner import main

if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
