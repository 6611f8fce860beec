"""The goals of the benchmarks beside the measured numbers: the first table of docs/benchmarks.md.

A goal is a bound of one number of a table: of a named line, else of the worst line. Numbers that
were not measured are omitted.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tests.bench import feed, phone
from tests.bench.http import APPEND, MINIMAL, TAP, TWO
from tests.bench.standing import PLAYED
from tests.bench.standing import TITLE as _STANDING
from tests.bench.store import OURS
from tests.bench.table import Report, Table, shown

_HTTP, _OF_BARE = "requests by HTTP, 32 clients", "of the bare insert"
_ONE, _EIGHT = "durable appends, 1 at once", "durable appends, 8 at once"
_LISTS, _JUDGED = "one list of what may be entered (choices)", "one judgement"
_COLD = "a game that is not in memory is read and folded"
_WARM = "an entry is judged in a game in memory"
_HISTORY = "a club's history, milliseconds (an export: lines a second)"
_LOG = "the whole log"


class Goal(Struct, frozen=True):
    """A bound for a number: at most, or at least. `beside`: a table whose number divides it."""

    what: str
    table: str
    line: str | None
    number: str
    bound: float
    at_least: bool = False
    beside: str | None = None


GOALS = (
    Goal("append by HTTP, of a bare INSERT", _HTTP, APPEND, _OF_BARE, 0.6, at_least=True),
    Goal("the same, `return=minimal`", _HTTP, MINIMAL, _OF_BARE, 0.8, at_least=True),
    Goal("tap of a phone, of a bare INSERT", _HTTP, TAP, _OF_BARE, 0.25, at_least=True),
    Goal("append by HTTP, p99, of a bare INSERT's", _HTTP, APPEND, "p99 of its", 1.5),
    Goal("tap of a phone, p99, ms", _HTTP, TAP, "p99 ms", 120),
    Goal("append by HTTP, processor, of a bare INSERT's", _HTTP, APPEND, "CPU of its", 1.6),
    Goal("the same, `return=minimal`, processor", _HTTP, MINIMAL, "CPU of its", 1.3),
    Goal("two processes beside one", _HTTP, TWO, "of one process", 1, at_least=True),
    Goal(
        "durable append, 1 at once, of eventsourcing",
        _ONE,
        OURS,
        "of eventsourcing",
        2,
        at_least=True,
    ),
    Goal(
        "durable append, 8 at once, of eventsourcing",
        _EIGHT,
        OURS,
        "of eventsourcing",
        3,
        at_least=True,
    ),
    Goal("durable append, 8 at once, of pgbench", _EIGHT, OURS, "of pgbench", 0.4, at_least=True),
    Goal("list (choices), p99 of any profile, ms", _LISTS, None, "p99 ms", 20),
    Goal("list (choices), worst of any profile, ms", _LISTS, None, "worst ms", 100),
    Goal("the loop stands still, worst, ms", _STANDING, PLAYED, "worst ms", 20),
    Goal(
        "list beside judgement, Durak, medians",
        _LISTS,
        "durak, hidden",
        "p50 ms",
        5,
        beside=_JUDGED,
    ),
    Goal(
        "tap to its first sign on a phone four times slower, p95, ms",
        phone.TITLE,
        "first sign, 4 × slower",
        "p95 ms",
        100,
    ),
    Goal("500 followers, p99, ms", "followers of one game hear of an entry", None, "p99 ms", 250),
    Goal(
        "500 followers, idle, % of a core",
        "followers of one game hear of an entry",
        None,
        "idle, % of a core",
        1,
    ),
    Goal(
        "the feed read and decoded, entries a second of one core",
        feed.TITLE,
        feed.DECODED,
        "entries a second",
        100_000,
        at_least=True,
    ),
    Goal(
        "500 entries read and folded, faster than eventsourcing by",
        _COLD,
        "500 entries",
        "faster by",
        20,
        at_least=True,
    ),
    Goal("10,000 entries read and folded, ms", _COLD, "10,000 entries", "carnet ms", 100),
    Goal("judged in memory, 10,000 entries beside 50", _WARM, "10,000 entries", "of 50", 1.5),
    Goal(
        "standings of 100,000 games, first request after a start that found none, ms",
        _HISTORY,
        "standings, first request",
        "100,000 games",
        1000,
    ),
    Goal(
        "standings of 100,000 games, new process, ms",
        _HISTORY,
        "standings, new process",
        "100,000 games",
        1000,
    ),
    Goal(
        "standings of 100,000 games, newest changed, ms",
        _HISTORY,
        "standings, the newest game changed",
        "100,000 games",
        50,
    ),
    *(
        Goal(
            f"{name}, entries a second in one process",
            _LOG,
            name,
            "1 process",
            40_000,
            at_least=True,
        )
        for name in ("import", "verify", "audit", "rebuild", "export")
    ),
    Goal("bytes an entry on disk", "bytes on disk", "an entry", "together", 250),
)


def lines(report: Report) -> Iterator[tuple[str, str, str, str]]:
    """Yield each goal: name, bound, measured value, and whether it is reached."""
    tables = [table for section in report.sections.values() for table in section]
    for goal in GOALS:
        found = _measure(goal, tables)
        if found is None:
            continue
        reached = found >= goal.bound if goal.at_least else found <= goal.bound
        bound = f"{'≥' if goal.at_least else '≤'} {shown(goal.bound)}"
        yield goal.what, bound, shown(found), "yes" if reached else "no"


def _measure(goal: Goal, tables: Sequence[Table]) -> float | None:
    found = _numbers(goal, goal.table, tables)
    if not found:
        return None
    worst = min(found) if goal.at_least else max(found)
    if goal.beside is None:
        return worst
    beside = _numbers(goal, goal.beside, tables)
    return worst / max(beside) if beside else None


def _numbers(goal: Goal, title: str, tables: Sequence[Table]) -> list[float]:
    return [
        line.numbers[goal.number]
        for table in tables
        if table.title.startswith(title)
        for line in table.lines
        if goal.line in {None, line.what} and goal.number in line.numbers
    ]
