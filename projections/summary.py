"""What the list of games and the score history hold of a game: a pure fold."""

from collections.abc import Iterable, Iterator
from typing import Literal, cast

from msgspec import Struct

from domain.table.history import History, Step
from domain.table.rules import Ranking, Status
from schemas.entries import DealEnded, GameEnded


class Summary(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game in the list: whether entries are awaited, its ended deals, points per seat.

    `places`, per seat: 1 + the seats ahead, in an open game those ahead so far. `set_aside`: it
    counts nowhere.
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
    """Sum up a game as it stands."""
    game = history.game
    return Summary(
        status="open" if game.status is Status.OPEN else "finished",
        deals=len(game.deals),
        totals=game.totals,
        places=places(ranking(history), game.seats),
        set_aside=game.set_aside,
    )


def ranking(history: History) -> Ranking:
    """Return the ranking as it was stored when the game ended, or as it is now."""
    game = history.game
    if game.status is not Status.OPEN:
        for step in reversed(history.steps()):
            for line in step.derived:
                if isinstance(line.entry, GameEnded):
                    return line.entry.ranking
    return game.rules.ranking(game)


def decided(status: Literal["open", "finished"], deals: int, totals: Iterable[int]) -> bool:
    """Tell whether places say who won: the game is over, and something was played or awarded."""
    return status == "finished" and (deals > 0 or any(totals))


def places(ranked: Ranking, seats: int) -> tuple[int, ...]:
    """Return each seat's place, 1 the best; those level share one, and the next is left free."""
    found = [0] * seats
    ahead = 0
    for level in ranked:
        for seat in level:
            found[seat] = ahead + 1
        ahead += len(level)
    return tuple(found)


def deal_scores(steps: Iterable[Step]) -> tuple[EndedDeal, ...]:
    """Return the score of every ended deal that stands, first deal first."""
    return tuple(score for step in steps for score in deals_ended_by(step))


def deals_ended_by(step: Step) -> Iterator[EndedDeal]:
    """Yield the score of the deal an entry ended, if it ended one."""
    for line in step.derived:
        entry = line.entry
        if isinstance(entry, DealEnded):
            ended = cast("DealEnded[Struct]", entry)
            yield EndedDeal(
                deal=ended.deal, version=line.version, points=ended.points, detail=ended.detail
            )
