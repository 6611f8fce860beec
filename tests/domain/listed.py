"""Every entry that choices offer, spelt out."""

from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

from domain.table.rules import Choice


def listed(choices: tuple[Choice, ...], apart: Collection[str]) -> Iterator[dict[str, Any]]:
    """Spell out what is offered, some types apart; a field whose values are free is left out."""
    for choice in choices:
        if choice.type in apart:
            continue
        values = {name: found for name, found in choice.fields.items() if isinstance(found, tuple)}
        seat = {} if choice.seat is None else {"seat": choice.seat}
        for combination in product(*values.values()):
            yield {"type": choice.type, **seat, **dict(zip(values, combination, strict=True))}
