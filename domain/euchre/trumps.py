"""The suit and order of cards under a trump suit (`euchre.trump-order`, `euchre.left-bower`)."""

from functools import lru_cache

from domain.table.cards import SUITS, Cards, Pack, pack_of
from schemas.cards import JOKER

RANKS = {24: "AKQJT9", 25: "AKQJT9", 32: "AKQJT987"}
JOKERS = {24: 0, 25: 1, 32: 0}
SAME_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}


@lru_cache
def pack(deck: int) -> Pack:
    """Return the pack of 24, 25 (one joker) or 32 cards."""
    return pack_of(RANKS[deck], jokers=JOKERS[deck])


class Trumps:
    """The order of one pack under one trump suit.

    `suit_of[card]` is the suit of a card; `of_suit[suit]` are its cards; `strength[card]` orders
    the cards of one suit.
    """

    __slots__ = ("of_suit", "strength", "suit_of", "trump")

    def __init__(self, cards: Pack, trump: str) -> None:
        self.trump = trump
        left_bower = "J" + SAME_COLOUR[trump]
        top = {JOKER: 3, "J" + trump: 2, left_bower: 1}
        self.suit_of = {card: trump if card in top else card[1] for card in cards.copies}
        self.strength = {card: top[card] if card in top else _low(card) for card in cards.copies}
        self.of_suit: dict[str, Cards] = {
            suit: cards.having(card for card, its in self.suit_of.items() if its == suit)
            for suit in SUITS
        }

    def beats(self, later: str, earlier: str) -> bool:
        """Return whether the second card of a trick wins it (`euchre.trick`)."""
        if self.suit_of[later] == self.suit_of[earlier]:
            return self.strength[later] > self.strength[earlier]
        return self.suit_of[later] == self.trump


def _low(card: str) -> int:
    return -"AKQJT987".index(card[0])


@lru_cache
def trumps(deck: int, trump: str) -> Trumps:
    """Return the order of a pack of `deck` cards under a trump suit."""
    return Trumps(pack(deck), trump)
