"""The pack of 36 and which card beats which (`durak.beats`)."""

from domain.cards import SUITS, Cards, pack_of

RANKS = "AKQJT9876"
PACK = pack_of(RANKS)
_STRENGTH = {rank: len(RANKS) - place for place, rank in enumerate(RANKS)}

# Per suit, the cards of it from the lowest to the highest.
UPWARD: dict[str, tuple[str, ...]] = {
    suit: tuple(rank + suit for rank in reversed(RANKS)) for suit in SUITS
}


def beats(card: str, attack: str, trump: str) -> bool:
    """Tell whether `card` beats `attack`."""
    if card[1] == attack[1]:
        return _STRENGTH[card[0]] > _STRENGTH[attack[0]]
    return card[1] == trump


def below(card: str) -> Cards:
    """Return the cards of the same suit that are lower."""
    suit = UPWARD[card[1]]
    return PACK.having(suit[: suit.index(card)])
