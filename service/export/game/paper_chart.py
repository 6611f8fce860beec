"""The totals after each deal as a line chart: coordinates of points, ticks and labels."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from projections.score_sheet import AdjustmentRow, ChangeRow, DealRow
from service.export.formats.typesetter import format_signed, strip_controls
from service.export.game.game import GameSheet

# Height of a label, as a share of the plot.
_LABEL_HEIGHT = 0.095
_TICKS_MAX = 6
_STEPS = (1, 2, 5)


class PaperTick(Struct, frozen=True, kw_only=True):
    at: float
    label: str


class Curve(Struct, frozen=True, kw_only=True):
    points: tuple[tuple[float, float], ...]
    name: str
    total: str
    label_at: float


class PaperChart(Struct, frozen=True, kw_only=True):
    """A chart, lines by seat; `said`: its text alternative."""

    title: str
    said: str
    curves: tuple[Curve, ...]
    across: tuple[PaperTick, ...]
    down: tuple[PaperTick, ...]
    zero: float


def begun(totals: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return the totals before the first row, given those after it: 0 for who is at the table."""
    return tuple(None if total is None else 0 for total in totals)


def layout_curves(
    totals: Sequence[Sequence[int | None]], names: Sequence[str], low: int, high: int
) -> tuple[Curve, ...]:
    """Lay out a line per player: totals after each step, between `low` and `high`.

    A line begins and ends with the player: None is no point of it.
    """

    def place(value: int) -> float:
        return round((high - value) / (high - low), 4)

    lines = [
        [(index, total) for index, after in enumerate(totals) if (total := after[seat]) is not None]
        for seat in range(len(names))
    ]
    ends = _spread([place(line[-1][1]) for line in lines])
    return tuple(
        Curve(
            points=tuple(
                (round(index / (len(totals) - 1), 4), place(total)) for index, total in line
            ),
            name=strip_controls(name),
            total=format_signed(line[-1][1]),
            label_at=ends[seat],
        )
        for seat, (name, line) in enumerate(zip(names, lines, strict=True))
    )


def layout_chart(game: GameSheet) -> PaperChart | None:
    """Lay out the chart of a game; None if totals changed less than twice."""
    rows = [row for row in game.sheet.rows if isinstance(row, DealRow | AdjustmentRow | ChangeRow)]
    if len(rows) < 2:  # noqa: PLR2004 a line has two ends
        return None
    totals = [begun(rows[0].totals), *(row.totals for row in rows)]
    numbers = [None, *(row.number if isinstance(row, DealRow) else None for row in rows)]
    known = [total for after in totals for total in after if total is not None]
    down = list(_ticks(min(known), max(known)))
    low, high = down[0], down[-1]

    labels = [
        f"{strip_controls(name)} {format_signed(total)}"
        for name, total in zip(game.players, game.sheet.totals, strict=True)
    ]
    return PaperChart(
        title=game.word("chart"),
        said=game.word("chart_said").format(totals=", ".join(labels)),
        curves=layout_curves(totals, game.players, low, high),
        across=tuple(_deals(numbers)),
        down=tuple(
            PaperTick(at=round((high - value) / (high - low), 4), label=format_signed(value))
            for value in down
        ),
        zero=round(high / (high - low), 4),
    )


def _step(span: int, most: int) -> int:
    power = 1
    while True:
        for step in _STEPS:
            if span <= step * power * most:
                return step * power
        power *= 10


def _ticks(low: int, high: int) -> range:
    high = max(high, low + 1)
    step = _step(high - low, _TICKS_MAX - 1)
    return range(low // step * step, -(-high // step) * step + 1, step)


def _deals(numbers: Sequence[int | None]) -> Iterator[PaperTick]:
    last = max((number for number in numbers if number), default=0)
    step = _step(last, 12)
    for index, number in enumerate(numbers):
        if number and number % step == 0:
            yield PaperTick(at=round(index / (len(numbers) - 1), 4), label=str(number))


def _spread(ends: Sequence[float]) -> tuple[float, ...]:
    order = sorted(range(len(ends)), key=lambda seat: (ends[seat], seat))
    positions = [0.0] * len(ends)
    lowest = 1.0 - _LABEL_HEIGHT * (len(ends) - 1)
    above = -_LABEL_HEIGHT
    for place, seat in enumerate(order):
        room = lowest + _LABEL_HEIGHT * place
        positions[seat] = round(min(max(ends[seat], above + _LABEL_HEIGHT), room), 4)
        above = positions[seat]
    return tuple(positions)
