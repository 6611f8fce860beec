"""Packs, suits and tricks of Euchre, written from the rule text apart from `domain`.

Slow and obvious on purpose: this is one side of a comparison.
"""

SUITS = "SHDC"
OTHER_OF_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}


def pack(deck: int) -> list[str]:
    """Return the cards of a deck of 24, 25 or 32."""
    ranks = "AKQJT987" if deck == 32 else "AKQJT9"
    return [rank + suit for suit in SUITS for rank in ranks] + ["XX"] * (deck == 25)


def suit_of(card: str, trump: str) -> str:
    """Return the suit of a card; joker and left bower are trumps (`euchre.left-bower`)."""
    if card in {"XX", "J" + OTHER_OF_COLOUR[trump]}:
        return trump
    return card[1]


def height(card: str, trump: str) -> int:
    """Rank a card among those of its suit (`euchre.trump-order`)."""
    top = {"XX": 30, "J" + trump: 20, "J" + OTHER_OF_COLOUR[trump]: 10}
    return top.get(card, "789TJQKA".find(card[0]))


def answer_wins(lead: str, answer: str, trump: str) -> bool:
    """Return whether the second card of a trick takes it (`euchre.trick`)."""
    if suit_of(answer, trump) == suit_of(lead, trump):
        return height(answer, trump) > height(lead, trump)
    return suit_of(answer, trump) == trump


def playable(hand: list[str], lead: str | None, trump: str) -> list[str]:
    """List the cards of a hand that follow suit, or the whole hand (`euchre.follow-suit`)."""
    if lead is None:
        return list(hand)
    following = [card for card in hand if suit_of(card, trump) == suit_of(lead, trump)]
    return following or list(hand)
