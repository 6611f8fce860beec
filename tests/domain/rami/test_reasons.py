from typing import Any

import pytest
from msgspec.structs import replace

from domain.rami.state import PILE, DiscardedCard
from domain.replay import opening as opening_of
from domain.table import judgement
from domain.table.refusal import Refusal
from schemas.rami import Deal, Draw, Options
from tests.domain.rami.entries import (
    ROYAL,
    deal,
    draw,
    facts,
    gone_out,
    meld,
    opened,
    result,
    throw,
    turn,
)

# Seat 1 has opened with a run (1) and a set (2), and has drawn again.
# Three players: seat 1 is out, seat 0 had opened, seat 2 had not.
THREE = [deal(dealer=2), *gone_out()[1:]]


# Seat 1 of three is out; seat 0 (two cards) and seat 2 (five cards) had opened.
COUNTING = [
    *THREE[:4],
    draw(1),
    meld(1, ROYAL),
    throw(1, "9D"),
    draw(2),
    meld(2, "TH JH QH KH AH", "2C 3C 4C"),
    throw(2, "9C"),
    *turn(0, "9S"),
    draw(1),
    meld(1, "2S 3S 4S 5S 6S", "5D 6D 7D 8D"),
]


def test_ranking__fewest_points_are_first() -> None:
    game = opening_of("rami", Options(), 2)
    assert game.rules.ranking(replace(game, totals=(20, 10))) == ((1,), (0,))


TOP = DiscardedCard("9H", PILE, 2)


@pytest.mark.parametrize("below", [None, (TOP, None)], ids=["no pile", "its top alone"])
def test_stock_empty__there_is_no_card_to_draw(below: Any) -> None:  # noqa: ANN401 a pile
    before = opening_of("rami", Options(reshuffle="keep_top"), 2, exact=False)
    begun = judgement.judge(before, Deal(dealer=0, up="2H"), 2)
    assert not isinstance(begun, Refusal)
    spent = replace(begun, deal=replace(begun.deal, stock=0, pile=below))
    refusal = judgement.refuse(spent, Draw(seat=1), 3)
    assert refusal is not None
    assert (refusal.rule, refusal.facts) == ("rami.stock-empty", {"seat": 1})


def test_result__it_is_told_in_numbers_which_hand_cannot_be_one_by_itself_first() -> None:
    def refusal_facts(*points: int) -> dict[str, object]:
        first, last = points
        return facts(*COUNTING, result(1, opened(first), None, opened(last)), seats=3)

    too_many = {"why": "too many points"}
    assert refusal_facts(20, 1000) == {
        "seat": 2,
        "points": 1000,
        "holding": 5,
        "most": 91,
        **too_many,
    }
    assert refusal_facts(1000, 20) == {
        "seat": 0,
        "points": 1000,
        "holding": 2,
        "most": 40,
        **too_many,
    }
    assert refusal_facts(1000, 2000)["seat"] == 0
    # Two jokers in one hand and four in the other: each alone would be possible.
    alone = {"seat": 0, "points": 40, "holding": 2, "why": "no such points"}
    assert refusal_facts(40, 90) == alone
