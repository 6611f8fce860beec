"""Fold a record: judge its entries in order until the end or the first refusal.

A record contains only entries that were written by hand. Versions are those that the service would
give: `started` is 1, derived entries count.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.games import GAMES
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.entries import Entry


class ReplayedRecord(Struct, frozen=True):
    """A record without a refusal."""

    history: History


class StoppedRecord(Struct, frozen=True):
    """A record up to the refused entry at `index` of the log.

    `contradicts` is the index of the one entry that it contradicts, if known.
    """

    index: int
    refusal: Refusal
    contradicts: int | None
    history: History


def opening(
    ruleset: str,
    options: Struct,
    seats: int,
    *,
    rules_version: int | None = None,
    exact: bool = True,
) -> Game:
    """Return the state of a new game; `rules_version` None means the current version.

    >>> from schemas.euchre import Options
    >>> opening("euchre", Options(), 4).totals
    (0, 0, 0, 0)

    Raises:
        KeyError: no such ruleset.
    """
    game = GAMES[ruleset]
    rules = game.rules if rules_version is None else game.rules_of(rules_version)
    return judgement.start(rules, options, seats, exact=exact)


def replay(start: Game, log: Iterable[Entry]) -> ReplayedRecord | StoppedRecord:
    """Judge the entries of a record in order, up to the first refusal.

    >>> from schemas.entries import Note
    >>> from schemas.euchre import Options
    >>> replay(opening("euchre", Options(), 4), [Note(text="tea")]).history.version
    2
    """
    history = History(start)
    versions: list[int] = []
    for index, entry in enumerate(log):
        version = history.version + 1
        judged = history.judge(entry)
        if isinstance(judged, tuple):
            versions.append(version)
            continue
        at = judged.contradicts
        return StoppedRecord(index, judged, versions.index(at) if at in versions else None, history)
    return ReplayedRecord(history)
