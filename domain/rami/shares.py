"""Whether cards worth so much can make several hands of given points side by side. Exact.

Used for a result: the hands' sizes are not known, only that each holds one card at least and so
many at most.
"""

from collections.abc import Mapping, Sequence


def possible(hands: Sequence[tuple[int, int]], cards: Mapping[int, int]) -> bool:
    """Tell whether every hand (its points, its most cards) can be made of `cards` (worth: number).

    Plentiful cards are tried first, so that scarce ones are left for the hand that needs them.
    """
    worths = sorted((worth for worth in cards if cards[worth]), key=lambda worth: -cards[worth])
    numbers = tuple(cards[worth] for worth in worths)
    return _Search(tuple(worths)).made(tuple(sorted(hands, reverse=True)), numbers)


class _Search:
    """One search; `_failed` remembers what could not be made."""

    def __init__(self, worths: tuple[int, ...]) -> None:
        self._worths = worths
        self._failed: set[tuple[object, ...]] = set()

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
        key = (len(others), numbers, hand, at)
        if key in self._failed or points > self._most(numbers, room, at):
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

    def _most(self, numbers: tuple[int, ...], room: int, at: int) -> int:
        """Return the most points that `room` cards of the worths from `at` on can make."""
        most = 0
        for worth, number in sorted(zip(self._worths[at:], numbers[at:], strict=True))[::-1]:
            some = min(room, number)
            most += some * worth
            room -= some
        return most
