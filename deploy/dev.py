#!/usr/bin/env python3
"""Work on Carnet from a checkout; needs only Python.

    python3 deploy/dev.py serve            the service, on http://127.0.0.1:8000; --lan for phones,
                                           --demo for a season of sample games to look at
    python3 deploy/dev.py test [args …]    pytest; paths count from the top of the checkout
    python3 deploy/dev.py test --deep      the same tests on more cases: hours
    python3 deploy/dev.py test --cluster   the tests of the store and of HTTP on a Citus cluster
    python3 deploy/dev.py test --game NAME the tests that one game must pass
    python3 deploy/dev.py game NAME --cards, or --results: the skeleton of a new game
    python3 deploy/dev.py faults [args …]  kills, frozen databases and fuzzing at length;
                                           --kills=N and --feed-kills=N: how often
    python3 deploy/dev.py check            everything a commit must pass
    python3 deploy/dev.py build            the wheel and its list of dependencies, in dist/
    python3 deploy/dev.py docs             the documents as a site, in build/site
    python3 deploy/dev.py release X.Y.Z    the version, and the dump and contract of a release
    python3 deploy/dev.py bench [args …]   benchmarks beside peers; --quick, or by section
    python3 deploy/dev.py carnet args …    any command of carnet, e.g. carnet check game.jsonl

Requires Linux or macOS, Python 3.11 to 3.13, and PyPI on the first run (`check`: also npm).
Everything is installed inside the checkout (.uv, .venv, .node), except the system programs of some
tests: Chromium, LibreOffice, PgBouncer, curl and jq. Messages go to standard error.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from deploy.development import checks, cluster, faults, new_game, site, version, wheel
from deploy.development.environment import prepare_environment
from deploy.development.page_tools import prepare_page_tools
from deploy.development.programs import CHROMIUM, install_missing, prepare
from deploy.development.running import ROOT, become, stop, tool
from deploy.development.testing import CLUSTER, named_paths, needed, pytest_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PYTHONS = ((3, 11), (3, 13))


def main(arguments: Sequence[str]) -> int:
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "serve": lambda rest: carnet(["serve", *rest]),
        "test": test,
        "game": game,
        "faults": break_things,
        "check": check,
        "build": build,
        "docs": docs,
        "release": version.write,
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
    prepare_environment()
    return become([tool("carnet"), *arguments])


def test(arguments: Sequence[str]) -> int:
    """Replace this process by pytest, with the programs that the selected tests need."""
    if "--game" in arguments:
        at = list(arguments).index("--game")
        name = "".join(arguments[at + 1 : at + 2])
        new_game.refuse_incomplete(name)
        arguments = [*arguments[:at], *new_game.tests_of(name), *arguments[at + 2 :]]
        prepare_for_tests(arguments)
        prepare_page_tools()
        passed = [checks.passes(one) for one in new_game.gates_of(name)]
        if not all(passed):
            stop(f"{name} does not pass the gates above")
    if CLUSTER in arguments:
        return test_on_cluster([argument for argument in arguments if argument != CLUSTER])
    prepare_for_tests(arguments)
    return become([tool("pytest"), *pytest_arguments(arguments)])


def game(arguments: Sequence[str]) -> int:
    prepare_environment()
    return new_game.write(arguments)


def test_on_cluster(arguments: Sequence[str]) -> int:
    """Run the selected tests, or those of the store and of HTTP, on a Citus cluster."""
    prepare_environment()
    os.chdir(ROOT)
    named = arguments if named_paths(arguments) else [*arguments, *cluster.TESTS]
    with cluster.coordinator() as url:
        environment = {**os.environ, "CARNET_TEST_DATABASE_URL": url}
        return subprocess.call([tool("pytest"), *named], env=environment)


def break_things(arguments: Sequence[str]) -> int:
    prepare_environment()
    os.chdir(ROOT)
    return faults.run(arguments)


def build(arguments: Sequence[str]) -> int:
    if arguments:
        stop("build takes no arguments; it writes into dist/")
    prepare_environment()
    return wheel.write()


def docs(arguments: Sequence[str]) -> int:
    if arguments:
        stop("docs takes no arguments; it writes into build/site")
    prepare_environment()
    return site.write()


def bench(arguments: Sequence[str]) -> int:
    prepare_environment()
    os.chdir(ROOT)
    return become([tool("python"), "-m", "tests.bench", *arguments])


def check(arguments: Sequence[str]) -> int:
    if arguments:
        stop("check takes no arguments; a single tool runs as .venv/bin/<tool>")
    prepare_for_tests(())
    prepare_page_tools()
    return 0 if checks.all_pass() else 1


def prepare_for_tests(arguments: Sequence[str]) -> None:
    """Install the system programs that the selected tests need, and create .venv."""
    programs = needed(arguments)
    install_missing(programs, node=CHROMIUM in programs)
    prepare_environment()
    for program in programs:
        prepare(program)
    os.chdir(ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
