"""Expands choices into entries, and compares them with the accepted entries."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product
from typing import Any

from msgspec import convert

from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game
from schemas.catalogue import shapes
from schemas.entries import Entry

Written = dict[str, Any]
LATER = 10_000  # a version after all that is recorded


def listed(choices: tuple[Choice, ...], apart: Collection[str]) -> Iterator[Written]:
    """Expand choices into entries, without the types `apart`; free fields are omitted."""
    for choice in choices:
        if choice.type in apart:
            continue
        values = {name: found for name, found in choice.fields.items() if isinstance(found, tuple)}
        seat = {} if choice.seat is None else {"seat": choice.seat}
        for combination in product(*values.values()):
            yield {"type": choice.type, **seat, **dict(zip(values, combination, strict=True))}


def key(entry: Written) -> str:
    return str(sorted(entry.items(), key=str))


def keys(entries: Iterable[Written]) -> set[str]:
    return {key(entry) for entry in entries}


def decoded(game: Game, entry: Written) -> Entry:
    found: Entry = convert(entry, shapes(game.rules.name).submitted)
    return found


def stands(game: Game, entry: Written) -> bool:
    return judgement.refuse(game, decoded(game, entry), LATER) is None


def played(game: Game, log: Iterable[Written]) -> Game:
    history = History(game)
    for entry in log:
        assert not isinstance(history.judge(decoded(game, entry)), Refusal), entry
    return history.game


def assert_offered_is_accepted(
    opening: Game,
    log: Iterable[Written],
    looked_at: Collection[int],
    possible: Callable[[Game], Iterable[Written]],
    apart: Collection[str],
) -> None:
    """Assert, before some entries of a log, that the choices equal the accepted entries.

    `possible` yields all entries that can be enumerated, without the types `apart`.
    """
    history = History(opening)
    for place, entry in enumerate(log):
        if place in looked_at:
            game = history.game
            offered = keys(listed(judgement.choices(game), apart))
            assert offered == keys(one for one in possible(game) if stands(game, one)), entry
        assert not isinstance(history.judge(decoded(opening, entry)), Refusal), entry
