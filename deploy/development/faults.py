"""Run `tests/faults` at length and update the table in deploy/RELIABILITY.md."""

from __future__ import annotations

import ast
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
    from collections.abc import Mapping, Sequence

TESTS = ROOT / "tests" / "faults"
PAGE = ROOT / "deploy" / "RELIABILITY.md"
BEGINS, ENDS = "<!-- counted: written by deploy/dev.py faults -->", "<!-- /counted -->"
FIXED = ("tests", "failed", "seconds")
# The only report format that contains `record_property` of a test.
PROPERTIES = ("-o", "junit_family=xunit1")


def run(arguments: Sequence[str]) -> int:
    kills, arguments = kills_asked(arguments)
    named = any(argument[:1] != "-" for argument in arguments)
    with tempfile.TemporaryDirectory(prefix="carnet-faults-") as folder:
        report = Path(folder) / "report.xml"
        reported = (f"--junitxml={report}", *PROPERTIES)
        asked = [*DEEPLY, *side_by_side(), *reported, *arguments]
        command = [tool("pytest"), *asked, *(() if named else [str(TESTS)])]
        status = subprocess.call(command, env={**os.environ, **kills})
        if report.exists():
            rows = table(counted(report))
            print(rows, end="")
            if not arguments:
                PAGE.write_text(written(PAGE.read_text("utf-8"), rows), "utf-8")
    return status


def kills_asked(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Split arguments into environment variables of the tests and arguments of pytest."""
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


def written(page: str, rows: str) -> str:
    """Replace the table between the markers of a page."""
    before, begins, rest = page.partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    return f"{before}{begins}\n\n{rows}\n{ends}{after}"


def counted(report: Path) -> dict[str, Counter[str]]:
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
    own = sorted({name for file in files.values() for name in file} - {*FIXED})
    columns = [*FIXED, *own]
    rows = [["what breaks", *columns], ["---"] * (1 + len(columns))]
    for name, file in sorted(files.items()):
        rows.append([subject(name), *(f"{file[column]:,.0f}" for column in columns)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def subject(module: str) -> str:
    """Return the first line of a test file's docstring."""
    path = TESTS / f"{module}.py"
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) if path.exists() else None
    return (text or module).splitlines()[0].rstrip(".")
