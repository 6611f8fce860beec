"""The possible entries of a tap on a card."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.table.rules import Choice


def taps(choices: Iterable[Choice]) -> dict[str, list[dict[str, Any]]]:
    """Group choices by the single card that they lay."""
    found: dict[str, list[dict[str, Any]]] = {}
    for choice in choices:
        start = {"type": choice.type, "seat": choice.seat}
        for card, fields in _single(choice.fields):
            found.setdefault(card, []).append(start | fields)
    return found


def _single(fields: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if "with" in fields:
        for under in fields["card"]:
            yield from ((over, {"card": under, "with": over}) for over in fields["with"])
    elif "cards" in fields:
        yield from ((cards[0], {"cards": cards}) for cards in fields["cards"] if len(cards) == 1)
    else:
        yield from ((card, {"card": card}) for card in fields.get("card", ()))
