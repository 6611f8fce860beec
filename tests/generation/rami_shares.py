"""Whether unseen cards can be shared out so that each hand is worth what was told of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tests.generation.refereed import NobodyKnows

STEPS_MAX = 20_000
Shares = tuple[tuple[int, int], ...]


def can_be_worth(left: Counter[int], shares: Sequence[tuple[int, int]]) -> bool:
    """Tell whether hands of so many cards worth so much each can be made of what is left.

    `left` counts cards by what they are worth.

    Raises:
        NobodyKnows: there are too many ways to try.

    """
    values = sorted((value for value, count in left.items() if count), reverse=True)
    steps = 0

    @lru_cache(None)
    def rest(place: int, wanted: Shares) -> bool:
        nonlocal steps
        steps += 1
        if steps > STEPS_MAX:
            raise NobodyKnows
        if not any(count for count, _ in wanted):
            return not any(points for _, points in wanted)
        if place == len(values):
            return False
        value = values[place]
        return any(rest(place + 1, after) for after in _given(value, left[value], wanted))

    return rest(0, tuple(sorted(shares)))


def _given(value: int, count: int, wanted: Shares) -> Iterator[Shares]:
    if not wanted:
        yield ()
        return
    (cards, points), *others = wanted
    for some in range(min(count, cards) + 1):
        if some * value > points:
            return
        for after in _given(value, count - some, tuple(others)):
            yield ((cards - some, points - some * value), *after)
