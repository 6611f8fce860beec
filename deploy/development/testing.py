"""Arguments of pytest, and the programs that the selected tests need."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from deploy.development.programs import CHROMIUM, CURL, JQ, OFFICE, POOLER, Program
from deploy.development.running import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NEEDS = {
    "browser": (CHROMIUM,),
    "documents": (CURL, JQ),
    "office": (OFFICE,),
    "pooler": (POOLER,),
}
PROCESSES_MAX = 8

# The same tests on more cases; takes hours.
DEEP = "--deep"
DEEPLY = ("--hypothesis-profile=deep", "--timeout=7200")

# Listed at the end of a long run.
SLOWEST = ("--durations=10", "--durations-min=1")

# The tests of the store and of HTTP on a Citus cluster.
CLUSTER = "--cluster"


def side_by_side() -> tuple[str, ...]:
    """Return the arguments that distribute tests over processes.

    Each process gets consecutive tests, which share fixtures of their file; one that has none left
    takes half of another's. One process more than processors, because tests wait for services,
    servers and browsers.
    """
    processes = min((os.cpu_count() or 1) + 1, PROCESSES_MAX)
    return (f"--numprocesses={processes}", "--dist=worksteal")


def pytest_arguments(arguments: Sequence[str]) -> list[str]:
    """Convert the arguments of `dev.py test` to arguments of pytest."""
    wanted = [argument for argument in arguments if argument != DEEP]
    wanted += DEEPLY if DEEP in arguments else ()
    files = named_paths(arguments)
    one_file = len(files) == 1 and files[0].is_file()
    interactive = {"-s", "--pdb", "--collect-only"} & {*arguments}
    chosen = any(argument.startswith(("-n", "--numprocesses")) for argument in arguments)
    wanted += () if files else SLOWEST
    return wanted if one_file or interactive or chosen else [*wanted, *side_by_side()]


def needed(arguments: Sequence[str]) -> list[Program]:
    """List the programs that the selected tests may need."""
    paths = named_paths(arguments)
    folders = {ROOT / "tests" / folder: programs for folder, programs in NEEDS.items()}
    return [
        program
        for folder, programs in folders.items()
        for program in programs
        if not paths
        or any(
            path.is_relative_to(folder) or folder in path.iterdir()
            if path.is_dir()
            else path.is_relative_to(folder)
            for path in paths
        )
    ]


def named_paths(arguments: Sequence[str]) -> list[Path]:
    named = (ROOT / argument.split("::")[0] for argument in arguments if argument[:1] != "-")
    return [path for path in named if path.exists()]
