"""The orders in which a deal can end, held against every grouping of the seats."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from domain.durak.result import agrees, endings, well_formed
from domain.durak.score import Places
from domain.durak.state import Bout, Deal
from domain.replay import opening
from domain.table.rules import Game
from schemas.durak import Options, Result, settled

# Of those who are out, and of those who emptied their hands in the bout.
MOMENTS = [((), ()), ((1,), ()), ((1,), (0,)), ((0, 2), (1,)), ((), (1, 0))]


def groupings(seats: int) -> Iterator[Places]:
    """Yield the seats in any order, each alone or the last ones together."""
    for order in permutations(range(seats)):
        for tied in range(1, seats + 1):
            last = order[-tied:]
            if last == tuple(sorted(last)):
                yield (*((seat,) for seat in order[:-tied]), last)


def game(seats: int, out: tuple[int, ...], emptied: tuple[int, ...], *, teams: bool) -> Game:
    begun = opening("durak", settled(Options(rules="fr", teams=teams), seats), seats)
    bout = Bout(3, 3, 2, 15, 15, 6, 3, 3) if emptied else None
    deal: Any = Deal(
        version=2,
        dealer=0,
        shown="6S",
        shown_sure=True,
        given=0,
        knowledge=None,
        counts=(6,) * seats,
        holding=0,
        stock=0,
        leader=3,
        out=out,
        emptied=emptied,
        bout=bout,
    )
    return replace(begun, deal=deal)


def can_end(seats: int, places: Places, durak: int | None, *, teams: bool) -> bool:
    """Tell it in the rules' words: one is left, or all who are left tie, or one side is."""
    last = places[-1]
    if durak is None:
        return len(last) > 1 and not (teams and len({seat % 2 for seat in last}) == 1)
    sides_left = teams and sorted(last) in ([0, 2], [1, 3]) and seats == 4
    return durak in last and (len(last) == 1 or sides_left)


@pytest.mark.parametrize(
    ("seats", "teams"), [(2, False), (3, False), (4, False), (4, True), (5, False)]
)
def test_result__can_be_what_leaves_one_a_side_or_a_tie(seats: int, *, teams: bool) -> None:
    begun = game(seats, (), (), teams=teams)
    for places in groupings(seats):
        for durak in (None, *range(seats)):
            wanted = can_end(seats, places, durak, teams=teams)
            assert well_formed(begun, places, durak) is wanted, (places, durak)


@pytest.mark.parametrize("teams", [False, True])
@pytest.mark.parametrize(("out", "emptied"), MOMENTS)
def test_endings__are_every_order_that_agrees_with_the_deal(
    out: tuple[int, ...], emptied: tuple[int, ...], *, teams: bool
) -> None:
    begun = game(4, out, emptied, teams=teams)
    wanted = {
        (durak, places)
        for places in groupings(4)
        for durak in (None, *range(4))
        if can_end(4, places, durak, teams=teams)
        and agrees(begun.deal, Result(places=places, durak=durak))
    }
    listed = [(durak, one) for durak, orders in endings(begun) for one in orders]
    assert set(listed) == wanted
    assert len(listed) == len(wanted)
    assert all(orders for _, orders in endings(begun))


def test_endings__between_deals_are_all_there_can_be() -> None:
    free = replace(game(3, (), (), teams=False), deal=None)
    listed = {(durak, one) for durak, orders in endings(free) for one in orders}
    assert listed == {
        (durak, places)
        for places in groupings(3)
        for durak in (None, 0, 1, 2)
        if can_end(3, places, durak, teams=False)
    }


@pytest.mark.parametrize(
    "places", [((0,), (1,)), ((0,), (1,), (1,)), ((0, 1), (2,)), ((0,), (1,), (2,), (3,))]
)
def test_result__names_each_seat_once_and_none_but_the_last_together(places: Places) -> None:
    assert not well_formed(game(3, (), (), teams=False), places, places[-1][0])
