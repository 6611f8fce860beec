#!/usr/bin/env python3
"""Work on Carnet from a checkout, with nothing installed but Python.

    python3 deploy/dev.py serve            the service, on http://127.0.0.1:8000
    python3 deploy/dev.py test [args …]    pytest; paths count from the top of the checkout
    python3 deploy/dev.py test --deep      the same tests on more games, and random faults: hours
    python3 deploy/dev.py test --cluster   the tests of the store and of HTTP on a Citus cluster
    python3 deploy/dev.py faults [args …]  what breaks, tried at length, with counts in a table;
                                           --kills=N and --feed-kills=N: how often, not 1,000 times
    python3 deploy/dev.py check            everything a commit must pass
    python3 deploy/dev.py build            the wheel and the list of what it needs, in dist/
    python3 deploy/dev.py bench [args …]   what users wait for, beside peers; --quick, or by section
    python3 deploy/dev.py carnet args …    any command of carnet, e.g. carnet check game.jsonl

Promises: the standard library is enough to start it; what it installs stays inside the checkout
(.uv, .venv, .node) at the versions of its lock files, except what some tests need, a Chromium, a
LibreOffice and a PgBouncer, which come from the system's packages; it works from any folder, as
root and as an ordinary user; its own words go to standard error, one line for each thing done, and
standard output belongs to the tool it runs.
Assumes: Linux or macOS, Python 3.11 to 3.13, and a way to PyPI the first time,
which `check` also needs to npm's registry.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from deploy.development import checks, cluster, faults, wheel
from deploy.development.environment import prepare_environment
from deploy.development.page_tools import prepare_page_tools
from deploy.development.programs import install_missing, prepare
from deploy.development.running import ROOT, become, stop, tool, work_as_a_batch
from deploy.development.testing import (
    CLUSTER,
    FAULTS,
    compile_once,
    named_paths,
    needed,
    puts_faults_in,
    pytest_arguments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PYTHONS = ((3, 11), (3, 13))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "serve": lambda rest: carnet(["serve", *rest]),
        "test": test,
        "faults": break_things,
        "check": check,
        "build": build,
        "bench": bench,
        "carnet": carnet,
    }
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(__doc__)
        return 0 if arguments else 2
    command = commands.get(arguments[0])
    if command is None:
        stop(f"there is no command {arguments[0]!r}; there are: {', '.join(commands)}")
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        stop(f"Python 3.11 to 3.13 is needed, this is {sys.version.split()[0]}")
    return command(arguments[1:])


def carnet(arguments: Sequence[str]) -> int:
    """Become `carnet`, in the folder it was called from, so that signals and paths reach it."""
    prepare_environment()
    return become([tool("carnet"), *arguments])


def test(arguments: Sequence[str]) -> int:
    """Run pytest, with the programs at hand whose tests may run."""
    if CLUSTER in arguments:
        return test_on_cluster([argument for argument in arguments if argument != CLUSTER])
    prepare_environment()
    programs = needed(arguments)
    install_missing(programs)
    for program in programs:
        prepare(program)
    os.chdir(ROOT)
    work_as_a_batch()
    compile_once(wanted := pytest_arguments(arguments))
    command = [tool("pytest"), *wanted]
    if not puts_faults_in(arguments):
        return become(command)
    return max(subprocess.call(command), subprocess.call([tool("python"), *FAULTS]))


def test_on_cluster(arguments: Sequence[str]) -> int:
    """Run the tests of the store and of HTTP, or those that are named, on a Citus cluster."""
    prepare_environment()
    os.chdir(ROOT)
    named = arguments if named_paths(arguments) else [*arguments, *cluster.TESTS]
    with cluster.coordinator() as url:
        environment = {**os.environ, "CARNET_TEST_DATABASE_URL": url}
        return subprocess.call([tool("pytest"), *named], env=environment)


def break_things(arguments: Sequence[str]) -> int:
    """Run the tests of what breaks under a running service, and print their table."""
    prepare_environment()
    os.chdir(ROOT)
    return faults.run(arguments)


def build(arguments: Sequence[str]) -> int:
    """Write the wheel and its SBOM into dist/."""
    if arguments:
        stop("build takes no arguments; it writes into dist/")
    prepare_environment()
    return wheel.write()


def bench(arguments: Sequence[str]) -> int:
    """Become the benchmarks."""
    prepare_environment()
    os.chdir(ROOT)
    return become([tool("python"), "-m", "tests.bench", *arguments])


def check(arguments: Sequence[str]) -> int:
    """Run every check; return 1 if any failed."""
    if arguments:
        stop("check takes no arguments; a single tool runs as .venv/bin/<tool>")
    work_as_a_batch()
    programs = needed(())
    with ThreadPoolExecutor(1) as beside:
        installing = beside.submit(install_missing, programs)
        prepare_environment()
        prepare_page_tools()

        def programs_at_hand() -> None:
            installing.result()
            for program in programs:
                prepare(program)

        return 0 if checks.all_pass(programs_at_hand) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
