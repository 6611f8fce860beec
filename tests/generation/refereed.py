"""Verdicts of `domain` on mistakes in true deals, compared with a referee written from the rules.

A mistake is recorded, or put into the true record by a splice: two ways to the same log. The
referee names all clauses an entry breaks; `domain` must refuse the same entry by one of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, Self

import msgspec

from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.catalogue import shapes
from schemas.entries import Entry as Decoded
from schemas.strict_json import Malformed
from tests.generation.mistakes import Mistake, mistakes

Entry = dict[str, Any]
Clauses = frozenset[str]
STANDS, STARTED = -1, 1


class NobodyKnows(Exception):  # noqa: N818 not an error: the test tries another log
    """The referee cannot decide."""


class Referee(Protocol):
    def copy(self) -> Self: ...

    def judge(self, entry: Entry) -> Clauses:
        """Return the clauses an entry breaks; without any, apply it."""
        ...

    def is_the_reason(self, index: int, rule: str) -> bool: ...


@dataclass(frozen=True)
class Played:
    """A true deal as recorded; `cards`: those that a mistake may name."""

    ruleset: str
    options: Entry
    seats: int
    log: Sequence[Entry]
    cards: Sequence[str]

    def decoded(self, *entries: Entry) -> Sequence[Decoded] | None:
        """Decode entries; None where one of them cannot be."""
        found = shapes(self.ruleset).decode_submitted(msgspec.json.encode(entries))
        return None if isinstance(found, Malformed) else found


def compared(played: Played, referee: Referee, chance: Random, tries: int) -> int:
    """Compare the verdicts on mistakes in one deal; return how many there were."""
    told = 0
    moments = follow(referee, played.log)
    log = played.log[: len(moments)]
    made = shapes(played.ruleset).complete_options(
        msgspec.convert(played.options, shapes(played.ruleset).options), played.seats
    )
    assert isinstance(made, msgspec.Struct), made
    true = History(opening(played.ruleset, made, played.seats))
    befores = [true.copy()]
    for entry in played.decoded(*log) or ():
        assert not isinstance(true.judge(entry), Refusal), (played, entry)
        befores.append(true.copy())
    for mistake in mistakes(chance, log, played.cards, played.seats, tries) if log else ():
        rest = [*mistake.moves, *log[mistake.place + mistake.drop :]]
        moves = played.decoded(*rest)
        if moves is None:
            continue
        watching = moments[mistake.place].copy()
        try:
            broken, at = verdict(watching, rest)
        except NobodyKnows:
            continue
        told += 1
        why = f"{played.seats} {played.options}: {log[: mistake.place]} | {rest}"
        refusal = record(befores[mistake.place].copy(), moves, broken, at, why)
        if refusal is not None and refusal.contradicts and refusal.rule != "cards.seen":
            reason = refusal.contradicts - STARTED - 1
            assert watching.is_the_reason(reason, refusal.rule), (refusal, why)
        spliced(true.copy(), played, mistake, at, why)
    return told


def follow(referee: Referee, log: Sequence[Entry]) -> list[Referee]:
    """Follow a true log as far as the referee can; return the referee before each entry."""
    moments: list[Referee] = []
    for entry in log:
        before = referee.copy()
        try:
            broken = referee.judge(entry)
        except NobodyKnows:
            break
        assert not broken, (broken, entry, log)
        moments.append(before)
    return moments


def verdict(referee: Referee, log: Sequence[Entry]) -> tuple[Clauses, int]:
    for at, entry in enumerate(log):
        broken = referee.judge(entry)
        if broken:
            return broken, at
    return frozenset(), STANDS


def record(
    history: History, moves: Sequence[Decoded], broken: Clauses, at: int, why: str
) -> Refusal | None:
    for index, entry in enumerate(moves):
        judged = history.judge(entry)
        if isinstance(judged, Refusal):
            assert (index, judged.rule in broken) == (at, True), (index, judged, at, broken, why)
            return judged
    assert at == STANDS, (at, broken, why)
    return None


def spliced(true: History, played: Played, mistake: Mistake, at: int, why: str) -> None:
    splice = {
        "type": "splice",
        "version": mistake.place + STARTED + 1,
        "drop": mistake.drop,
        "moves": list(mistake.moves),
    }
    moves = played.decoded(splice)
    assert moves, (splice, why)
    judged = true.judge(moves[0])
    assert isinstance(judged, Refusal) == (at != STANDS), (judged, at, why)
