"""Whether cards worth so much can make several hands of given points side by side. Exact.

Used for a result: the hands' sizes are not known, only that each holds one card at least and so
many at most.
"""

from collections.abc import Mapping, Sequence


def possible(hands: Sequence[tuple[int, int]], cards: Mapping[int, int]) -> bool:
    """Tell whether every hand (its points, its most cards) can be made of `cards` (worth: number).

    The hands that few cards can make come first, those of least and of most points; for each,
    plentiful cards are tried first, so that scarce ones are left for the hand that needs them.
    """
    worths = sorted((worth for worth in cards if cards[worth]), key=lambda worth: -cards[worth])
    search = _Search(tuple(worths), tuple(cards[worth] for worth in worths))
    far = max(worths, default=0)
    order = sorted(hands, key=lambda hand: min(hand[0], far * hand[1] - hand[0]))
    if not all(search.reaches(0, most, points) for points, most in order):
        return False
    return search.made(tuple(order), search.numbers)


class _Search:
    """One search; `_failed` remembers what could not be made, `_sums` what so many cards can."""

    def __init__(self, worths: tuple[int, ...], numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
        self._worths = worths
        self._failed: set[tuple[object, ...]] = set()
        self._sums: dict[tuple[int, int], int] = {}

    def made(self, hands: tuple[tuple[int, int], ...], numbers: tuple[int, ...]) -> bool:
        """Make the first hand, then the others of what is left."""
        if not hands:
            return True
        points, most = hands[0]
        return self._filled(hands[1:], numbers, (points, most, 0), 0)

    def _filled(
        self,
        others: tuple[tuple[int, int], ...],
        numbers: tuple[int, ...],
        hand: tuple[int, int, int],
        at: int,
    ) -> bool:
        """Take cards of the worths from `at` on; `hand` is points and room left, cards taken."""
        points, room, taken = hand
        if at == len(self._worths):
            return points == 0 and taken > 0 and self.made(others, numbers)
        key = (others, numbers, hand, at)
        if key in self._failed or not self.reaches(at, room, points):
            return False
        worth = self._worths[at]
        limit = min(numbers[at], room, points // worth if worth else room)
        for number in range(limit, -1, -1):
            left = (*numbers[:at], numbers[at] - number, *numbers[at + 1 :])
            rest = (points - number * worth, room - number, taken + number)
            if self._filled(others, left, rest, at + 1):
                return True
        self._failed.add(key)
        return False

    def reaches(self, at: int, room: int, points: int) -> bool:
        """Tell whether at most `room` cards of the worths from `at` on can make the points."""
        return points >= 0 and bool(self._sums_of(at, room) >> points & 1)

    def _sums_of(self, at: int, room: int) -> int:
        """Return every sum of at most `room` cards of the worths from `at` on, a bit each."""
        if at == len(self._worths):
            return 1
        if (at, room) not in self._sums:
            sums = 0
            for number in range(min(self.numbers[at], room) + 1):
                sums |= self._sums_of(at + 1, room - number) << number * self._worths[at]
            self._sums[at, room] = sums
        return self._sums[at, room]
