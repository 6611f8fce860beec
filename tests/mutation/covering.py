"""Which tests run a line, and how long each takes: what the faults of that line are shown to.

The tests run once under coverage.py, which notes for each test function the lines it ran; times are
those of pytest's own report.
"""

import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

ROOT = Path(__file__).parents[2]
# Neither generated games nor random walks: under coverage they take longer than all the others.
TESTS = (
    "tests/domain",
    "tests/projections",
    "tests/games",
    "tests/generic/test_possible.py",
    "tests/generic/test_recorded_walks.py",
    # What people are told of a game says what a reason or a part of a deal must be.
    "tests/service/test_one_reason.py",
    "tests/service/test_refusal_words.py",
    "tests/web/test_parts.py",
)
LINES_MAX = 10**6
UNCACHED = "tests.mutation.uncached"
_SETTINGS = "[run]\nsource = domain\ndata_file = {}\n"


class Covering(Struct, frozen=True):
    """The tests of each line of each module, and the seconds each took, all its cases together.

    `beside`: the lines of each module that run outside of any test, too: while something is
    imported or prepared, which is for every test.
    """

    tests: dict[str, dict[int, frozenset[str]]]
    beside: dict[str, frozenset[int]]
    seconds: dict[str, float]

    def of(self, module: str, spans: Iterable[tuple[int, int]]) -> list[str]:
        """Return who runs a line of the first span that anybody runs, quick ones first.

        Where it runs beside the tests, those that are named after the module follow, then whoever
        runs any line of it.
        """
        for span in spans:
            prepared = any(span[0] <= line <= span[1] for line in self.beside.get(module, ()))
            everybody = self._named(module) + self._running(module, (1, LINES_MAX))
            found = self._running(module, span) + (everybody if prepared else [])
            if found:
                return list(dict.fromkeys(found))
        return []

    def _named(self, module: str) -> list[str]:
        folder, _, name = module.rpartition("/")
        return [test for test in self.seconds if test.startswith(f"tests/{folder}/test_{name}::")]

    def _running(self, module: str, span: tuple[int, int]) -> list[str]:
        lines = self.tests.get(module, {})
        found = {
            test for line, tests in lines.items() if span[0] <= line <= span[1] for test in tests
        }
        return sorted(found, key=lambda test: (self.seconds.get(test, 0.0), test))


def measured(folder: Path) -> Covering:
    """Run the tests once; they must pass."""
    settings, data, report = (folder / name for name in ("settings", "lines", "report"))
    settings.write_text(_SETTINGS.format(data), encoding="utf-8")
    coverage = [sys.executable, "-B", "-m", "coverage", "run", f"--rcfile={settings}"]
    pytest = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", UNCACHED]
    pytest.append(f"--junitxml={report}")
    subprocess.run([*coverage, *pytest, *TESTS], cwd=ROOT, check=True, stdout=sys.stderr)
    tests, beside = _lines(data)
    return Covering(tests, beside, _seconds(report))


def _lines(data: Path) -> tuple[dict[str, dict[int, frozenset[str]]], dict[str, frozenset[int]]]:
    with sqlite3.connect(data) as known:
        rows = known.execute(
            "SELECT file.path, context.context, numbits FROM line_bits"
            " JOIN file ON file.id = file_id JOIN context ON context.id = context_id"
        ).fetchall()
    known.close()
    found: dict[str, dict[int, set[str]]] = {}
    beside: dict[str, set[int]] = {}
    for path, context, bits in rows:
        module = str(Path(path).relative_to(ROOT))
        ran = {at * 8 + bit for at, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1}
        if context:  # a test, named by `tests.mutation.uncached`
            lines = found.setdefault(module, {})
            for line in ran:
                lines.setdefault(line, set()).add(context)
        else:
            beside.setdefault(module, set()).update(ran)
    tests = {
        module: {line: frozenset(tests) for line, tests in lines.items()}
        for module, lines in found.items()
    }
    return tests, {module: frozenset(lines) for module, lines in beside.items()}


def _seconds(report: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 our own report
        module = str(case.get("classname")).replace(".", "/")
        test = f"{module}.py::{str(case.get('name')).partition('[')[0]}"
        found[test] = found.get(test, 0.0) + float(case.get("time") or 0.0)
    return found
