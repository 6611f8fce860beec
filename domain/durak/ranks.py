"""The pack of 36 cards and their order (`durak.beats`)."""

from functools import cache, lru_cache

from domain.table.cards import SUITS, Cards, pack_of

RANKS = "AKQJT9876"
PACK = pack_of(RANKS)

# Per rank, highest first: its four cards.
FOURS: tuple[Cards, ...] = tuple(PACK.all_copies(rank + suit for suit in SUITS) for rank in RANKS)
# Per suit: its cards, lowest first.
UPWARD: dict[str, tuple[str, ...]] = {
    suit: tuple(rank + suit for rank in reversed(RANKS)) for suit in SUITS
}
# Per card: the higher cards of its suit.
_HIGHER: dict[str, frozenset[str]] = {
    card: frozenset(suit[place + 1 :])
    for suit in UPWARD.values()
    for place, card in enumerate(suit)
}


def beats(card: str, attack: str, trump: str) -> bool:
    return card in _HIGHER[attack] or card[1] == trump != attack[1]


@cache
def cards_that_beat(attack: str, trump: str) -> Cards:
    """Return the cards that beat `attack`."""
    return PACK.all_copies(card for card in PACK.codes if beats(card, attack, trump))


@lru_cache(maxsize=512)  # the number of different arguments
def cards_of_ranks(ranks: str) -> Cards:
    return PACK.all_copies(rank + suit for rank in ranks for suit in SUITS)


def lower_cards(card: str) -> Cards:
    suit = UPWARD[card[1]]
    return PACK.all_copies(suit[: suit.index(card)])
