"""Mistakes of a recorder in a true log: another card, a doubt, a waiver, two cards."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

Entry = dict[str, Any]
Change = Callable[[Random, Entry], Entry]


def changed(log: Sequence[Entry], place: int, entry: Entry) -> list[Entry]:
    return [*log[:place], entry, *log[place + 1 :]]


def another_card(field: str, cards: Sequence[str]) -> Change:
    return lambda chance, entry: {**entry, field: chance.choice(cards)}


def doubted(_chance: Random, entry: Entry) -> Entry:
    """Doubt a card that was certain, or the other way round."""
    if "unsure" in entry:
        return {key: value for key, value in entry.items() if key != "unsure"}
    return {**entry, "unsure": True}


def waiving(clause: str) -> Change:
    """Waive a clause, or do not where it was waived."""

    def change(_chance: Random, entry: Entry) -> Entry:
        waived: list[str] = entry.get("waive", [])
        if clause in waived:
            return {**entry, "waive": [one for one in waived if one != clause]}
        return {**entry, "waive": [*waived, clause]}

    return change


def mutations(
    chance: Random, log: Sequence[Entry], places: Sequence[int], changes: Sequence[Change]
) -> Iterator[tuple[int, Entry]]:
    for place in places:
        entry = log[place]
        for _ in range(chance.choice([1, 1, 2])):
            entry = chance.choice(changes)(chance, entry)
        if entry != log[place]:
            yield place, entry
