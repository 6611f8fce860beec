"""The suit and order of cards under a trump suit (`euchre.trump-order`, `euchre.left-bower`)."""

from functools import lru_cache

from domain.table.cards import Pack, pack_of
from domain.table.tricks import CardOrder
from schemas.cards import JOKER

RANKS = {24: "AKQJT9", 25: "AKQJT9", 32: "AKQJT987"}
JOKERS = {24: 0, 25: 1, 32: 0}
SAME_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}


@lru_cache
def pack(deck: int) -> Pack:
    """Return the pack of 24, 25 (one joker) or 32 cards."""
    return pack_of(RANKS[deck], jokers=JOKERS[deck])


@lru_cache
def trumps(deck: int, trump: str) -> CardOrder:
    """Return the order of a pack of `deck` cards under a trump suit."""
    bowers = ("J" + SAME_COLOUR[trump], "J" + trump)
    return CardOrder(pack(deck), RANKS[32], trump, top=(*bowers, JOKER))
