import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.ratings import Rating
from projections.standings import RatedAt
from service.web.format.chart import (
    BOTTOM,
    LABEL_DISTANCE,
    LEFT,
    MARKS,
    RIGHT,
    TICKS_MAX,
    TOP,
    Axis,
    Series,
    draw,
    ticks_of,
)
from service.web.format.charts import MOMENTS_SHOWN, rating_table, ratings_chart
from service.web.format.figures import FigureFormat

values = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 2))
courses = st.lists(st.lists(values, min_size=2, max_size=300), min_size=1, max_size=9)
axes = st.builds(Axis, whole=st.booleans(), falling=st.booleans(), zero=st.booleans())
NUMBER = re.compile(r"-?[\d.]+")


def lines_of(many: list[list[float]]) -> list[Series]:
    return [
        Series(name=f"Line {at}", points=list(enumerate(course))) for at, course in enumerate(many)
    ]


@given(courses, axes)
def test_lines_stay_on_the_paper(many: list[list[float]], axis: Axis) -> None:
    chart = draw("key", lines_of(many), [(0, "first")], str, axis)
    assert len(chart.lines) == min(len(many), len(MARKS))
    for line in chart.lines:
        numbers = list(map(float, NUMBER.findall(line.path)))
        assert all(LEFT <= x <= RIGHT for x in numbers[::2])
        assert all(TOP - 0.1 <= y <= BOTTOM + 0.1 for y in numbers[1::2])


@given(courses)
def test_labels_lie_apart_and_in_the_order_of_their_lines(many: list[list[float]]) -> None:
    chart = draw("key", lines_of(many), [], str)
    ends = sorted((float(NUMBER.findall(line.path)[-1]), line.label_y) for line in chart.lines)
    for (_, above), (_, below) in pairwise(sorted(ends, key=lambda end: end[1])):
        assert below - above >= LABEL_DISTANCE - 0.2
    for (end, label), (other, lower) in pairwise(ends):
        assert label < lower or end == other
    assert all(label <= BOTTOM for _, label in ends)


@given(st.lists(values, min_size=1, max_size=20), axes)
def test_ticks_are_few_and_hold_every_value(some: list[float], axis: Axis) -> None:
    ticks = ticks_of(some, axis)
    assert 2 <= len(ticks) <= TICKS_MAX + 1
    assert ticks[0] <= min(some) + 1e-6
    assert ticks[-1] >= max(some) - 1e-6
    steps = {round(later - earlier, 6) for earlier, later in pairwise(ticks)}
    assert len(steps) == 1
    if axis.whole:
        assert all(tick == int(tick) for tick in ticks)
    if axis.zero:
        assert ticks[0] <= 0 <= ticks[-1]


@pytest.mark.parametrize(
    ("some", "expected"),
    [
        ([1, 4], [1, 2, 3, 4]),
        ([0, 9], [0, 5, 10]),
        ([3, 3], [3, 4]),
        ([-7, 12], [-10, 0, 10, 20]),
    ],
)
def test_ticks_are_round(some: list[float], expected: list[float]) -> None:
    assert ticks_of(some, Axis(whole=True)) == expected


def test_an_axis_of_places_begins_with_the_first() -> None:
    places = [1.0, 8.0, 3.0]
    assert ticks_of(places, Axis(whole=True, falling=True, begins=1))[0] == 1


def test_the_first_place_is_on_top_where_the_axis_falls() -> None:
    line = Series(name="Ann", points=[(1, 1), (2, 3)])
    chart = draw("key", [line], [], "{:g}".format, Axis(whole=True, falling=True, dots=True))
    assert [(tick.label, tick.at) for tick in chart.y_ticks][0::2] == [("1", TOP), ("3", BOTTOM)]
    assert chart.lines[0].path == ""


def test_few_values_are_all_marked_and_many_are_not() -> None:
    few = draw("key", lines_of([[1, 2, 3]]), [], str).lines[0]
    many = draw("key", lines_of([[*range(500)]]), [], str).lines[0]
    assert few.marks.count("M") == 3
    assert 5 <= many.marks.count("M") <= 12
    assert many.path.count("L") < 200


def test_a_long_name_is_cut_and_told_whole_beside() -> None:
    long = Series(name="Maximiliane-Sophie", points=[(0, 0), (1, 1)])
    short = Series(name="Ann", points=[(0, 0), (1, 2)])
    chart = draw("key", [long, short], [], str)
    assert chart.cut
    assert [line.label for line in chart.lines] == ["Maximilia…", "Ann"]
    assert not draw("key", [long], [], str).cut


START = datetime(2026, 1, 1, tzinfo=UTC)
SAY = FigureFormat(language="en", zone=None)


def rated(*points: tuple[int, float]) -> tuple[RatedAt, ...]:
    return tuple(
        RatedAt(number=number, at=START + timedelta(days=number), rating=Rating(mu=mu, sigma=0))
        for number, mu in points
    )


def test_nothing_is_drawn_before_there_are_two_games() -> None:
    assert ratings_chart("key", [], SAY) is None
    assert ratings_chart("key", [("Ann", rated((1, 3.0))), ("Bob", rated((1, -3.0)))], SAY) is None
    assert (
        ratings_chart("key", [("Ann", rated((1, 3.0))), ("Bob", rated((2, 1.0)))], SAY) is not None
    )


def test_the_table_beside_has_everybody_as_they_stood_then() -> None:
    ann, bob = rated((1, 3.0), (4, 5.0)), rated((2, 1.0), (3, 2.0))
    assert [(moment.at.day, moment.ratings) for moment in rating_table([ann, bob])] == [
        (2, (3.0, None)),
        (3, (3.0, 1.0)),
        (4, (3.0, 2.0)),
        (5, (5.0, 2.0)),
    ]


def test_the_table_beside_is_short_and_keeps_both_ends() -> None:
    told = rating_table([rated(*((number, float(number)) for number in range(1, 100)))])
    assert len(told) <= MOMENTS_SHOWN + 1
    assert (told[0].ratings, told[-1].ratings) == ((1.0,), (99.0,))
    assert rating_table([]) == []
