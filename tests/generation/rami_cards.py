"""Two packs, sets and runs of Rami 51, from the rule text, independently of `domain`.

A melded joker is written as the card it represents, with a star.
"""

from itertools import combinations

SUITS = "SHDC"
RANKS = "AKQJT98765432"
ASCENDING = "A23456789TJQKA"
FULL = len(ASCENDING)


def pack() -> list[str]:
    """Return the two packs of 54."""
    return [rank + suit for suit in SUITS for rank in RANKS] * 2 + ["XX"] * 4


def is_set(cards: list[str]) -> bool:
    """Return whether cards are a set (`rami.set`, `rami.one-joker`, `rami.joker-is`)."""
    suits = [card[1] for card in cards]
    if len({card[0] for card in cards}) != 1 or len(set(suits)) < len(suits):
        return False
    jokers = sum(card.endswith("*") for card in cards)
    return len(cards) in {3, 4} and jokers <= 1 and not ("?" in suits and len(cards) == 4)


def is_run(cards: list[str]) -> bool:
    """Return whether cards, in order, are a run (`rami.run`, `rami.one-joker`)."""
    jokers = [card for card in cards if card.endswith("*")]
    if len(jokers) > 1 or len({card[1] for card in cards}) != 1 or "?" in cards[0]:
        return False
    if jokers and jokers[0][:2] in cards:
        return False
    return len(cards) >= 3 and "".join(card[0] for card in cards) in ASCENDING


def is_combination(cards: list[str]) -> bool:
    """Return whether cards are a set or a run."""
    return is_set(cards) or is_run(cards)


def in_hand(card: str, joker: int) -> int:
    """Return the points of a card left in a hand (`rami.values`)."""
    if card == "XX":
        return joker
    return 11 if card[0] == "A" else 10 if card[0] in "KQJT" else int(card[0])


def worth(cards: list[str]) -> int:
    """Return the points of a combination (`rami.values`): an ace before a 2 is worth 1."""
    points = sum(in_hand(card[:2], 0) for card in cards)
    return points - 10 if is_run(cards) and cards[0][0] == "A" else points


def held(card: str) -> str:
    return "XX" if card.endswith("*") else card


def fits(cards: list[str], hand: list[str]) -> bool:
    left = list(hand)
    for card in cards:
        if held(card) not in left:
            return False
        left.remove(held(card))
    return True


def layable(hand: list[str]) -> list[list[str]]:
    """List the sets and the runs of up to six cards that a hand can lay, with a joker or not."""
    joker = "XX" in hand
    found: list[list[str]] = []
    for rank in RANKS:
        for size in (3, 4):
            for suits in combinations(SUITS, size):
                found += _variants([rank + suit for suit in suits], hand, joker=joker)
    for suit in SUITS:
        for size in range(3, 7):
            for start in range(FULL - size + 1):
                run = [rank + suit for rank in ASCENDING[start : start + size]]
                found += _variants(run, hand, joker=joker)
    return found


def _variants(cards: list[str], hand: list[str], *, joker: bool) -> list[list[str]]:
    missing = [card for card in cards if card not in hand]
    if not missing and fits(cards, hand):
        return [cards]
    if not joker or len(missing) != 1:
        return []
    at = cards.index(missing[0])
    replaced = [*cards[:at], missing[0] + "*", *cards[at + 1 :]]
    if is_set(cards) and len(cards) == 3:
        return [replaced, [*cards[:at], missing[0][0] + "?*", *cards[at + 1 :]]]
    return [replaced]
