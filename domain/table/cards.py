"""Packs of cards as bit sets: one bit per physical card, equal cards next to each other.

A set of cards is an `int`; bit i is the i-th card of the pack. A code that occurs several times
(two packs shuffled together, several jokers) has several bits: `Pack.copies[code]` is the set of
them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from itertools import compress
from operator import or_

from schemas.cards import JOKER

SUITS = "SHDC"
RANKS = "A23456789TJQK"  # as the cards count up, the ace low
Cards = int


_BITS = bytes.maketrans(b"01", b"\0\1")


class Pack:
    """The physical cards of one game, in the given order; `everything` is the set of all cards."""

    __slots__ = ("codes", "copies", "everything", "of_suit")

    def __init__(self, codes: Iterable[str]) -> None:
        self.codes: tuple[str, ...] = tuple(codes)
        self.everything: Cards = (1 << len(self.codes)) - 1
        self.copies: dict[str, Cards] = {}
        self.of_suit: dict[str, Cards] = dict.fromkeys(SUITS, 0)
        for place, code in enumerate(self.codes):
            self.copies[code] = self.copies.get(code, 0) | 1 << place
            if code != JOKER:
                self.of_suit[code[1]] |= 1 << place

    def __len__(self) -> int:
        return len(self.codes)

    def __contains__(self, code: object) -> bool:
        return code in self.copies

    def all_copies(self, codes: Iterable[str]) -> Cards:
        """Return all copies of the given cards; codes that are not in the pack are ignored.

        >>> Pack(["AS", "AS", "KS"]).all_copies(["AS", "2D"]) == 0b011
        True
        """
        cards = 0
        for code in codes:
            cards |= self.copies.get(code, 0)
        return cards

    def named_too_often(self, codes: Iterable[str]) -> str | None:
        """Return a card that is listed more often than the pack has it.

        >>> Pack(["AS", "AS", "KS"]).named_too_often(["AS", "AS", "KS", "KS"])
        'KS'
        """
        counted = Counter(codes).items()
        return next((code for code, n in counted if n > self.copies[code].bit_count()), None)

    def named(self, cards: Cards) -> tuple[str, ...]:
        """Return the codes of a set, one per card, in the order of the pack.

        >>> Pack(["AS", "KS", "QS"]).named(0b101)
        ('AS', 'QS')
        """
        return tuple(compress(self.codes, f"{cards:b}"[::-1].encode().translate(_BITS)))


@lru_cache
def pack_of(ranks: str, *, jokers: int = 0, packs: int = 1) -> Pack:
    """Return `packs` packs of the four suits in `ranks` (highest first), plus `jokers` in total.

    >>> pack_of("AK", jokers=1).codes
    ('AS', 'KS', 'AH', 'KH', 'AD', 'KD', 'AC', 'KC', 'XX')
    """
    suited = [rank + suit for suit in SUITS for rank in ranks for _ in range(packs)]
    return Pack([*suited, *[JOKER] * jokers])


def bit_numbers(cards: Cards) -> Iterator[int]:
    """Yield the bit numbers of the cards in a set, lowest first.

    >>> list(bit_numbers(0b1010))
    [1, 3]
    """
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def union(sets: Iterable[Cards]) -> Cards:
    """Return the cards that are in any of the sets.

    >>> bin(union([0b011, 0b110]))
    '0b111'
    """
    return reduce(or_, sets, 0)


def lowest(cards: Cards, count: int) -> Cards:
    """Return the `count` lowest cards of a set, which must contain at least that many.

    >>> bin(lowest(0b1110, 2))
    '0b110'
    """
    taken = 0
    for _ in range(count):
        low = cards & -cards
        taken |= low
        cards ^= low
    return taken
