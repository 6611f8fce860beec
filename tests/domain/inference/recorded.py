"""Stored answers of the kernel to some hundred problems; exact answers never change.

For each problem a digest of its answers is stored, and the indexes of answers that were unknown
(`None`: unproved, or not fully counted), which a better kernel may answer. After adding a problem,
or for more known answers, record again:

    .venv/bin/python -m tests.domain.inference.recorded

A changed answer is never recorded: either the old or the new one is wrong, which the enumeration
tests decide. After adding or removing problems, delete the file first.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec import json as msgspec_json

from tests.domain.inference import recorded_deals, recorded_games, recorded_kernel

FILE = Path(__file__).with_name("recorded_answers.json")
DIGITS = 8  # hexadecimal, of a digest
Problem = Callable[[], Sequence[object]]


class Recorded(Struct, frozen=True, omit_defaults=True):
    digest: str
    unknown: tuple[int, ...] = ()


def problems() -> dict[str, dict[str, Problem]]:
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


def recorded(answers: Sequence[object], unknown: Sequence[int] = ()) -> Recorded:
    """Return the stored form of answers; those at `unknown` may change."""
    unknown = [
        at for at, answer in enumerate(answers) if answer is None or at in frozenset(unknown)
    ]
    known = [None if at in frozenset(unknown) else answer for at, answer in enumerate(answers)]
    encoded = msgspec_json.encode(known, order="deterministic")
    return Recorded(sha256(encoded).hexdigest()[:DIGITS], tuple(unknown))


def stored() -> dict[str, dict[str, Recorded]]:
    return msgspec_json.decode(FILE.read_bytes(), type=dict[str, dict[str, Recorded]])


def main() -> None:
    """Record every problem again, unless an answer changed or is not known any more."""
    before = stored() if FILE.exists() else {}
    answers = {
        about: {name: problem() for name, problem in asked.items()}
        for about, asked in problems().items()
    }
    wrong = [
        name
        for about, asked in before.items()
        for name, one in asked.items()
        if recorded(answers[about][name], one.unknown) != one
    ]
    assert not wrong, f"other answers than before: {wrong}"
    parts: list[str] = []
    for about, asked in answers.items():
        lines = [
            f"  {json.dumps(name)}: {msgspec_json.encode(recorded(one)).decode()}"
            for name, one in asked.items()
        ]
        parts.append(f"{json.dumps(about)}: {{\n" + ",\n".join(lines) + "\n}")
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
