"""Charts as drawings: where lines, marks, ticks and labels go. The template prints them."""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10

from msgspec import Struct

from projections.course import Course
from service.web.format.clusters import clipped

Point = tuple[float, float]

WIDTH, HEIGHT = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 38, 314, 12, 162
# Where there are labels, the lines end before them.
LABEL_X = 244
LABELLED = 232
BESIDE = 6
LABEL_DISTANCE = 15
LABEL_WIDTH = 10
# How many a chart of many choices shows; a score sheet's shows everybody.
LINES_MAX = 5
POINTS_DRAWN = 100
TICKS_MAX = 5
MARKS_ALL = 16
MARKS_SOME = 8

# Paths around a value: ring, square, triangle, diamond, triangle down, cross, plus, hourglass.
MARKS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    "m-3.2-3.2h6.4v6.4h-6.4z",
    "m0-4.4l4 7h-8z",
    "m0-4.6l4 4.6l-4 4.6l-4-4.6z",
    "m0 4.4l4-7h-8z",
    "m-3.4-3.4l6.8 6.8m0-6.8l-6.8 6.8",
    "m-4.2 0h8.4m-4.2-4.2v8.4",
    "m-3.6-3.6h7.2l-7.2 7.2h7.2z",
)


class Series(Struct, frozen=True, kw_only=True):
    """Values of somebody, from left to right."""

    name: str
    points: Sequence[Point]


class Tick(Struct, frozen=True, kw_only=True):
    """A value of an axis: where it is, and how it is said."""

    at: float
    said: str


class Drawn(Struct, frozen=True, kw_only=True):
    """A line as drawn. `style` from 0: which dashes and `mark`; `leader` leads to the label."""

    name: str
    style: int
    mark: str
    path: str
    marks: str
    leader: str
    label: str
    label_y: float


class Chart(Struct, frozen=True, kw_only=True):
    """A chart as drawn. `key`: its own among those of a page; `cut`: a label is not a whole name.

    `floor` is where the axis lies; it ends at `right`. `labelled`: lines have labels. `spots`: the
    places of the values that were asked for; `here`: how far right the value is that is looked at.
    """

    key: str
    labelled: bool
    right: float
    lines: tuple[Drawn, ...]
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    floor: float
    cut: bool
    spots: tuple[Point, ...] = ()
    here: float | None = None


class Axis(Struct, frozen=True, kw_only=True):
    """What values run over. `whole`: ticks are whole numbers; `falling`: the lowest is on top.

    `zero` is among the ticks. `dots`: every value has a mark, and no line leads to the next.
    `begins`: no tick is lower than this.
    """

    whole: bool = False
    falling: bool = False
    zero: bool = False
    dots: bool = False
    begins: int | None = None


class Pointed(Struct, frozen=True, kw_only=True):
    """What a drawing points at: values of a line (`spots`), and where along it the reader is."""

    spots: Sequence[Point]
    here: float | None


def draw(
    key: str,
    lines: Sequence[Series],
    along: Sequence[tuple[float, str]],
    say: Callable[[float], str],
    axis: Axis | None = None,
    pointed: Pointed | None = None,
) -> Chart:
    """Draw lines; `along` are the ticks from left to right, `say` puts a value into words."""
    chosen = axis or Axis()
    shown = [_thinned(line, len(lines)) for line in lines[: len(MARKS)]]
    labelled = len(shown) > 1
    ticks = ticks_of([y for line in shown for _, y in line.points], chosen)
    right = LABELLED if labelled else RIGHT
    xs = [x for line in shown for x, _ in line.points] + [x for x, _ in along]
    place = _Plane(xs, right, ticks, chosen)
    labels = _apart([place.y(line.points[-1][1]) for line in shown])
    drawn = tuple(
        _drawn(line, style, [place.at(point) for point in line.points], label_y, chosen)
        for style, (line, label_y) in enumerate(zip(shown, labels, strict=True))
    )
    return Chart(
        key=key,
        labelled=labelled,
        right=right,
        lines=drawn,
        across=tuple(Tick(at=place.y(value), said=say(value)) for value in ticks),
        along=tuple(Tick(at=place.x(value), said=said) for value, said in along),
        floor=place.y(0) if ticks[0] <= 0 <= ticks[-1] and not chosen.falling else BOTTOM,
        cut=labelled and any(line.label != line.name for line in drawn),
        spots=tuple(place.at(point) for point in pointed.spots) if pointed else (),
        here=place.x(pointed.here) if pointed and pointed.here is not None else None,
    )


