"""Trumps, leads, following suit and who takes a trick, clause by clause."""

from itertools import product

import pytest

from domain.euchre.state import AWAY, STOCK, TABLE, TURNED
from domain.euchre.trumps import pack, trumps
from domain.table.cards import SUITS

# --- euchre.trump-order


# --- euchre.trick


def test_places__of_cards_are_no_two_the_same() -> None:
    assert len({0, 1, STOCK, TURNED, AWAY, TABLE}) == 6


@pytest.mark.parametrize("deck", [24, 25, 32])
@pytest.mark.parametrize("trump", SUITS)
def test_trump_order__of_two_cards_of_a_suit_one_beats_the_other_and_none_itself(
    deck: int, trump: str
) -> None:
    order = trumps(deck, trump)
    for one, other in product(pack(deck).copies, repeat=2):
        if order.suit_of[one] == order.suit_of[other]:
            won = [order.beats(one, other), order.beats(other, one)]
            assert sorted(won) == [False, one != other]
