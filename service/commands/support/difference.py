"""Differences between a stored game and today's rules."""

from collections.abc import Sequence
from itertools import zip_longest

from msgspec import Struct

from domain.table.history import History, Line
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import encode
from schemas.entries import DealEnded, Entry, GameEnded


class Illegal(Struct, frozen=True):
    """A stored entry that today's rules refuse."""

    version: int
    refusal: Refusal


class Otherwise(Struct, frozen=True):
    """A stored outcome that differs from today's; None: there is none."""

    version: int
    stored: bytes | None
    today: bytes | None


Difference = Illegal | Otherwise


def replay(opening: Game, log: Sequence[Entry]) -> History | Difference:
    """Replay a whole log with its derived entries; stop at the first difference."""
    history = History(opening)
    for cause, outcomes in _by_cause(log):
        judged = history.judge(cause.entry)
        if isinstance(judged, Refusal):
            return Illegal(cause.version, judged)
        for then, now in zip_longest(outcomes, judged[1:]):
            found = _compare(then, now)
            if found is not None:
                return found
    return history


def _by_cause(log: Sequence[Entry]) -> list[tuple[Line, list[Line]]]:
    causes: list[tuple[Line, list[Line]]] = []
    for version, entry in enumerate(log[1:], 2):
        line = Line(version, entry)
        if isinstance(entry, DealEnded | GameEnded) and causes:
            causes[-1][1].append(line)
        else:
            causes.append((line, []))
    return causes


def _compare(then: Line | None, now: Line | None) -> Otherwise | None:
    line = then or now
    stored = encode(then.entry) if then else None
    today = encode(now.entry) if now else None
    if line is None or stored == today:
        return None
    return Otherwise(line.version, stored, today)
