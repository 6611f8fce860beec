"""Chart geometry in pixels: positions of lines, marks, ticks and labels."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, log10
from unicodedata import category, east_asian_width

from msgspec import Struct
from msgspec.structs import replace

Point = tuple[float, float]

WIDTH, HEIGHT = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 38, 314, 12, 162
# With labels, the lines end at LABELLED instead of RIGHT.
LABEL_X = 244
LABELLED = 232
BESIDE = 6
LABEL_DISTANCE = 15
LABEL_WIDTH = 10
# Limit of a ratings chart; a score sheet's chart shows all players.
LINES_MAX = 5
POINTS_DRAWN = 100
TICKS_MAX = 5
MARKS_ALL = 16
MARKS_SOME = 8

# Paths around a point: ring, square, triangle, diamond, triangle down, cross, plus, hourglass, bars
# (upright, level), chevrons (up, down): one for each player that a table may have.
MARKS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    "m-3.2-3.2h6.4v6.4h-6.4z",
    "m0-4.4l4 7h-8z",
    "m0-4.6l4 4.6l-4 4.6l-4-4.6z",
    "m0 4.4l4-7h-8z",
    "m-3.4-3.4l6.8 6.8m0-6.8l-6.8 6.8",
    "m-4.2 0h8.4m-4.2-4.2v8.4",
    "m-3.6-3.6h7.2l-7.2 7.2h7.2z",
    "m-1.6-4v8m3.2-8v8",
    "m-4-1.6h8m-8 3.2h8",
    "m-4 2.4l4-4.8l4 4.8",
    "m-4-2.4l4 4.8l4-4.8",
)


class Series(Struct, frozen=True, kw_only=True):
    """A named line of values, ordered by x. `style`: of its mark; None: its place in the list."""

    name: str
    points: Sequence[Point]
    style: int | None = None


class Tick(Struct, frozen=True, kw_only=True):
    """A labelled position on an axis, in pixels."""

    at: float
    label: str


class ChartLine(Struct, frozen=True, kw_only=True):
    """A line in pixels.

    `style` (from 0) selects dashes and mark, `leader` is the path to its label.
    """

    name: str
    style: int
    mark: str
    path: str
    marks: str
    leader: str
    label: str
    label_y: float


class Chart(Struct, frozen=True, kw_only=True):
    """A chart in pixels.

    `key` is unique within a page. `floor` is the y of the x axis, `right` its end. `labelled`:
    lines have labels; `cut`: a label is shortened. `spots` are highlighted points; `here` is the x
    of the version on display.
    """

    key: str
    labelled: bool
    right: float
    lines: tuple[ChartLine, ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    floor: float
    cut: bool
    spots: tuple[Point, ...] = ()
    here: float | None = None


class Axis(Struct, frozen=True, kw_only=True):
    """Options of the y axis. `whole`: integer ticks; `falling`: the lowest value is at the top.

    `zero`: include 0. `dots`: mark every value and draw no line. `begins`: the lowest tick.
    """

    whole: bool = False
    falling: bool = False
    zero: bool = False
    dots: bool = False
    begins: int | None = None


class Highlights(Struct, frozen=True, kw_only=True):
    """Points to highlight (`spots`) and the x of the version on display (`here`)."""

    spots: Sequence[Point]
    here: float | None


def draw(
    key: str,
    lines: Sequence[Series],
    x_ticks: Sequence[tuple[float, str]],
    format_value: Callable[[float], str],
    axis: Axis | None = None,
    highlights: Highlights | None = None,
) -> Chart:
    """Lay out a chart; `x_ticks` are the x ticks with labels, `format_value` formats a y value."""
    options = axis or Axis()
    shown = [_sample(line, len(lines)) for line in lines[: len(MARKS)]]
    labelled = len(shown) > 1
    ticks = ticks_of([y for line in shown for _, y in line.points], options)
    right = LABELLED if labelled else RIGHT
    xs = [x for line in shown for x, _ in line.points] + [x for x, _ in x_ticks]
    scale = _Scale(xs, right, ticks, options)
    labels = _spread_labels([scale.y(line.points[-1][1]) for line in shown])
    chart_lines = tuple(
        _chart_line(
            line,
            (place if line.style is None else line.style) % len(MARKS),
            [scale.at(point) for point in line.points],
            label_y,
            options,
        )
        for place, (line, label_y) in enumerate(zip(shown, labels, strict=True))
    )
    return Chart(
        key=key,
        labelled=labelled,
        right=right,
        lines=chart_lines,
        y_ticks=tuple(Tick(at=scale.y(value), label=format_value(value)) for value in ticks),
        x_ticks=tuple(Tick(at=scale.x(value), label=label) for value, label in x_ticks),
        floor=scale.y(0) if ticks[0] <= 0 <= ticks[-1] and not options.falling else BOTTOM,
        cut=labelled and any(line.label != line.name for line in chart_lines),
        spots=tuple(scale.at(point) for point in highlights.spots) if highlights else (),
        here=scale.x(highlights.here) if highlights and highlights.here is not None else None,
    )


def ticks_of(values: Sequence[float], axis: Axis) -> list[float]:
    """Return at most `TICKS_MAX` round values in ascending order that enclose all `values`."""
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


class _Scale:
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


def thinned(points: int, lines: int) -> list[int]:
    """Return the indices to draw of a line with so many points, in a chart of so many lines.

    >>> thinned(6, 50), thinned(3, 50)
    ([0, 2, 4, 5], [0, 1, 2])
    """
    most = 2 * (POINTS_DRAWN // min(lines, len(MARKS)))
    step = 1
    while -(-points // step) + ((points - 1) % step > 0) > most:
        step *= 2
    return [*range(0, points - 1, step), points - 1]


def _sample(line: Series, lines: int) -> Series:
    shown = thinned(len(line.points), lines)
    return replace(line, points=[line.points[at] for at in shown])


def _chart_line(
    line: Series, style: int, points: Sequence[Point], label_y: float, axis: Axis
) -> ChartLine:
    end_x, end_y = points[-1]
    leader = f"M{end_x + 6:g} {end_y:g}L{LABEL_X - 3} {label_y:g}"
    return ChartLine(
        name=line.name,
        style=style,
        mark=MARKS[style],
        path="" if axis.dots else "M" + "L".join(f"{x:g} {y:g}" for x, y in points),
        marks="".join(
            f"M{x:g} {y:g}{MARKS[style]}"
            for x, y in (points if axis.dots else _points_with_mark(points, style))
        ),
        leader=leader,
        label=clip(line.name, LABEL_WIDTH),
        label_y=label_y,
    )


def _points_with_mark(points: Sequence[Point], style: int) -> Sequence[Point]:
    if len(points) <= MARKS_ALL:
        return points
    step = len(points) // MARKS_SOME
    return [*points[style * step // len(MARKS) : -step // 2 : step], points[-1]]


def _spread_labels(heights: Sequence[float]) -> list[float]:
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


_JOINER = "\u200d"
_BESIDE = frozenset(
    {_JOINER, "\u200c", *map(chr, range(0x1F3FB, 0x1F400)), *map(chr, range(0xE0020, 0xE0080))}
)
_REGIONS = range(0x1F1E6, 0x1F200)


def clip(name: str, width: int) -> str:
    """Return a name, cut with an ellipsis to `width` columns; wide characters take two."""
    found = list(clusters(name))
    if sum(map(_width, found)) <= width:
        return name
    kept = ""
    left = width - 1
    for cluster in found:
        left -= _width(cluster)
        if left < 0:
            break
        kept += cluster
    return kept.rstrip() + "…"


def clusters(text: str) -> Iterator[str]:
    """Yield grapheme clusters, close enough to UAX #29 for names."""
    cluster = ""
    for sign in text:
        if cluster and not _continues(sign, cluster):
            yield cluster
            cluster = ""
        cluster += sign
    if cluster:
        yield cluster


def _continues(sign: str, cluster: str) -> bool:
    flag = ord(sign) in _REGIONS and len(cluster) == 1 and ord(cluster) in _REGIONS
    return flag or sign in _BESIDE or category(sign)[0] == "M" or cluster[-1] == _JOINER


def _width(cluster: str) -> int:
    return 2 if len(cluster) > 1 and ord(cluster[0]) in _REGIONS else _sign_width(cluster[0])


def _sign_width(sign: str) -> int:
    return 2 if east_asian_width(sign) in "WF" else 1
