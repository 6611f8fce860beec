"""Tables of measured numbers, stored as JSON and printed."""

from collections.abc import Iterable, Sequence
from math import ceil
from statistics import median

from msgspec import Struct
from msgspec.structs import replace


class Size(Struct, frozen=True):
    """How much is measured: rounds that are interleaved, and a share of the material."""

    rounds: int
    share: float

    def of(self, number: int) -> int:
        """Return the share of a number, at least 1."""
        return max(1, ceil(number * self.share))


FULL, QUICK = Size(5, 1.0), Size(2, 0.2)


class Line(Struct, frozen=True):
    what: str
    numbers: dict[str, float]


class Table(Struct, frozen=True):
    title: str
    lines: tuple[Line, ...]


class Machine(Struct, frozen=True):
    processor: str
    cores: int
    memory_gb: int
    system: str
    python: str
    load: float


class Report(Struct, frozen=True):
    """The numbers of a run: date, machine, size, and tables by section.

    `again`: the day on which a section was last measured separately.
    """

    made: str
    machine: Machine
    quick: bool
    seconds: dict[str, float]
    sections: dict[str, tuple[Table, ...]]
    again: dict[str, str] = {}

    def keeping(self, before: "Report", names: Iterable[str]) -> "Report":
        """Return the report with sections of an earlier one that were not run."""
        kept = [one for one in names if one in before.sections and one not in self.sections]
        return replace(
            self,
            seconds=self.seconds | {one: before.seconds[one] for one in kept},
            sections=self.sections | {one: before.sections[one] for one in kept},
            again=self.again | {one: before.again.get(one, before.made[:10]) for one in kept},
        )

    def with_sections_of(self, later: "Report") -> "Report":
        days = dict.fromkeys(later.sections, later.made[:10])
        return replace(
            self,
            seconds=self.seconds | later.seconds,
            sections=self.sections | later.sections,
            again=self.again | days,
        )


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the maximum, in milliseconds."""
    ordered = sorted(seconds)
    at = min(len(ordered) - 1, ceil(len(ordered) * 0.99) - 1)
    return {
        "p50 ms": 1000 * median(ordered),
        "p99 ms": 1000 * ordered[at],
        "worst ms": 1000 * ordered[-1],
    }


def printed(table: Table) -> str:
    columns = list(dict.fromkeys(name for line in table.lines for name in line.numbers))
    width = max([len(line.what) for line in table.lines] + [20])
    head = " " * width + "".join(f"{name:>16}" for name in columns)
    rows = [
        line.what.ljust(width) + "".join(f"{shown(line.numbers.get(name)):>16}" for name in columns)
        for line in table.lines
    ]
    return "\n".join(["", table.title, head, *rows])


def shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def medians(found: Iterable[dict[str, float]]) -> dict[str, float]:
    rounds = list(found)
    return {name: median([one[name] for one in rounds]) for name in rounds[0]}
