"""The fold: a record in; what stands at its end, or the first refusal, out.

A record holds only what was written by hand. Versions count as the service would have
counted: `started` is 1, derived entries count.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.games import GAMES
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.entries import Entry


class Replayed(Struct, frozen=True):
    """A whole record that stands."""

    history: History


class Stopped(Struct, frozen=True):
    """A record up to the entry that was refused, at `index` of the log.

    `contradicts` is the index of the entry the refused one cannot stand with, where one alone is
    the reason.
    """

    index: int
    refusal: Refusal
    contradicts: int | None
    history: History


def opening(ruleset: str, options: Struct, seats: int, *, exact: bool = True) -> Game:
    """Return the start of a game of a ruleset.

    Raises:
        KeyError: no such ruleset.

    """
    return judgement.start(GAMES[ruleset].rules, options, seats, exact=exact)


def replay(start: Game, log: Iterable[Entry]) -> Replayed | Stopped:
    """Judge the entries of a record in turn, up to the first that is refused."""
    history = History(start)
    versions: list[int] = []
    for index, entry in enumerate(log):
        version = history.version + 1
        judged = history.judge(entry)
        if isinstance(judged, tuple):
            versions.append(version)
            continue
        at = judged.contradicts
        return Stopped(index, judged, versions.index(at) if at in versions else None, history)
    return Replayed(history)
