from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from domain.durak.result import endings, fits_record, well_formed
from domain.durak.roles import may_still_add, seat_to_add
from domain.durak.score import Places, outcome_if_over
from domain.durak.state import Bout, Deal
from domain.replay import opening
from domain.table.rules import Game
from schemas.durak import Options, Result, complete_options

# Seats that are out, and seats that emptied their hands in the bout.
MOMENTS = [((), ()), ((1,), ()), ((1,), (0,)), ((0, 2), (1,)), ((), (1, 0))]


def groupings(seats: int) -> Iterator[Places]:
    for order in permutations(range(seats)):
        for tied in range(1, seats + 1):
            last = order[-tied:]
            if last == tuple(sorted(last)):
                yield (*((seat,) for seat in order[:-tied]), last)


def game(seats: int, out: tuple[int, ...], emptied: tuple[int, ...], *, teams: bool) -> Game:
    begun = opening("durak", complete_options(Options(rules="fr", teams=teams), seats), seats)
    bout = Bout(3, 3, 2, 15, 15, 6, 3, 3) if emptied else None
    deal: Any = Deal(
        version=2,
        dealer=0,
        shown="6S",
        shown_sure=True,
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
    last = places[-1]
    if durak is None:
        return len(last) > 1 and not (teams and len({seat % 2 for seat in last}) == 1)
    sides_left = teams and sorted(last) in ([0, 2], [1, 3]) and seats == 4
    return durak in last and (len(last) == 1 or sides_left)


def follows(
    places: Places, durak: int | None, out: tuple[int, ...], emptied: tuple[int, ...]
) -> bool:
    tied = durak is None and len(places) == len(out) + 1
    first = out if tied else (*out, *emptied)
    return places[: len(first)] == tuple((seat,) for seat in first)


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
        if can_end(4, places, durak, teams=teams) and follows(places, durak, out, emptied)
    }
    for places in groupings(4):
        for durak in (None, *range(4)):
            told = fits_record(begun.deal, Result(places=places, durak=durak))
            assert told is follows(places, durak, out, emptied)
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


@pytest.mark.parametrize(
    ("holding", "teams", "over"),
    [
        (0b0101, True, True),
        (0b1010, True, True),
        (0b0100, True, True),
        (0b0110, True, False),
        (0b0101, False, False),
        (0b1000, False, True),
        (0b0000, False, True),
    ],
)
def test_end__is_when_two_players_or_two_teams_no_longer_hold_cards(
    holding: int, *, teams: bool, over: bool
) -> None:
    begun = game(4, (), (), teams=teams)
    deal = replace(begun.deal, holding=holding)
    assert (outcome_if_over(begun, deal, (0, 1, 2, 3)) is not None) is over


@pytest.mark.parametrize(
    ("word", "holding", "has_it"), [(0, 0b111, 0), (0, 0b110, 2), (2, 0b011, 0), (0, 0b010, None)]
)
def test_word__passes_over_who_holds_no_card(word: int, holding: int, has_it: int | None) -> None:
    adders = 0b101
    assert seat_to_add(Bout(0, 0, 1, 0b111, adders, 6, word, 0), holding) == has_it


def test_adding__ends_with_the_cards_of_those_who_may_or_with_the_room_there_is() -> None:
    bout = Bout(0, 0, 1, 0b111, 0b101, 1, 0, 0)
    assert may_still_add(bout, 0b100)
    assert not may_still_add(bout, 0b010)
    assert not may_still_add(replace(bout, pairs=(("9H", None),)), 0b100)
