"""What breaks under a running service, tried on purpose and counted: a table of `tests/faults`."""

from __future__ import annotations

import os
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.development.running import ROOT, tool
from deploy.development.testing import DEEPLY, side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TESTS = ROOT / "tests" / "faults"
PAPER = ROOT / "deploy" / "RELIABILITY.md"
BEGINS, ENDS = "<!-- counted: written by deploy/dev.py faults -->", "<!-- /counted -->"
FIXED = ("tests", "failed", "seconds")
# The one form of a report in which a test may say what it counted.
PROPERTIES = ("-o", "junit_family=xunit1")


def run(arguments: Sequence[str]) -> int:
    """Run the tests, as deep as `test --deep` does, and print their table; return pytest's status.

    `arguments`: passed on to pytest; files named there are run instead of the folder.
    """
    kills, arguments = kills_asked(arguments)
    named = any(argument[:1] != "-" for argument in arguments)
    with tempfile.TemporaryDirectory(prefix="carnet-faults-") as folder:
        report = Path(folder) / "report.xml"
        reported = (f"--junitxml={report}", *PROPERTIES)
        asked = [*DEEPLY, *side_by_side(), *reported, *arguments]
        command = [tool("pytest"), *asked, *(() if named else [str(TESTS)])]
        status = subprocess.call(command, env={**os.environ, **kills})
        if report.exists():
            told = table(counted(report))
            print(told, end="")
            if not arguments:
                PAPER.write_text(written(PAPER.read_text("utf-8"), told), "utf-8")
    return status


def kills_asked(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Part what is asked of the tests (as variables: `tests/depth.py`) from what is pytest's."""
    known = {"--kills": "CARNET_TESTS_KILLS", "--feed-kills": "CARNET_TESTS_FEED_KILLS"}
    kills: dict[str, str] = {}
    rest: list[str] = []
    for argument in arguments:
        name, _, number = argument.partition("=")
        if name in known and number.isdecimal():
            kills[known[name]] = number
        else:
            rest.append(argument)
    return kills, rest


def written(paper: str, told: str) -> str:
    """Put a table in the place of the one between the marks of a paper."""
    before, begins, rest = paper.partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    return f"{before}{begins}\n\n{told}\n{ends}{after}"


def counted(report: Path) -> dict[str, Counter[str]]:
    """Add up, by file of tests, what a report of pytest (JUnit's XML) says of each test."""
    found: dict[str, Counter[str]] = {}
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 (pytest wrote it a moment ago)
        file = found.setdefault(case.get("classname", "").split(".")[-1], Counter())
        file["tests"] += 1
        file["failed"] += any(case.find(wrong) is not None for wrong in ("failure", "error"))
        file["seconds"] += float(case.get("time", 0))  # type: ignore[assignment] # not a count
        for told in case.iter("property"):
            file[told.get("name", "")] += int(told.get("value", 0))
    return found


def table(files: Mapping[str, Counter[str]]) -> str:
    """Make a table in Markdown of what was counted by file."""
    own = sorted({name for file in files.values() for name in file} - {*FIXED})
    columns = [*FIXED, *own]
    rows = [["what breaks", *columns], ["---"] * (1 + len(columns))]
    for name, file in sorted(files.items()):
        rows.append([subject(name), *(f"{file[column]:,.0f}" for column in columns)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def subject(module: str) -> str:
    """Return what a file of tests is about: the first line of its docstring."""
    path = TESTS / f"{module}.py"
    lines: Iterable[str] = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    return next((line.strip('"').rstrip(".") for line in lines), module)
