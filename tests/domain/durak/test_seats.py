"""Sets of seats know who sits next."""

import pytest

from domain.durak.state import clockwise, next_seat

SECOND, FOURTH, LAST = 0b000010, 0b001000, 0b100000


@pytest.mark.parametrize(
    ("first", "turn"), [(0, (1, 3, 5)), (1, (1, 3, 5)), (2, (3, 5, 1)), (5, (5, 1, 3))]
)
def test_clockwise__begins_with_a_seat_or_whoever_sits_next(
    first: int, turn: tuple[int, ...]
) -> None:
    assert clockwise(SECOND | FOURTH | LAST, first) == turn


def test_clockwise__nobody_has_no_order() -> None:
    assert clockwise(0, 3) == ()


@pytest.mark.parametrize(("seat", "found"), [(0, 1), (1, 3), (3, 5), (4, 5), (5, 1)])
def test_next_of__goes_on_past_the_last_seat(seat: int, found: int) -> None:
    assert next_seat(SECOND | FOURTH | LAST, seat) == found


def test_next_of__nobody_sits_next_to_oneself() -> None:
    assert next_seat(FOURTH, 3) is None
    assert next_seat(0, 3) is None
