"""What cards of the kinds from one on can be worth, by hand: two fives, a two, and a nine apart."""

import pytest

from domain.inference.kinds import Kind, Reach, Unit

COUNTED, NOT_COUNTED = Unit({1: 2}, (), (0,)), Unit({2: 1}, (), ())
KINDS = (Kind(0b0011, (5,), (0,)), Kind(0b0100, (2,), (0, 1)), Kind(0b1000, (9,), (1,)))
REACH = Reach((COUNTED, NOT_COUNTED), KINDS, 1)


def test_reach__knows_which_units_count_for_a_total() -> None:
    assert Reach((NOT_COUNTED, COUNTED, COUNTED), KINDS, 2).counting == [[1, 2], []]


@pytest.mark.parametrize(
    ("kind", "room", "least", "most"),
    [(0, 0, 0, 0), (0, 1, 2, 5), (0, 2, 7, 10), (0, 3, 12, 12), (1, 1, 2, 2), (2, 0, 0, 0)],
)
def test_reach__is_from_the_least_to_the_most_that_so_many_cards_are_worth(
    kind: int, room: int, least: int, most: int
) -> None:
    reached = [points for points in range(-1, 20) if REACH.reaches(0, kind, room, points)]
    assert reached == [*range(least, most + 1)]


@pytest.mark.parametrize(("kind", "room"), [(0, 4), (1, 2), (2, 1), (3, 1)])
def test_reach__is_nothing_where_there_are_not_so_many_cards(kind: int, room: int) -> None:
    assert not any(REACH.reaches(0, kind, room, points) for points in range(20))
