"""Find the possible holders of a card from public information, so that a form can dim the rest."""

from collections.abc import Mapping
from typing import Any

from schemas.entries import Seat


def holders(table: Mapping[str, Any], hand_counts: tuple[int, ...], card: str) -> tuple[Seat, ...]:
    """Return the seats that may hold a card, the defender first while a card is unbeaten.

    Reads `known` (cards known in each hand), `gone`, and the cards in `bout` or `under`.
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
