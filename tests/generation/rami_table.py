"""What becomes of a combination on the table: cards added at its ends, a joker won back."""

from collections.abc import Iterator, Sequence

from tests.generation.rami_cards import SUITS, is_run, is_set


def grown(there: Sequence[str], cards: Sequence[str], end: str) -> list[str] | None:
    """Return a combination with more cards; None if there is no way (`rami.add`).

    `end` says where a card goes that fits both.
    """
    if is_set(list(there)):
        return _larger_set([*there, *cards])
    found = list(_longer_runs(list(there), list(cards), end)) if is_run(list(there)) else []
    return found[0] if found else None


def _larger_set(cards: list[str]) -> list[str] | None:
    suits = [suit for suit in SUITS if suit not in {card[1] for card in cards}]
    opened = [card for card in cards[:3] if card[1] == "?"]
    if opened and len(cards) == 4 and len(suits) == 1:
        cards = [f"{one[0]}{suits[0]}*" if one in opened else one for one in cards]
    return cards if is_set(cards) else None


def _longer_runs(there: list[str], cards: list[str], end: str) -> Iterator[list[str]]:
    if not cards:
        yield there
    for place, card in enumerate(cards):
        rest = cards[:place] + cards[place + 1 :]
        ends = {"low": [card, *there], "high": [*there, card]}
        for way in (end, "low" if end == "high" else "high"):
            if is_run(ends[way]):
                yield from _longer_runs(ends[way], rest, end)


def swapped(there: Sequence[str], card: str) -> list[str]:
    """Return a combination with a card where its joker was; empty if it may not (`rami.swap`)."""
    at = next(place for place, one in enumerate(there) if one.endswith("*"))
    joker = there[at]
    missing = joker[1] == "?" and card[:1] == joker[0] and card[1] not in {o[1] for o in there}
    if not (missing or card == joker[:2]):
        return []
    return [*there[:at], card, *there[at + 1 :]]
