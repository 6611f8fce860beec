"""Mistakes of a recorder in a true log: entries misread, dropped, doubled or swapped."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast

Entry = dict[str, Any]
SEATS = {"seat", "dealer"}
NUMBERS = {"slot", "points", "meld"}
PLACES = {"place", "a", "b"}  # a seat, and a slot of its row


@dataclass(frozen=True)
class Mistake:
    """`moves` instead of the `drop` true entries from `place` on."""

    place: int
    drop: int
    moves: tuple[Entry, ...]


def mistakes(
    chance: Random, log: Sequence[Entry], cards: Sequence[str], seats: int, tries: int
) -> Iterator[Mistake]:
    """Yield mistakes; the deal itself is neither dropped nor doubled nor moved."""
    for _ in range(tries):
        place = chance.randrange(len(log))
        kind = chance.random()
        if kind < 0.55 or place in {0, len(log) - 1}:
            entry = misread(chance, log[place], cards, seats)
            if entry != log[place]:
                yield Mistake(place, 1, (entry,))
        elif kind < 0.7:
            yield Mistake(place, 1, ())
        elif kind < 0.85:
            yield Mistake(place, 0, (log[place],))
        elif log[place] != log[place + 1]:
            yield Mistake(place, 2, (log[place + 1], log[place]))


def misread(chance: Random, entry: Entry, cards: Sequence[str], seats: int) -> Entry:
    """Put one other card, seat or number in an entry."""
    ways = [
        (path, another)
        for path, value in _leaf_values(entry)
        if (another := _another(chance, path, value, cards, seats)) is not None
    ]
    if not ways:
        return entry
    path, another = chance.choice(ways)
    return cast("Entry", _with(entry, path, another))


def _leaf_values(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, object]]:
    if isinstance(value, dict):
        inner = cast("dict[str | int, object]", value).items()
    elif isinstance(value, list | tuple):
        inner = dict(enumerate(cast("Sequence[object]", value))).items()
    else:
        yield path, value
        return
    for key, one in inner:
        yield from _leaf_values(one, (*path, key))


def _another(
    chance: Random, path: Sequence[str | int], value: object, cards: Sequence[str], seats: int
) -> object:
    kinds: Sequence[tuple[bool, Callable[[], object]]] = (
        (
            path[0] in SEATS or (path[0] in PLACES and path[-1] == 0),
            lambda: chance.randrange(seats),
        ),
        (
            path[0] in NUMBERS and value is not None,
            lambda: max(0, int(str(value)) + chance.choice([-2, -1, 1, 2, 9])),
        ),
        (path[0] in PLACES | {"slots"}, lambda: chance.randrange(6)),
        (_is_card(value) and path[0] != "type", lambda: chance.choice(cards)),
    )
    return next((makes() for holds, makes in kinds if holds), None)


def _is_card(value: object) -> bool:
    return isinstance(value, str) and len(value) in {2, 3} and value[0] in "AKQJT98765432X?"


def _with(value: object, path: Sequence[str | int], another: object) -> object:
    if not path:
        return another
    key, *rest = path
    if isinstance(value, dict):
        fields = cast("dict[str | int, object]", value)
        return {**fields, key: _with(fields[key], rest, another)}
    items = list(cast("Sequence[object]", value))
    items[int(key)] = _with(items[int(key)], rest, another)
    return items
