"""The charts there are: nothing is drawn of nothing, and the numbers beside agree."""

from datetime import UTC, datetime, timedelta

from projections.ratings import Rating
from projections.standings import RatedAt
from service.web.format.charts import MOMENTS_SHOWN, rating_table, ratings_chart
from service.web.format.figures import FigureFormat

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
