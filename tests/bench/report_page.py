"""The tables of docs/benchmarks.md, written from the last run in `measured.json`.

`python -m tests.bench.report_page` writes them again.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.bench import goals
from tests.bench.table import Report, Table, shown

ROOT = Path(__file__).parent.parent.parent
MEASURED = Path(__file__).with_name("measured.json")
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN = "<!-- measured: written by tests/bench/report_page.py from tests/bench/measured.json -->"
END = "<!-- /measured -->"


def describe(report: Report) -> str:
    machine = report.machine
    busy = f", load {machine.load:g} from other work" if machine.load >= 1 else ""
    short = "a quick run" if report.quick else "a run"
    begin = (
        f"Measured on {report.made[:10]}: {short} of `bench` on {machine.cores} cores"
        f" ({machine.processor}), {machine.memory_gb} GB, {machine.system}, Python"
        f" {machine.python}{busy}. Services, their PostgreSQL, peers and clients shared the cores;"
        " medians of rounds that took turns."
    )
    again = ", ".join(f"{name} ({day})" for name, day in report.again.items())
    begin += f" Measured again alone: {again}." if again else ""
    tables = (table for section in report.sections.values() for table in section)
    shown_tables = [_markdown(table) for table in tables if _show(table)]
    return "\n\n".join([begin, *_goals(report), *shown_tables])


def written(text: str, report: Report) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{describe(report)}\n\n{END}{after}"


def write(report: Report) -> None:
    PAGE.write_text(written(PAGE.read_text("utf-8"), report), "utf-8")


def read() -> Report:
    return msgspec.json.decode(MEASURED.read_bytes(), type=Report)


def _show(table: Table) -> bool:
    left_out = ("1 clients", "8 clients", "8 at once", "one judgement")
    return not any(words in table.title for words in left_out)


def _markdown(table: Table) -> str:
    columns = list(dict.fromkeys(name for line in table.lines for name in line.numbers))
    rows = [[table.title, *columns], ["---"] * (1 + len(columns)), *_rows(table, columns)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _goals(report: Report) -> Iterator[str]:
    found = list(goals.lines(report))
    if found:
        rows = [("aim", "goal", "measured", "reached"), ("---",) * 4, *found]
        yield "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _rows(table: Table, columns: list[str]) -> Iterator[list[str]]:
    for line in table.lines:
        yield [line.what, *(shown(line.numbers.get(column)) for column in columns)]


if __name__ == "__main__":
    write(read())
