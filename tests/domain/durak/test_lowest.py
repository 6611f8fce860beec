"""The lowest trump of all hands, where nobody named it: one reading a trump it can be."""

from domain.durak.lowest import LowestHeld
from domain.inference import Held, RuledOut

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
