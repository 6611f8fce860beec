"""A course keeps both ends, thins evenly, and stays small."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from projections.course import POINTS_KEPT, Course


def thinned(length: int) -> tuple[int, ...]:
    course: Course[int] = Course()
    for number in range(length):
        course.add(number)
    return course.points()


def test_course__short_enough_is_whole() -> None:
    assert thinned(0) == ()
    assert thinned(2 * POINTS_KEPT - 1) == tuple(range(2 * POINTS_KEPT - 1))


@given(st.integers(1, 3_000))
def test_course__is_even_and_keeps_both_ends(length: int) -> None:
    points = thinned(length)
    assert (points[0], points[-1]) == (0, length - 1)
    assert len(points) <= 2 * POINTS_KEPT
    steps = [later - earlier for earlier, later in pairwise(points)]
    assert len(set(steps[:-1])) <= 1
    assert not steps or 0 < steps[-1] <= steps[0]
