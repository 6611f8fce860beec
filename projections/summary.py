"""The row of a game in lists and in the score history."""

from collections.abc import Iterable, Iterator
from typing import Literal, cast

from msgspec import Struct

from domain.table.history import History, Step
from domain.table.rules import Ranking, Status
from schemas.entries import DealEnded, GameEnded


class Summary(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game in a list: its status, the number of ended deals, totals per seat.

    Per seat: `places` are 1 + the seats ahead, in an open game so far (None: not ranked);
    `took_part`: whether the game counts for that seat, always False while it is open. `set_aside`:
    it does not count.
    """

    status: Literal["open", "finished"]
    deals: int
    totals: tuple[int, ...]
    places: tuple[int | None, ...]
    took_part: tuple[bool, ...]
    set_aside: bool = False


class EndedDeal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The points per seat of an ended deal. `version` is that of its `deal_ended`."""

    deal: int
    version: int
    points: tuple[int, ...]
    detail: Struct


def summary(history: History) -> Summary:
    """Return the summary of a game now."""
    game = history.game
    is_open = game.status is Status.OPEN
    return Summary(
        status="open" if is_open else "finished",
        deals=len(game.deals),
        totals=game.totals,
        places=places(ranking(history), game.seats),
        took_part=(False,) * game.seats if is_open else game.rules.took_part(game),
        set_aside=game.set_aside,
    )


def ranking(history: History) -> Ranking:
    """Return the ranking stored when the game ended, or the current one."""
    game = history.game
    if game.status is not Status.OPEN:
        step = history.head(history.version)
        while step is not None:
            for line in step.derived:
                if isinstance(line.entry, GameEnded):
                    return line.entry.ranking
            step = step.before
    return game.rules.ranking(game)


def best_first(history: History) -> tuple[int, ...]:
    """Return all seats in the order of the ranking, those that are not ranked last."""
    ranked = [seat for level in ranking(history) for seat in level]
    return (*ranked, *(seat for seat in range(history.game.seats) if seat not in ranked))


def places(ranked: Ranking, seats: int) -> tuple[int | None, ...]:
    """Return each seat's place from 1; equal seats share one, and the next place is skipped.

    >>> places(((1,), (0, 2)), 4)
    (2, 1, 2, None)
    """
    places: list[int | None] = [None] * seats
    ahead = 0
    for level in ranked:
        for seat in level:
            places[seat] = ahead + 1
        ahead += len(level)
    return tuple(places)


def deal_scores(steps: Iterable[Step]) -> tuple[EndedDeal, ...]:
    """Return the scores of all ended deals, first deal first."""
    return tuple(score for step in steps for score in deals_ended_by(step))


def deals_ended_by(step: Step) -> Iterator[EndedDeal]:
    """Yield the score of the deal that an entry ended, if it did."""
    for line in step.derived:
        entry = line.entry
        if isinstance(entry, DealEnded):
            ended = cast("DealEnded[Struct]", entry)
            yield EndedDeal(
                deal=ended.deal, version=line.version, points=ended.points, detail=ended.detail
            )
