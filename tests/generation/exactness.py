"""Exactness and speed of judging generated games.

`python -m tests.generation.exactness GAME [COUNT] [FIRST SEED] [PROFILE]` judges that many games,
one profile after another, lists the choices after each entry, and prints by number of players:
unproved judgements (`judged`), lists with unproved choices (`listed`), entries per second, and the
longest times (ms of CPU time).
"""

import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import msgspec
import pytest

from domain.inference.knowledge import Knowledge
from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import decode_record
from schemas.entries import Entry
from schemas.strict_json import Malformed
from tests.generation.makers import MAKERS

SLOW_MS = 100.0
TOLD_EVERY = 250


@dataclass
class Found:
    """The statistics of the games so far; times in ms."""

    games: Counter[int] = field(default_factory=Counter[int])  # by players
    judged: Counter[int] = field(default_factory=Counter[int])  # games with an inexact entry
    listed: Counter[int] = field(default_factory=Counter[int])  # games with an inexact list
    entries: int = 0
    judging: float = 0.0
    slow: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    longest: dict[str, float] = field(default_factory=lambda: {"judge": 0.0, "choices": 0.0})

    def timed(self, what: str, ms: float, where: str) -> None:
        self.longest[what] = max(self.longest[what], ms)
        if ms > SLOW_MS:
            self.slow.append((ms, where))
            sys.stdout.write(f"{what} {ms:.0f} ms: {where}\n")


@contextmanager
def loosened() -> Generator[list[int]]:
    times = [0]
    made = Knowledge._with_world  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def counting(self: Knowledge, *of: Any, **named: Any) -> Knowledge:  # noqa: ANN401
        times[0] += bool(named.get("relaxed")) and not self.relaxed
        return made(self, *of, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Knowledge, "_with_world", counting)
        yield times


def one_game(name: str, profile: str, seed: int, found: Found) -> None:
    module = MAKERS[name]
    habits = {**module.PROFILES, **getattr(module, "HARDER", {})}
    written = module.true_game(seed, habits[profile])
    record = decode_record(msgspec.json.encode(written))
    assert not isinstance(record, Malformed), record
    seats = written["seats"]
    history = History(opening(name, record.options, seats))
    judged = listed = False
    with loosened() as times:
        for at, entry in enumerate(record.log):
            where = f"{name}, {profile}, seed {seed}, {seats} players, entry {at}"
            judged = _judge(history, entry, found, where, times) or judged
            listed = _list(history, found, where, times) or listed
    found.games[seats] += 1
    found.judged[seats] += judged
    found.listed[seats] += listed


def _judge(history: History, entry: Entry, found: Found, where: str, times: list[int]) -> bool:
    before, begun = times[0], process_time()
    answer = history.judge(entry)
    ms = (process_time() - begun) * 1000
    assert not isinstance(answer, Refusal), (where, answer)
    found.entries += 1
    found.judging += ms
    found.timed("judge", ms, where)
    if times[0] > before:
        sys.stdout.write(f"inexact: {where}\n")
    return times[0] > before


def _list(history: History, found: Found, where: str, times: list[int]) -> bool:
    before, begun = times[0], process_time()
    judgement.choices(history.game)
    found.timed("choices", (process_time() - begun) * 1000, where)
    return times[0] > before


def main(name: str, count: str = "1000", first: str = "90000", profile: str = "") -> int:
    """Judge games and print statistics; return 1 if any answer was inexact or slow."""
    found = Found()
    profiles = [profile] if profile else list(MAKERS[name].PROFILES)
    for done, seed in enumerate(range(int(first), int(first) + int(count)), 1):
        try:
            one_game(name, profiles[seed % len(profiles)], seed, found)
        except AssertionError as wrong:
            sys.stdout.write(f"refused: {str(wrong)[:400]}\n")
        if done % TOLD_EVERY == 0 or done == int(count):
            _tell(name, found)
    return int(bool(found.slow or found.judged.total() or found.listed.total()))


def _tell(name: str, found: Found) -> None:
    few = {seats for seats in found.games if seats < 5}
    sys.stdout.write(
        f"{name}: {found.games.total()} games, {found.entries} entries,"
        f" {found.entries / max(found.judging, 1e-9) * 1000:.0f} a second;"
        f" games inexact: judged {found.judged.total()}"
        f" (below five players {sum(found.judged[one] for one in few)}),"
        f" listed {found.listed.total()} ({sum(found.listed[one] for one in few)});"
        f" longest: judge {found.longest['judge']:.0f} ms,"
        f" choices {found.longest['choices']:.0f} ms; over {SLOW_MS:.0f} ms: {len(found.slow)}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
