"""Run all benchmarks, or only the named sections: `python3 deploy/dev.py bench [SECTION …]`.

Sections: http, standing, store, listing, possible, loading, following, feed, history,
maintenance, engines, phone; by name only: large. Measures that are compared alternate, and the
median of the rounds counts. Prints tables and stores all numbers as JSON; `--report` also writes
docs/benchmarks.md, in which sections that were not run keep their previous numbers.
"""

import argparse
import logging
import os
import platform
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import msgspec
import structlog

from tests.bench.report_page import MEASURED, read, write
from tests.bench.table import FULL, QUICK, Machine, Report, Size, Table, printed

SECTIONS = (
    *("http", "standing", "store", "listing", "possible", "loading", "following"),
    *("feed", "history", "maintenance", "engines", "phone"),
)
# Takes an hour and 10 GB of disk.
BY_NAME = ("large",)


def measure(sections: tuple[str, ...], size: Size, *, quick: bool) -> Report:
    tables: dict[str, tuple[Table, ...]] = {}
    seconds: dict[str, float] = {}
    here = machine()
    for name in sections:
        began = time.monotonic()
        found: list[Table] = []
        for table in import_module(f"tests.bench.{name}").measure(size):
            sys.stdout.write(f"{printed(table)}\n")
            sys.stdout.flush()
            found.append(table)
        tables[name] = tuple(found)
        seconds[name] = round(time.monotonic() - began, 1)
    made = datetime.now(UTC).isoformat(timespec="minutes")
    return Report(made=made, machine=here, quick=quick, seconds=seconds, sections=tables)


def machine() -> Machine:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Machine(
        processor=_processor(),
        cores=cores or 1,
        memory_gb=round(pages / 2**30),
        system=platform.system(),
        python=platform.python_version(),
        load=round(os.getloadavg()[0], 1),
    )


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(prog="deploy/dev.py bench", description=__doc__)
    parser.add_argument(
        "section", nargs="*", metavar="SECTION", help=", ".join((*SECTIONS, *BY_NAME))
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and less of everything")
    parser.add_argument("--json", type=Path, default=None, help="where the numbers are kept")
    parser.add_argument("--report", action="store_true", help="write docs/benchmarks.md from them")
    arguments = parser.parse_args()
    asked = tuple(arguments.section) or SECTIONS
    known = (*SECTIONS, *BY_NAME)
    if unknown := [name for name in asked if name not in known]:
        parser.error(f"no section {unknown[0]!r}; there are {', '.join(known)}")
    # As installed: otherwise every command that is measured compiles 500 modules again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    errors_only = structlog.make_filtering_bound_logger(logging.ERROR)
    structlog.configure(wrapper_class=errors_only)  # hide the log of server starts
    report = measure(asked, QUICK if arguments.quick else FULL, quick=arguments.quick)
    if arguments.report:
        before = read()
        whole = not arguments.section
        report = report.keeping(before, BY_NAME) if whole else before.with_sections_of(report)
    kept = arguments.json or (MEASURED if arguments.report else None)
    if kept is not None:
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    if arguments.report:
        write(report)


if __name__ == "__main__":
    main()
