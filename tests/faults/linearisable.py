"""Whether what clients were told fits a log that each of them saw grow: an independent checker.

It knows nothing of Carnet's code: only what was asked and told, and when, and the log in the end. A
game is a list to which commands append, each at the place that its sender saw as the next one. In
the end the list itself is the one order in which everything could have happened at once, so that it
is enough to hold every answer against it: linearisable (Herlihy and Wing 1990) is what has no fault
here. Times come from one clock.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Literal

from msgspec import Struct


class Asked(Struct, frozen=True, kw_only=True):
    """One request and its answer. `text` "": a read; `place`: where its entry was to stand.

    `status` None: nothing was heard. `version`: how long the log was told to be; `texts`: what was
    read of it, from its beginning.
    """

    game: str
    command: str = ""
    text: str = ""
    place: int = 0
    began: float
    ended: float
    status: int | None = None
    version: int = 0
    texts: tuple[str, ...] = ()


Fault = Literal[
    "lost", "moved", "doubled", "never asked", "stored though refused", "stale", "early"
]


def faults(history: Iterable[Asked], logs: Mapping[str, Sequence[str]]) -> Counter[Fault]:
    """Count what no order of the requests explains. `logs`: the texts of each game in the end."""
    found: Counter[Fault] = Counter()
    by_game: dict[str, list[Asked]] = {game: [] for game in logs}
    for one in history:
        by_game[one.game].append(one)
    for game, log in logs.items():
        found += _written(by_game[game], log)
        found += _in_time(by_game[game], log)
    return found


def _written(asked: Sequence[Asked], log: Sequence[str]) -> Counter[Fault]:
    found: Counter[Fault] = Counter()
    writes = {one.text for one in asked if one.text}
    places = {text: place for place, text in enumerate(log, 1)}
    for text, times in Counter(log).items():
        found["doubled"] += times - 1
        found["never asked"] += text not in writes
    for one in asked:
        if not one.text:
            found["moved"] += one.texts != tuple(log[: len(one.texts)])
        elif one.status == 201:
            found["lost"] += one.text not in places
            found["moved"] += places.get(one.text, one.place) != one.place
        elif one.status == 409:
            found["stored though refused"] += one.text in places
    return found


def _in_time(asked: Sequence[Asked], log: Sequence[str]) -> Counter[Fault]:
    found: Counter[Fault] = Counter()
    begun: dict[str, float] = {}
    for one in asked:
        if one.text:
            begun[one.text] = min(one.began, begun.get(one.text, one.began))
    # When the last of the first so many entries was asked for.
    latest = list(accumulate((begun.get(text, 0.0) for text in log), max, initial=0.0))
    told = sorted((one for one in asked if _tells(one)), key=lambda one: one.ended)
    known, at = 0, 0
    for one in sorted(told, key=lambda one: one.began):
        while at < len(told) and told[at].ended < one.began:
            known, at = max(known, told[at].version), at + 1
        # The same command again is answered as it was at first.
        repeated = one.status == 201 and begun[one.text] < one.began
        found["stale"] += one.version < known and not repeated
        found["early"] += latest[min(one.version, len(log))] > one.ended
    return found


def _tells(one: Asked) -> bool:
    return one.status in {200, 201, 409}
