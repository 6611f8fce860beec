"""Decide whether several hands of given points can be made from given cards. Exact.

It serves results, in which only bounds of the hand sizes are known: at least one card, at most
so many. One hand is a bounded subset sum, by dynamic programming (Bellman 1957) over bit sets of
sums. Several hands are a backtracking search that caches failures and prunes by those sums.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

Sums = tuple[tuple[int, ...], ...]


def hands_are_possible(hands: Sequence[tuple[int, int]], cards: Mapping[int, int]) -> bool:
    """Return whether every hand (points, maximum size) can be made of `cards` (value: number).

    Hands with the fewest ways come first, those of least and of most points; for each, the most
    frequent cards are tried first.
    """
    worths = sorted((worth for worth in cards if cards[worth]), key=lambda worth: -cards[worth])
    numbers = tuple(cards[worth] for worth in worths)
    room = max((most for _, most in hands), default=0)
    search = _Search(tuple(worths), numbers, _sums(tuple(worths), numbers, room))
    far = max(worths, default=0)
    order = sorted(hands, key=lambda hand: min(hand[0], far * hand[1] - hand[0]))
    if not all(search.reaches(0, most, points) for points, most in order):
        return False
    return search.can_make(tuple(order), search.numbers)


@lru_cache(maxsize=64)
def _sums(worths: tuple[int, ...], numbers: tuple[int, ...], room: int) -> Sums:
    """Return, per value and number of cards up to `room`, the reachable sums as a bit set.

    They use at most that many cards of this value and the following ones. Cached, since most
    results concern a whole pack.
    """
    rows: list[tuple[int, ...]] = [(1,) * (room + 1)]
    for worth, number in zip(reversed(worths), reversed(numbers), strict=True):
        rest, row = rows[-1], list(rows[-1])
        for cards in range(1, room + 1):
            for taken in range(1, min(number, cards) + 1):
                row[cards] |= rest[cards - taken] << taken * worth
        rows.append(tuple(row))
    return tuple(reversed(rows))


class _Search:
    """One search; `_failed` caches what is impossible."""

    def __init__(self, worths: tuple[int, ...], numbers: tuple[int, ...], sums: Sums) -> None:
        self.numbers = numbers
        self._worths = worths
        self._sums = sums
        self._failed: set[tuple[object, ...]] = set()

    def can_make(self, hands: tuple[tuple[int, int], ...], numbers: tuple[int, ...]) -> bool:
        """Make the first hand, then the others from the remaining cards."""
        if not hands:
            return True
        points, most = hands[0]
        return self._can_fill(hands[1:], numbers, (points, most, 0), 0)

    def _can_fill(
        self,
        others: tuple[tuple[int, int], ...],
        numbers: tuple[int, ...],
        hand: tuple[int, int, int],
        at: int,
    ) -> bool:
        """Take cards of the values from `at` on; `hand`: remaining points and room, cards taken."""
        points, room, taken = hand
        if at == len(self._worths):
            return points == 0 and taken > 0 and self.can_make(others, numbers)
        key = (others, numbers, hand, at)
        if key in self._failed or not self.reaches(at, room, points):
            return False
        worth = self._worths[at]
        limit = min(numbers[at], room, points // worth if worth else room)
        for number in range(limit, -1, -1):
            left = (*numbers[:at], numbers[at] - number, *numbers[at + 1 :])
            rest = (points - number * worth, room - number, taken + number)
            if self._can_fill(others, left, rest, at + 1):
                return True
        self._failed.add(key)
        return False

    def reaches(self, at: int, room: int, points: int) -> bool:
        """Return whether at most `room` cards of the values from `at` on can have these points."""
        return points >= 0 and bool(self._sums[at][room] >> points & 1)
