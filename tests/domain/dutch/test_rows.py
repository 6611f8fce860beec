"""What rows of one pack can be worth side by side, held against every row there is."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

import pytest

from domain.dutch.result import rows_possible
from domain.dutch.score import values

EACH = Counter(values("hearts"))


@cache
def rows_worth(points: int, most: int = 13) -> tuple[tuple[int, ...], ...]:
    if points == 0:
        return ((),)
    return tuple(
        (value, *rest)
        for value in range(min(points, most), 0, -1)
        for rest in rows_worth(points - value, value)
    )


def can_be(totals: tuple[int, ...], taken: tuple[int, ...] = ()) -> bool:
    if any(number > EACH[value] for value, number in Counter(taken).items()):
        return False
    return not totals or any(can_be(totals[1:], (*taken, *row)) for row in rows_worth(totals[0]))


def test_rows__are_possible_where_some_cards_make_them() -> None:
    for count in range(1, 7):
        for totals in combinations_with_replacement(range(4), count):
            assert rows_possible(totals, "hearts", by_emptying=False) is can_be(totals), totals


@pytest.mark.parametrize(
    ("totals", "possible"),
    [
        ((1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), True),
        ((1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3), False),
        ((350, 1), True),
        ((0, 351), True),
        ((1, 351), False),
        ((-1, 5), False),
    ],
)
def test_rows__of_few_or_of_all_cards(totals: tuple[int, ...], *, possible: bool) -> None:
    assert sum(EACH.elements()) == 351
    assert rows_possible(tuple(sorted(totals)), "hearts", by_emptying=False) is possible


@pytest.mark.parametrize(("red_kings", "worth_nothing"), [("hearts", 1), ("both", 2)])
def test_rows__that_one_emptied_are_worth_nothing_besides_by_a_king_alone(
    red_kings: str, worth_nothing: int
) -> None:
    for rows in range(1, 5):
        totals = (*(0,) * rows, 9)
        assert rows_possible(totals, red_kings, by_emptying=True) is (rows - 1 <= worth_nothing)
        assert rows_possible(totals, red_kings, by_emptying=False)