def ticks_of(values: Sequence[float], axis: Axis) -> list[float]:
    """Return a few round values, the lowest first, that hold all the others between them."""
    low, high = min(values), max(values)
    if axis.zero:
        low, high = min(low, 0), max(high, 0)
    span = max(high - low, 1 if axis.whole else 0.1)
    power = 10 ** floor(log10(span / TICKS_MAX))
    steps = (power * factor for factor in (1, 2, 5, 10, 20))
    step = next(
        step
        for step in steps
        if (not axis.whole or step >= 1) and ceil(high / step) - floor(low / step) < TICKS_MAX
    )
    first, last = floor(low / step), ceil(high / step)
    found = [number * step for number in range(first, max(last, first + 1) + 1)]
    return found if axis.begins is None else [max(found[0], axis.begins), *found[1:]]


class _Plane:
    """Places values on the drawing."""

    def __init__(
        self, xs: Sequence[float], right: float, ticks: Sequence[float], axis: Axis
    ) -> None:
        self._span = right - LEFT - 2 * BESIDE
        self._x, self._wide = min(xs), (max(xs) - min(xs)) or 1
        self._y, self._tall = ticks[0], ticks[-1] - ticks[0]
        self._falling = axis.falling

    def x(self, value: float) -> float:
        return round(LEFT + BESIDE + (value - self._x) / self._wide * self._span, 1)

    def y(self, value: float) -> float:
        height = (value - self._y) / self._tall * (BOTTOM - TOP)
        return round(TOP + height if self._falling else BOTTOM - height, 1)

    def at(self, point: Point) -> Point:
        return (self.x(point[0]), self.y(point[1]))


def _thinned(line: Series, lines: int) -> Series:
    course: Course[Point] = Course(POINTS_DRAWN // min(lines, len(MARKS)))
    for point in line.points:
        course.add(point)
    return Series(name=line.name, points=course.points())


def _drawn(line: Series, style: int, points: Sequence[Point], label_y: float, axis: Axis) -> Drawn:
    end_x, end_y = points[-1]
    leader = f"M{end_x + 6:g} {end_y:g}L{LABEL_X - 3} {label_y:g}"
    return Drawn(
        name=line.name,
        style=style,
        mark=MARKS[style],
        path="" if axis.dots else "M" + "L".join(f"{x:g} {y:g}" for x, y in points),
        marks="".join(
            f"M{x:g} {y:g}{MARKS[style]}"
            for x, y in (points if axis.dots else _marked(points, style))
        ),
        leader=leader,
        label=clipped(line.name, LABEL_WIDTH),
        label_y=label_y,
    )


def _marked(points: Sequence[Point], style: int) -> Sequence[Point]:
    """Choose the values that are marked: all of a few; of many some, not the same as other lines'.

    The last one always is.
    """
    if len(points) <= MARKS_ALL:
        return points
    step = len(points) // MARKS_SOME
    return [*points[style * step // len(MARKS) : -step // 2 : step], points[-1]]


def _apart(heights: Sequence[float]) -> list[float]:
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = [heights[at] for at in order]
    for number in range(1, len(placed)):
        placed[number] = max(placed[number], placed[number - 1] + LABEL_DISTANCE)
    below: float = BOTTOM
    for number in reversed(range(len(placed))):
        placed[number] = min(placed[number], below)
        below = placed[number] - LABEL_DISTANCE
    found = [0.0] * len(heights)
    for at, height in zip(order, placed, strict=True):
        found[at] = round(height, 1)
    return found
