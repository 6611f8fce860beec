"""Put random faults into the kernel, the rules and the scores, and name those no test notices.

.venv/bin/python -m tests.mutation [COUNT [SEED]]
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from secrets import randbelow

import msgspec
from msgspec import Struct

from tests.mutation import planting
from tests.mutation.covering import LINES_MAX, ROOT, Covering, measured
from tests.mutation.mutants import Mutant, mutant, places

SURVIVORS = Path(__file__).with_name("survivors.toml")
NOTICED_MIN = 0.95
# Beside what the tests took under coverage, several times: a fault may make them slower.
SECONDS_MIN, TIMES_SLOWER = 60, 3
# What none of those notices is shown to generated games, which take longer than all of them.
GAMES, GAMES_SECONDS = ("tests/generation",), 1_800


class Survivor(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault that no test can notice, and why."""

    module: str
    function: str
    line: str
    was: str
    fault: str
    why: str


class Tried(Struct, frozen=True):
    """A fault, and whether a test noticed it."""

    module: Path
    mutant: Mutant
    noticed: bool


class _Showing(Struct, frozen=True):
    """A fault, and the tests it is shown to; none: generated games."""

    module: Path
    mutant: Mutant
    tests: Sequence[str]


def survivors() -> list[Survivor]:
    """Read which faults are known to change nothing."""
    found: list[Survivor] = msgspec.toml.decode(
        SURVIVORS.read_bytes(), type=dict[str, list[Survivor]]
    ).get("survivor", [])
    return found


def modules() -> list[Path]:
    """List the kernel, the table and the games; not the notation, nor what only shows."""
    found = (path.relative_to(ROOT) for path in sorted((ROOT / "domain").glob("*/*.py")))
    return [path for path in found if path.parts[1] != "notation" and path.name != "view.py"]


def sample(count: int, seed: int) -> list[tuple[Path, Mutant]]:
    """Choose so many faults, each as likely as any other."""
    sources = {module: (ROOT / module).read_text("utf-8") for module in modules()}
    found = [(module, number) for module, source in sources.items() for number in places(source)]
    chosen = Random(seed).sample(found, min(count, len(found)))  # noqa: S311 games, not secrets
    return [(module, mutant(sources[module], number)) for module, number in chosen]


def control(chosen: Iterable[tuple[Path, Mutant]], covering: Covering) -> None:
    """Show these tests what is right, as a fault would be shown to them: they must pass.

    Which does not is said on standard error.

    Raises: RuntimeError
    """
    tests = {test for module, one in chosen for test in shown_to(module, one, covering)}
    module = modules()[0]
    right = (ROOT / module).read_text("utf-8")
    quick_first = sorted(tests, key=lambda test: covering.seconds.get(test, 0.0))
    limit = _limit(quick_first, covering)
    for shown, seconds in ((quick_first, limit), (GAMES, GAMES_SECONDS)):
        number = planting.start(module, right, shown, seconds, told=True)
        if os.waitpid(number, 0)[1] != planting.PASSED:
            raise RuntimeError("the tests fail without a fault; nothing they notice says anything")


def shown_to(module: Path, one: Mutant, covering: Covering) -> list[str]:
    """Choose the tests of a fault: of its lines, else of its function, else of its module."""
    return covering.of(str(module), (one.lines, one.around, (1, LINES_MAX)))


def _limit(tests: Iterable[str], covering: Covering) -> int:
    return int(SECONDS_MIN + TIMES_SLOWER * sum(covering.seconds.get(one, 0.0) for one in tests))


def tried(chosen: Iterable[tuple[Path, Mutant]], covering: Covering) -> Iterator[Tried]:
    """Try faults, as many at once as there are processors."""
    planting.prepare()
    chosen = list(chosen)
    control(chosen, covering)
    waiting = [_Showing(*one, shown_to(*one, covering)) for one in chosen]
    running: dict[int, _Showing] = {}
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            one = waiting.pop(0)
            tests = one.tests or GAMES
            limit = _limit(tests, covering) if one.tests else GAMES_SECONDS
            running[planting.start(one.module, one.mutant.source, tests, limit)] = one
        number, status = os.wait()
        one = running.pop(number)
        if status == planting.PASSED and one.tests:
            waiting.append(_Showing(one.module, one.mutant, ()))
        else:
            yield Tried(one.module, one.mutant, noticed=status != planting.PASSED)


def justified(one: Tried, known: Iterable[Survivor]) -> bool:
    """Tell whether the list says why nobody can notice a fault."""
    told = (str(one.module), one.mutant.function, one.mutant.line, one.mutant.was, one.mutant.fault)
    return any(
        told == (each.module, each.function, each.line, each.was, each.fault) for each in known
    )


def said(one: Tried) -> str:
    """Name a fault as the list of survivors does."""
    fields = {
        "module": str(one.module),
        "function": one.mutant.function,
        "line": one.mutant.line,
        "was": one.mutant.was,
        "fault": one.mutant.fault,
    }
    # A text of JSON is one of TOML.
    told = "".join(f"{name} = {json.dumps(text)}\n" for name, text in fields.items())
    return f"[[survivor]]\n{told}"


def main(count: int = 150, seed: int | None = None) -> int:
    """Say which faults were noticed by nobody, and how many there were; without a seed: others."""
    seed = randbelow(10**6) if seed is None else seed
    known = survivors()
    with tempfile.TemporaryDirectory(prefix="carnet-mutants-") as folder:
        covering = measured(Path(folder))
    found: list[Tried] = []
    for one in tried(sample(count, seed), covering):
        found.append(one)
        if not one.noticed:
            sys.stdout.write(f"{said(one)}\n")
            sys.stdout.flush()
    left = [one for one in found if not one.noticed]
    unjustified = [one for one in left if not justified(one, known)]
    noticed = len(found) - len(left)
    sys.stdout.write(
        f"{noticed} of {len(found)} faults noticed, {len(left) - len(unjustified)} justified,"
        f" {len(unjustified)} not; seed {seed}\n"
    )
    return 1 if unjustified or noticed < NOTICED_MIN * len(found) else 0
