import pytest

from domain.inference.counting import CardKind, Pools, TotalBounds, Unit, kinds_of, units_of
from domain.inference.worlds import TokenPool, Total, World

COUNTED, NOT_COUNTED = Unit({1: 2}, (), (0,)), Unit({2: 1}, (), ())
KINDS = (CardKind(0b0011, (5,), (0,)), CardKind(0b0100, (2,), (0, 1)), CardKind(0b1000, (9,), (1,)))
REACH = TotalBounds((COUNTED, NOT_COUNTED), KINDS, 1)


def test_reach__knows_which_units_count_for_a_total() -> None:
    assert TotalBounds((NOT_COUNTED, COUNTED, COUNTED), KINDS, 2).counting == [[1, 2], []]


@pytest.mark.parametrize(
    ("kind", "room", "least", "most"),
    [(0, 0, 0, 0), (0, 1, 2, 5), (0, 2, 7, 10), (0, 3, 12, 12), (1, 1, 2, 2), (2, 0, 0, 0)],
)
def test_reach__is_from_the_least_to_the_most_that_so_many_cards_are_worth(
    kind: int, room: int, least: int, most: int
) -> None:
    reached = [points for points in range(-1, 20) if REACH.reaches(0, kind, room, points)]
    assert reached == [*range(least, most + 1)]


@pytest.mark.parametrize(("kind", "room"), [(0, 4), (1, 2), (2, 1), (3, 1)])
def test_reach__is_nothing_where_there_are_not_so_many_cards(kind: int, room: int) -> None:
    assert not any(REACH.reaches(0, kind, room, points) for points in range(20))


ALIKE = (TokenPool(1, 0b0111, 0b0001), TokenPool(2, 0b0111, 0b0110), TokenPool(3, 0b1111, 0b1000))


def test_units__places_whose_cards_may_be_the_same_are_one() -> None:
    assert units_of([World(ALIKE, {}, 0b1111)]) == [
        Unit({1: 1, 2: 2}, (Pools((0b0111,), (3,)),), ()),
        Unit({3: 1}, (Pools((0b1111,), (1,)),), ()),
    ]


def test_units__places_that_count_for_other_totals_are_not_one() -> None:
    totals = (Total(frozenset({2}), (1, 1, 1, 1), 2),)
    found = units_of([World(ALIKE, {}, 0b1111, totals)])
    assert [(list(unit.sizes), unit.totals) for unit in found] == [
        ([1], ()),
        ([2], (0,)),
        ([3], ()),
    ]


def test_units__places_of_unlike_pools_are_not_one() -> None:
    pools = [
        TokenPool(place, may, has)
        for place, one, other in ((1, 0b0001, 0b0100), (2, 0b0010, 0b1000))
        for may, has in ((0b0011, one), (0b1111, other))
    ]
    pools_each = (Pools((0b0011, 0b1111), (1, 1)),)
    assert units_of([World(tuple(pools), {}, 0b1111)]) == [
        Unit({1: 2}, pools_each, ()),
        Unit({2: 2}, pools_each, ()),
    ]


def test_units__pools_of_a_place_that_differ_in_cards_seen_only_are_one() -> None:
    pools = (TokenPool(1, 0b0011, 0b0001), TokenPool(1, 0b0111, 0b0010))
    assert units_of([World(pools, {2: 0b0100}, 0b0011)]) == [
        Unit({1: 2}, (Pools((0b0011,), (2,)),), ())
    ]


def test_units__are_told_apart_by_every_world() -> None:
    other = (
        TokenPool(1, 0b0001, 0b0001),
        TokenPool(2, 0b0111, 0b0110),
        TokenPool(3, 0b1111, 0b1000),
    )
    found = units_of([World(ALIKE, {}, 0b1111), World(other, {}, 0b1111)])
    assert [list(unit.sizes) for unit in found] == [[1], [2], [3]]


def test_kinds__are_cards_of_the_same_units_those_that_fewest_may_have_first() -> None:
    worlds = [World(ALIKE, {}, 0b1111)]
    assert kinds_of(worlds, units_of(worlds)) == [
        CardKind(0b1000, (), (1,)),
        CardKind(0b0111, (), (0, 1)),
    ]


def test_kinds__are_worth_the_same_where_points_were_promised() -> None:
    totals = (Total(frozenset({3}), (4, 4, 7, 1), 4),)
    worlds = [World(ALIKE, {}, 0b1111, totals)]
    assert kinds_of(worlds, units_of(worlds)) == [
        CardKind(0b1000, (1,), (1,)),
        CardKind(0b0100, (7,), (0, 1)),
        CardKind(0b0011, (4,), (0, 1)),
    ]
