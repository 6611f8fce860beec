"""What the kernel answered to some hundred problems, kept as data, with the effort it took.

Three things are kept of each: a print of the answers, which are exact and so never change; a print
of what was found to show them (worlds, routes, lots), of which another would do; and how often each
part of the kernel was at work, which says how much effort it was. So whatever changes an order, a
limit or a bound shows up here, whether or not it changes what anybody sees.

Where another order, or more or less effort, was meant, it is recorded again, and the difference in
`recorded_answers.json` read line by line before it is committed: more effort must be worth it.

    .venv/bin/python -m tests.domain.inference.recorded

An answer that changed is never recorded again: one of the two was wrong, and the tests that try
every deal say which. Only where problems were added or taken away, the file is removed first.
"""

import json
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec import json as msgspec_json

from tests.domain.inference import recorded_deals, recorded_games, recorded_kernel
from tests.domain.inference.recorded_kernel import Answered

KEPT = Path(__file__).with_name("recorded_answers.json")
PRINT = 8  # hexadecimal digits
# What is counted, by the module it is in.
PARTS: Mapping[str, tuple[str, ...]] = {
    "all_worlds": ("_step", "_deals_of"),
    "assignment": ("_wanting", "FewChanges._mended", "_Proof._mended", "_tabu_search"),
    "counting": ("_Filling.after", "_Filling._spread", "_Count.run"),
    "flow": ("Flow.demand", "Flow.copy", "Flow.world", "Flow.plainly_at"),
    "flow_totals": ("_row_named", "_round", "_can_leave"),
    "kinds": ("Reach.reaches",),
    "knowledge": ("Knowledge.without", "Knowledge._routed", "Knowledge._searched"),
    "possible_cards": ("_Every._can_follow", "PossibleCards._fits", "_can_lie"),
    "prices": ("Network._cheapest_at", "_taken"),
    "routes": ("Routes._cheapest", "Routes.left", "Routes._refuted", "Routes._tell"),
    "search": ("Ways.after", "Ways.like", "Ways.relaxation", "Search._after"),
    "sightings": ("Sightings.put", "Sightings.short", "Sightings.short_of"),
    "sum_constraints": (
        "_Search._given",
        "_Search._worth",
        "_Search._augment",
        "_Search._sums_from",
        "_added",
    ),
    "symmetry": ("_counted",),
    "worlds": ("see", "move_unseen", "_exchange", "_shift", "_covers", "_split"),
}
Problem = Callable[[], Answered]


class Recorded(Struct, frozen=True):
    """What is kept of one problem."""

    answer: str
    found: str
    effort: dict[str, int]


def problems() -> dict[str, dict[str, Problem]]:
    """Return every problem, by what it is about and by its name."""
    found: dict[str, dict[str, Problem]] = {}
    for about, (problem, seeds) in recorded_kernel.PROBLEMS.items():
        found[about] = {f"{about} {seed}": partial(problem, seed) for seed in seeds}
    for kind, seeds in recorded_deals.SEEDS.items():
        about = f"deals: {kind}"
        deals = partial(recorded_deals.deals, kind)
        found[about] = {f"{about} {seed}": partial(deals, seed) for seed in seeds}
    for ruleset, games in recorded_games.MOMENTS.items():
        found[ruleset] = {
            f"{name} @{moment}": partial(recorded_games.game, name, moment)
            for name, moments in games.items()
            for moment in moments
        }
    return found


def recorded(problem: Problem) -> Recorded:
    """Solve a problem, and count what was at work."""
    with counting() as effort:
        answered = problem()
    return Recorded(_print(answered.answer), _print(answered.found), dict(sorted(effort.items())))


def _print(said: list[object]) -> str:
    return sha256(msgspec_json.encode(said, order="deterministic")).hexdigest()[:PRINT]


@contextmanager
def counting() -> Generator[Counter[str]]:
    """Count how often each part of the kernel is at work."""
    effort: Counter[str] = Counter()
    before: list[tuple[Any, str, Any]] = []
    for module, names in PARTS.items():
        for name in names:
            *holders, last = name.split(".")
            holder: Any = import_module(f"domain.inference.{module}")
            for one in holders:
                holder = getattr(holder, one)
            was = getattr(holder, last)
            before.append((holder, last, was))
            setattr(holder, last, _counted(was, f"{module}.{name}", effort))
    try:
        yield effort
    finally:
        for holder, last, was in before:
            setattr(holder, last, was)


def _counted(part: Callable[..., Any], name: str, effort: Counter[str]) -> Callable[..., Any]:
    @wraps(part)
    def counted(*args: Any, **named: Any) -> Any:  # noqa: ANN401 whatever the part is asked with
        effort[name] += 1
        return part(*args, **named)

    return counted


def kept() -> dict[str, dict[str, Recorded]]:
    """Return what is kept, by what it is about and by the name of the problem."""
    return msgspec_json.decode(KEPT.read_bytes(), type=dict[str, dict[str, Recorded]])


def main() -> None:
    """Record every problem again, unless an answer changed."""
    before = kept() if KEPT.exists() else {}
    now = {
        about: {name: recorded(problem) for name, problem in asked.items()}
        for about, asked in problems().items()
    }
    wrong = [
        name
        for about, asked in before.items()
        for name, one in asked.items()
        if now[about][name].answer != one.answer
    ]
    assert not wrong, f"other answers than before: {wrong}"
    KEPT.write_text(_lines(now), encoding="utf-8")


def _lines(every: Mapping[str, Mapping[str, Recorded]]) -> str:
    parts: list[str] = []
    for about, asked in every.items():
        lines = [
            f"  {json.dumps(name)}: {msgspec_json.encode(one).decode()}"
            for name, one in asked.items()
        ]
        parts.append(f"{json.dumps(about)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
