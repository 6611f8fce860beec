"""What a signature lacks where more cards are told apart."""

from domain.inference.symmetry import further

CELLS = {0: 0b1111}


def test_further__counts_the_cards_by_the_part_they_were_told_apart_in() -> None:
    assert further(CELLS, (0b0011,), 0b0110) == ((0, 0, 1), (1, 0, 1))


def test_further__is_nothing_where_they_were_told_apart_already() -> None:
    assert further(CELLS, (0b0011,), 0b0011) == ()


def test_further__counts_cards_outside_all_parts_alone() -> None:
    assert further(CELLS, (0b0001,), 0b1100) == ((0, 0, 2),)
