"""Decide whether several hands of given points can be made from given cards. Exact."""

from collections.abc import Mapping, Sequence

from domain.inference import TokenPool, Total, World, solve_totals
from domain.table.cards import lowest


def hands_are_possible(hands: Sequence[tuple[int, int]], cards: Mapping[int, int]) -> bool:
    """Return whether every hand (points, maximum size) can be made of `cards` (value: number).

    A hand has at least one card. Smaller hands are filled up with blank cards worth nothing. Hands
    are added one by one: a few that are impossible together are found before the rest is searched.

    >>> hands_are_possible([(20, 2), (5, 1)], {10: 2, 5: 1}), hands_are_possible([(20, 2)], {5: 9})
    (True, False)
    """
    worthless = sum(1 for points, _ in hands if not points)
    if worthless > cards.get(0, 0):
        return False
    counted = sorted(hand for hand in hands if hand[0])
    values = [worth for worth, number in cards.items() if worth for _ in range(number)]
    alone = [[hand] for hand in dict.fromkeys(counted)]
    together = [counted[: size + 1] for size in range(1, len(counted))]
    return all(_fit(some, values) for some in (*alone, *together))


def _fit(hands: Sequence[tuple[int, int]], values: Sequence[int]) -> bool:
    if len(values) < len(hands):
        return False
    worth = (*values, *[0] * sum(size - 1 for _, size in hands))
    everything = left = (1 << len(worth)) - 1
    pools: list[TokenPool] = []
    totals: list[Total] = []
    for number, (points, size) in enumerate(hands):
        own = lowest(left, size)
        left ^= own
        pools.append(TokenPool(number, everything, own))
        totals.append(Total(frozenset([number]), worth, points))
    pools.append(TokenPool(len(hands), everything, left))
    return solve_totals(World(tuple(pools), {}, everything, tuple(totals))) is not None
