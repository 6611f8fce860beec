"""The charts of the pages: totals by deal, ratings and places by game."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from projections.breakdown import Group
from projections.person import PlacedGame
from projections.score_sheet import ChartedRow
from projections.standings import RatedAt
from service.export.game.paper_chart import begun
from service.play.course import GameCourse
from service.web.format.chart import LINES_MAX, Axis, Chart, Series, draw, thinned
from service.web.format.figures import FigureFormat

DEALS_BETWEEN = 4
MOMENTS_SHOWN = 10


class RatingRow(Struct, frozen=True, kw_only=True):
    """Each player's rating after one game, None before their first; a row of the table."""

    at: datetime
    ratings: tuple[float | None, ...]


def totals(
    course: GameCourse, names: Sequence[str], figures: FigureFormat, whole: GameCourse | None = None
) -> Chart | None:
    """Chart all players' totals by deal; None below two rows.

    The line of a player begins with their arrival and ends when they leave. `whole`: the course of
    which this is a part; players have the marks that they have in it.
    """
    rows, ended = course.charted, course.ended
    if len(rows) <= 1 or not ended:
        return None
    shown = [
        (at, rows[at - 1].totals if at else begun(rows[0].totals))
        for at in thinned(len(rows) + 1, len(names))
    ]
    lines = [
        Series(name=name, points=_points_of(seat, shown, rows), style=style)
        for seat, (name, style) in enumerate(
            zip(names, (whole or course).columns(course.players), strict=True)
        )
    ]
    labelled = [ended]
    if ended >= DEALS_BETWEEN:
        labelled.insert(0, ended // 2)
    x_ticks = [
        (at, figures.number(number))
        for at, number in [(0, 0), *((course.charted_by(one), one) for one in labelled)]
    ]
    return draw("totals", lines, x_ticks, figures.short, Axis(whole=True, zero=True))


def _points_of(
    seat: int, shown: Sequence[tuple[int, Sequence[int | None]]], rows: Sequence[ChartedRow]
) -> list[tuple[float, float]]:
    """Return a player's totals at the moments shown, or at all if they left before the first."""
    every = [(at, row.totals) for at, row in enumerate(rows, 1)]
    return _known(shown, seat) or _known(every, seat)


def _known(
    moments: Sequence[tuple[int, Sequence[int | None]]], seat: int
) -> list[tuple[float, float]]:
    return [(at, total) for at, totals in moments if (total := totals[seat]) is not None]


def ratings_chart(
    key: str, courses: Sequence[tuple[str, Sequence[RatedAt]]], figures: FigureFormat
) -> Chart | None:
    """Chart the first `LINES_MAX` players' ratings; None if they have fewer than two games."""
    shown = courses[:LINES_MAX]
    points = [point for _, course in shown for point in course]
    first = min(points, key=_number, default=None)
    last = max(points, key=_number, default=None)
    if first is None or last is None or first.number == last.number:
        return None
    lines = [
        Series(name=name, points=[(one.number, one.rating.ordinal) for one in course])
        for name, course in shown
        if course
    ]
    x_ticks = [(first.number, figures.day(first.at)), (last.number, figures.day(last.at))]
    return draw(key, lines, x_ticks, figures.short)


def rating_chart(
    key: str, name: str, course: Sequence[PlacedGame[UUID]], figures: FigureFormat
) -> Chart | None:
    """Chart one player's rating by game; None below two rated games."""
    rated = [(one.number, one.rating.ordinal) for one in course if one.rating]
    if len(rated) <= 1:
        return None
    return draw(key, [Series(name=name, points=rated)], _end_labels(course, figures), figures.short)


def places_chart(
    key: str, name: str, results: Sequence[PlacedGame[UUID]], figures: FigureFormat
) -> Chart | None:
    """Chart one player's places in the last games, first at the top; None below two places."""
    results = [one for one in results if one.place is not None]
    if len(results) <= 1:
        return None
    line = Series(name=name, points=[(one.number, one.place or 0) for one in results])
    axis = Axis(whole=True, falling=True, dots=True, begins=1)
    return draw(key, [line], _end_labels(results, figures), figures.short, axis)


def games_chart(
    key: str, groups: Sequence[Group], names: tuple[str, str], figures: FigureFormat
) -> Chart | None:
    """Chart how many games were finished and won each month, or each year if groups are years.

    `names`: of the two lines. None below two periods.
    """
    played = {group.key: group.figures for group in groups if group.key}
    keys = _months(min(played), max(played)) if played else []
    if len(keys) <= 1:
        return None
    finished = [(at, played[key].finished if key in played else 0) for at, key in enumerate(keys)]
    wins = [(at, played[key].wins if key in played else 0) for at, key in enumerate(keys)]
    lines = [Series(name=names[0], points=finished), Series(name=names[1], points=wins)]
    ends = [(0, figures.month(keys[0])), (len(keys) - 1, figures.month(keys[-1]))]
    return draw(key, lines, ends, figures.short, Axis(whole=True, zero=True))


def _months(first: str, last: str) -> list[str]:
    if len(first) == len("2026"):
        return [f"{year:04}" for year in range(int(first), int(last) + 1)]
    begin, end = (12 * int(one[:4]) + int(one[5:]) - 1 for one in (first, last))
    return [f"{at // 12:04}-{at % 12 + 1:02}" for at in range(begin, end + 1)]


def rating_table(courses: Sequence[Sequence[RatedAt]]) -> list[RatingRow]:
    """Sample at most `MOMENTS_SHOWN` games, oldest first, with the first and the last."""
    at = {point.number: point.at for course in courses for point in course}
    numbers = sorted(at)
    step = max(1, -(-(len(numbers) - 1) // (MOMENTS_SHOWN - 1)))
    chosen = sorted({*numbers[::step], *numbers[-1:]})
    return [
        RatingRow(at=at[number], ratings=tuple(_rating_at(course, number) for course in courses))
        for number in chosen
    ]


def _rating_at(course: Sequence[RatedAt], number: int) -> float | None:
    before = [one.rating.ordinal for one in course if one.number <= number]
    return before[-1] if before else None


def _end_labels(
    course: Sequence[PlacedGame[UUID]], figures: FigureFormat
) -> list[tuple[float, str]]:
    return [(one.number, figures.day(one.at)) for one in (course[0], course[-1])]


def _number(point: RatedAt) -> int:
    return point.number
