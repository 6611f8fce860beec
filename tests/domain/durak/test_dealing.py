from collections import Counter

import pytest

from domain.durak.lowest import LowestHeld
from domain.durak.proof import learn_deal
from domain.durak.state import STOCK, UNDER
from domain.inference import Held, RuledOut
from schemas.durak import Deal

# --- durak.deal


@pytest.mark.parametrize("unsure", [True, False], ids=["unsure", "sure"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_deal__as_many_cards_are_known_of_at_each_place_as_lie_there(
    seats: int,
    unsure: bool,  # noqa: FBT001 of the deal
) -> None:
    known = learn_deal(Deal(dealer=0, trump="9S", unsure=unsure), seats, 2)
    assert known is not None
    world = known.world
    lying = Counter({place: cards.bit_count() for place, cards in world.known.items()})
    for pool in world.pools:
        lying[pool.place] += pool.assignment.bit_count()
    stock = {UNDER: 1, STOCK: 35 - 6 * seats} if seats < 6 else {}
    assert +lying == {**dict.fromkeys(range(seats), 6), **stock}


FIRST_LEAD = "durak.first-lead"
SIX, SEVEN = 1, 2
SHOWN = LowestHeld(
    place=0,
    cards=SIX | SEVEN,
    clause=FIRST_LEAD,
    about=(0, "S"),
    version=3,
    hands=(0, 1),
    upward=(SIX, SEVEN),
)


def test_lowest__of_the_lowest_trump_nothing_else_is_read() -> None:
    assert SHOWN.alternatives()[0] == (Held(0, SIX, 3),)


def test_lowest__of_a_higher_trump_it_is_read_that_no_hand_holds_a_lower_one() -> None:
    none_lower = [RuledOut(hand, SIX, FIRST_LEAD, (0, "S"), 3) for hand in (0, 1)]
    assert SHOWN.alternatives()[1] == (Held(0, SEVEN, 3), *none_lower)
