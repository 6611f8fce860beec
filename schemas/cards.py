"""Card codes as written down: rank then suit, `XX` a joker, `??` a card that was not seen.

`7?` says that some seven was seen and its suit not noted, in games where suits hardly matter.

The codes are literals, so that msgspec refuses any other text with its place. Which cards a
game's pack holds is not a shape but a clause (`cards.deck`), judged in `domain`.
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
