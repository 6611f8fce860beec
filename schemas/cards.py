"""Card codes: rank then suit, `XX` a joker, `??` an unseen card, `7?` a seven of an unknown suit.

The codes are literals, so that msgspec refuses any other text with its path. Which cards are in a
game's pack is a clause (`cards.deck`), not a shape.
"""

from typing import Literal

Suit = Literal["S", "H", "D", "C"]

# fmt: off
SuitedCard = Literal[
    "AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S", "2S",
    "AH", "KH", "QH", "JH", "TH", "9H", "8H", "7H", "6H", "5H", "4H", "3H", "2H",
    "AD", "KD", "QD", "JD", "TD", "9D", "8D", "7D", "6D", "5D", "4D", "3D", "2D",
    "AC", "KC", "QC", "JC", "TC", "9C", "8C", "7C", "6C", "5C", "4C", "3C", "2C",
]
# fmt: on
Card = SuitedCard | Literal["XX"]

RankAlone = Literal["A?", "K?", "Q?", "J?", "T?", "9?", "8?", "7?", "6?", "5?", "4?", "3?", "2?"]

Unseen = Literal["??"]
UNSEEN: Unseen = "??"
JOKER: Literal["XX"] = "XX"

CardOrUnseen = Card | Unseen
Hand = tuple[Card, ...]
