"""What could be known at a moment, shaped for a page; and how it grew in the course of a deal.

Promises: pure. Shares are told in tenths, for shades; the exact fractions are the API's.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, log10
from typing import Any

from babel.numbers import format_decimal
from msgspec import Struct

from domain.games import GAMES
from domain.inference import deals_that_fit
from domain.table.history import Step
from service.play.moments import Moment
from service.play.possibilities import LocationView, PossibleView
from service.web.format.chart import Axis, Chart, Line, draw

EXACT_DIGITS = 12  # longer numbers are told by their power of ten
TELLING = 3
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Cell(Struct, frozen=True, kw_only=True):
    """In what part of the deals a card lies somewhere: in tenths, rounded up, and in percent."""

    tenths: int
    percent: int


class GridRow(Struct, frozen=True, kw_only=True):
    """A card, and where it can lie: a cell a location that holds any, None where it cannot."""

    card: str
    cells: tuple[Cell | None, ...]


class Telling(Struct, frozen=True, kw_only=True):
    """An entry that told much: of so many deals that fitted before it one was left."""

    version: int
    of: int
    entry: Any


class Growth(Struct, frozen=True, kw_only=True):
    """How the deals that fit grew fewer: a drawing of their powers of ten, and what told most."""

    chart: Chart | None
    telling: tuple[Telling, ...]


def number_of_deals(deals: str, language: str) -> str:
    """Say how many deals fit: in full, or by the power of ten where that is too long to read."""
    if len(deals) <= EXACT_DIGITS:
        return format_decimal(int(deals), locale=language)
    lead = format_decimal(int(deals[:2]) / 10, format="0.0", locale=language)
    return f"{lead} × 10{str(len(deals) - 1).translate(_SUPERSCRIPTS)}"


def grid(found: PossibleView) -> tuple[GridRow, ...]:
    """Return a row a card nobody has seen: where it can lie, and in how many of the deals."""
    rows: list[GridRow] = []
    for one in found.cards:
        shares = {share.location: Fraction(share.share) for share in one.at}
        cells = tuple(
            _cell(shares.get(at)) for at, where in enumerate(found.locations) if where.size
        )
        rows.append(GridRow(card=one.card, cells=cells))
    return tuple(rows)


def _cell(share: Fraction | None) -> Cell | None:
    if share is None:
        return None
    return Cell(tenths=ceil(share * 10), percent=max(1, round(share * 100)))


def everything_unseen(locations: Sequence[LocationView]) -> int:
    """Count the different cards that are possible anywhere, to say “any of them” in short."""
    return len({card for one in locations for some in one.unseen for card in some.cards})


def growth(moment: Moment, deal: int) -> Growth:
    """Follow the number of deals that fit through a deal, by its number from 1."""
    counted = [
        (step, deals)
        for step in _steps_of(moment, deal)
        if (deals := _deals(moment, step)) is not None
    ]
    points = [(step.version, log10(deals)) for step, deals in counted]
    if len(points) <= 1:
        return Growth(chart=None, telling=())
    ends = [(points[0][0], str(points[0][0])), (points[-1][0], str(points[-1][0]))]
    axis = Axis(whole=True, zero=True)
    drawn = draw("deals", [Line(name="", points=points)], ends, _power, axis)
    return Growth(chart=drawn, telling=_telling(counted))


def _steps_of(moment: Moment, deal: int) -> list[Step]:
    """Return the steps of a deal; of one that was annulled and dealt again, the last."""
    found: list[Step] = []
    for step in moment.steps:
        before = step.before.game if step.before else None
        if step.game.deal is None or len(step.game.deals) + 1 != deal:
            continue
        if before is None or before.deal is None:
            found = []
        found.append(step)
    return found


def _deals(moment: Moment, step: Step) -> int | None:
    """Count the deals that fit after a step; None where they were not all counted."""
    hidden = GAMES[moment.ruleset].hidden(step.game)
    return None if hidden is None else deals_that_fit(hidden.knowledge)


def _power(exponent: float) -> str:
    return "10" + str(round(exponent)).translate(_SUPERSCRIPTS) if exponent else "1"


def _telling(counted: Sequence[tuple[Step, int]]) -> tuple[Telling, ...]:
    """Choose the entries after which the fewest of the deals before were left."""
    falls: Mapping[int, tuple[int, Step]] = {
        at: (before[1] // after[1], after[0])
        for at, (before, after) in enumerate(pairwise(counted))
        if before[1] >= 2 * after[1]
    }
    most = sorted(falls.values(), key=lambda one: -one[0])[:TELLING]
    return tuple(Telling(version=step.version, of=of, entry=step.entry) for of, step in most)
