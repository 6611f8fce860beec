"""What tells cards apart, worlds that are alike, and what a signature lacks where more are told."""

import pytest

from domain.inference.symmetry import described, further, refined, signature
from domain.inference.worlds import TokenPool, World

CELLS = {0: 0b1111}


def test_further__counts_the_cards_by_the_part_they_were_told_apart_in() -> None:
    assert further(CELLS, (0b0011,), 0b0110) == ((0, 0, 1), (1, 0, 1))


def test_further__is_nothing_where_they_were_told_apart_already() -> None:
    assert further(CELLS, (0b0011,), 0b0011) == ()


def test_further__counts_cards_outside_all_parts_alone() -> None:
    assert further(CELLS, (0b0001,), 0b1100) == ((0, 0, 2),)


@pytest.mark.parametrize(
    ("parts", "cards", "refined_to"),
    [
        ((), (0b0110,), [0b0110]),
        ((0b0110,), (0b0110,), [0b0110]),
        ((0b0011,), (0b0110,), [0b0001, 0b0010, 0b0100]),
        ((0b0011,), (0b1100,), [0b0011, 0b1100]),
        ((0b0011, 0b1100), (0b0110,), [0b0001, 0b0010, 0b0100, 0b1000]),
        ((), (0b0011, 0b0110), [0b0001, 0b0010, 0b0100]),
    ],
)
def test_refined__splits_what_is_inside_from_what_is_outside(
    parts: tuple[int, ...], cards: tuple[int, ...], refined_to: list[int]
) -> None:
    assert sorted(refined(parts, cards)) == refined_to


# One card may lie at both places, one only at the first, two only at the second.
MIXED = World((TokenPool(1, 0b0011, 0b0001), TokenPool(2, 0b1110, 0b1110)), {}, 0b1111)


def test_described__cells_are_the_cards_that_the_same_pools_may_have() -> None:
    cells = described(MIXED, ())[1]
    assert {where: cards for where, cards in cells.items() if cards} == {
        0b01: 0b0001,
        0b11: 0b0010,
        0b10: 0b1100,
    }


def test_described__cards_that_no_pool_may_have_are_a_cell_of_their_own() -> None:
    cells = described(World((TokenPool(1, 0b01, 0b01),), {}, 0b11), ())[1]
    assert cells == {0: 0b10, 1: 0b01}


def test_signature__counts_cards_by_part_and_cell_beside_the_tokens() -> None:
    tokens, counted = ((1, 1), (2, 3)), ((0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, 1))
    assert signature(MIXED, (0b0110,)) == (tokens, counted)


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        # The pools stand in another order.
        ((TokenPool(2, 0b1110, 0b1110), TokenPool(1, 0b0011, 0b0001)), True),
        # Another card may lie at both places.
        ((TokenPool(1, 0b1001, 0b0001), TokenPool(2, 0b1110, 0b1110)), True),
        # More may.
        ((TokenPool(1, 0b0111, 0b0001), TokenPool(2, 0b1110, 0b1110)), False),
        # The places hold other numbers of cards.
        ((TokenPool(1, 0b0011, 0b0011), TokenPool(2, 0b1110, 0b1100)), False),
        # The cards lie elsewhere.
        ((TokenPool(3, 0b0011, 0b0001), TokenPool(2, 0b1110, 0b1110)), False),
    ],
)
def test_signature__is_the_same_where_worlds_are_alike(
    other: tuple[TokenPool, ...], *, alike: bool
) -> None:
    assert (signature(World(other, {}, 0b1111), ()) == signature(MIXED, ())) == alike


def test_signature__pools_of_one_place_and_size_are_ordered_by_what_they_may_have_unseen() -> None:
    narrow, wide = TokenPool(1, 0b0001, 0b0001), TokenPool(1, 0b0110, 0b0010)
    one = World((narrow, wide), {}, 0b0111)
    assert signature(one, ()) == signature(one._replace(pools=(wide, narrow)), ())
