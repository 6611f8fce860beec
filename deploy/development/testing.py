"""What pytest is asked for, and what it needs for it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from deploy.development.programs import CHROMIUM, OFFICE, POOLER, Program
from deploy.development.running import ROOT, VENV, say, tool

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BROWSER_TESTS = ROOT / "tests" / "browser"
OFFICE_TESTS = ROOT / "tests" / "office"
POOLER_TESTS = ROOT / "tests" / "pooler"
NEED = {BROWSER_TESTS: CHROMIUM, OFFICE_TESTS: OFFICE, POOLER_TESTS: POOLER}

# Each has a PostgreSQL, a service and a browser of its own. One more than there are processors:
# tests of what fails wait for it, and leave a processor to somebody else.
PROCESSES_MAX = 8

# The same tests on more games, which takes hours and has no hang to be guarded against so soon.
DEEP = "--deep"
DEEPLY = ("--hypothesis-profile=deep", "--timeout=7200")

# Among thousands of tests of processes, browsers and servers, one that stumbled over a busy machine
# is tried once more and named with what it failed with; a deep run forgives nothing.
ONCE_MORE = ("--reruns=1",)

# The tests of the store and of HTTP on a Citus cluster instead of one server.
CLUSTER = "--cluster"

# A deep run of everything then puts random faults in, which the tests must notice.
FAULTS = ("-m", "tests.mutation")

# Each process imports every file of tests, and a new checkout has none of them compiled: one that
# does it before them saves the others two thirds of it.
COLLECT = ("pytest", "--collect-only", "-qq")
COLLECTED = VENV / "collected"

# Who asks for one of these has another way to run in mind.
OTHER_WAYS = {"-n", "--numprocesses", "--dist", "-s", "--capture", "--pdb", "--collect-only"}


def side_by_side() -> tuple[str, ...]:
    """Return the arguments that share files of tests among processes."""
    processes = min((os.cpu_count() or 1) + 1, PROCESSES_MAX)
    # The tests say themselves which files come first.
    return (f"--numprocesses={processes}", "--dist=loadfile", "--no-loadscope-reorder")


def pytest_arguments(arguments: Sequence[str]) -> list[str]:
    """Return what pytest is called with for what a person asked."""
    asked_otherwise = any(argument.split("=")[0] in OTHER_WAYS for argument in arguments)
    files = named_paths(arguments)
    one_file = len(files) == 1 and files[0].is_file()
    wanted = [argument for argument in arguments if argument != DEEP]
    wanted += DEEPLY if DEEP in arguments else ()
    if asked_otherwise or one_file:
        return wanted
    return [*wanted, *side_by_side(), *(() if DEEP in arguments else ONCE_MORE)]


def compile_once(arguments: Sequence[str]) -> None:
    """Have one process compile what several would at the same time, each for itself.

    `arguments`: pytest's. What is wrong with a file of tests, those processes say.
    """
    several = {*side_by_side()} <= {*arguments}
    if COLLECTED.exists() or named_paths(arguments) or not several:
        return
    say("compiling the tests and what they import, once")
    program, *asked = COLLECT
    subprocess.run([tool(program), *asked], cwd=ROOT, capture_output=True, check=False)
    COLLECTED.touch()


def puts_faults_in(arguments: Sequence[str]) -> bool:
    """Tell whether a run is a deep one of everything."""
    return list(arguments) == [DEEP]


def needed(arguments: Sequence[str]) -> list[Program]:
    """List the programs whose tests may be among what pytest is asked for."""
    return [program for folder, program in NEED.items() if reaches(arguments, folder)]


def reaches(arguments: Sequence[str], folder: Path) -> bool:
    """Tell whether a test of a folder may be among what pytest is asked for."""
    paths = named_paths(arguments)
    return not paths or any(
        path.is_relative_to(folder) or folder.is_relative_to(path) for path in paths
    )


def named_paths(arguments: Sequence[str]) -> list[Path]:
    """Return the files and folders that are named."""
    named = (ROOT / argument.split("::")[0] for argument in arguments if argument[:1] != "-")
    return [path for path in named if path.exists()]
