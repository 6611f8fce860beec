"""The row of a game in lists and in the score history."""

from collections.abc import Iterable, Iterator
from typing import Literal, cast

from msgspec import Struct

from domain.table.history import History, Step
from domain.table.rules import Ranking, Status
from schemas.entries import DealEnded, GameEnded


class Summary(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game in a list: its status, the number of ended deals, totals per seat.

    `places` per seat: 1 + the seats ahead, in an open game so far. `set_aside`: it does not count.
    """

    status: Literal["open", "finished"]
    deals: int
    totals: tuple[int, ...]
    places: tuple[int, ...]
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
    return Summary(
        status="open" if game.status is Status.OPEN else "finished",
        deals=len(game.deals),
        totals=game.totals,
        places=places(ranking(history), game.seats),
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


def decided(status: Literal["open", "finished"], deals: int, totals: Iterable[int]) -> bool:
    """Return whether places name a winner: the game is over, and points were played or awarded.

    >>> decided("finished", 0, (0, 0))
    False
    """
    return status == "finished" and (deals > 0 or any(totals))


def places(ranked: Ranking, seats: int) -> tuple[int, ...]:
    """Return each seat's place from 1; equal seats share one, and the next place is skipped.

    >>> places(((1,), (0, 2)), 3)
    (2, 1, 2)
    """
    found = [0] * seats
    ahead = 0
    for level in ranked:
        for seat in level:
            found[seat] = ahead + 1
        ahead += len(level)
    return tuple(found)


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
