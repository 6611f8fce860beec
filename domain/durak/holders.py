"""Who may hold a card as far as the table shows it: for a form that dims what cannot be."""

from collections.abc import Mapping
from typing import Any

from schemas.entries import Seat


def holders(table: Mapping[str, Any], hand_counts: tuple[int, ...], card: str) -> tuple[Seat, ...]:
    """Return the seats that may hold a card, a defender first: an open attack waits for the answer.

    Reads `known` (cards known in each hand), `gone`, and what lies in `bout` or `under`.
    """
    lying = {code for pair in table["bout"] for code in pair.values()}
    shown = table["shown"] if table["under"] else None
    if card in lying or card == shown or card in table["gone"]:
        return ()
    known = table["known"]
    elsewhere = any(card in hand for hand in known)
    able = [
        seat
        for seat, hand in enumerate(known)
        if card in hand or (len(hand) < hand_counts[seat] and not elsewhere)
    ]
    return tuple(sorted(able, key=lambda seat: seat != table["defender"]))
