"""What a refusal tells beside its clause, and which clauses a table must waive."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rami.state import PILE, Thrown
from domain.replay import opening as opening_of
from domain.table import judgement
from domain.table.refusal import Refusal
from schemas.rami import Deal, Draw, Options
from tests.domain.rami.entries import (
    ROYAL,
    accepted,
    add,
    closed,
    count,
    deal,
    draw,
    facts,
    gone_out,
    meld,
    opened,
    opening,
    refused,
    result,
    swap,
    throw,
    turn,
)

# Seat 1 has opened with a run (1) and a set (2), and has drawn again.
TWO_THERE = [*opening("8S 8H 8D"), *turn(0, "3S"), draw(1)]
# Of three, seat 1 is out, seat 0 had opened and seat 2 had not.
THREE = [deal(dealer=2), *gone_out()[1:]]


def test_add__what_fits_no_set_is_let_pass_by_the_clause_of_sets() -> None:
    accepted(*TWO_THERE, add(1, 2, "2D", waive=["rami.set"]))
    refused(*TWO_THERE, add(1, 2, "2D", waive=["rami.run"]), by="rami.add")


def test_add__what_fits_no_run_is_let_pass_by_the_clause_of_runs() -> None:
    accepted(*TWO_THERE, add(1, 1, "2D", waive=["rami.run"]))
    refused(*TWO_THERE, add(1, 1, "2D", waive=["rami.set"]), by="rami.add")


def test_swap__it_is_told_that_no_joker_lies_there() -> None:
    assert facts(*TWO_THERE, swap(1, 1, "TC")) == {"meld": 1, "why": "joker"}


def test_count__it_is_told_why_a_hand_is_not_counted() -> None:
    assert facts(*THREE, count(1, points=5), seats=3)["why"] == "out"
    assert facts(*THREE, count(2, points=5), seats=3)["why"] == "closed"


def test_result__it_is_told_whose_hand_is_missing() -> None:
    assert facts(result(0, opened(5), None)) == {"seat": 0, "why": "hands"}


def test_result__it_is_told_who_dealt() -> None:
    assert facts(*opening(), result(1, closed(), None, dealer=1)) == {"dealer": 0, "why": "dealer"}


def test_result__it_is_told_who_is_out() -> None:
    told = facts(*gone_out(), result(0, None, opened(20)))
    assert told == {"seat": 0, "turn": 1, "why": "winner"}


def test_result__it_is_told_who_had_opened_and_who_had_not() -> None:
    assert facts(*opening(), result(0, None, closed())) == {"seat": 1, "why": "had opened"}
    assert facts(*gone_out(), result(1, closed(), None)) == {"seat": 0, "why": "had opened"}
    held = result(1, opened(12), None, opened(12))
    assert facts(*THREE, held, seats=3) == {"seat": 2, "why": "had not opened"}


# Of three, seat 1 is out; seat 0, who holds two cards, and seat 2, who holds five, had opened.
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


def test_result__may_name_the_cards_of_a_hand_that_was_counted_in_points() -> None:
    log = [*COUNTING, count(0, points=20)]
    accepted(*log, result(1, opened("KD QD"), None, opened(30)), seats=3)


KINGS = opened("KD KD 2H 3H 4H")


@pytest.mark.parametrize(
    ("counted", "resulting"),
    [
        (count(0, points=20), opened("KD QD")),
        (count(0, "KD QD"), opened(20)),
        (count(0, "KD QD"), opened("KD QD")),
    ],
)
def test_result__the_cards_of_a_hand_lie_in_no_other_whichever_entry_named_them(
    counted: dict[str, Any], resulting: dict[str, Any]
) -> None:
    log = [*COUNTING, counted]
    before = len(COUNTING) if "cards" in counted else None
    refused(*log, result(1, resulting, None, KINGS), by="table.result", contradicts=before, seats=3)
    accepted(*log, result(1, resulting, None, opened("KD QD 2H 3H 4H")), seats=3)


def test_result__it_is_told_which_points_no_hand_can_make() -> None:
    assert facts(result(0, None, opened(1))) == {"points": 1}
    assert facts(result(0, None, opened(7), opened(1)), seats=3, joker_in_hand=9) == {"points": 7}


def test_result__it_is_told_that_other_cards_of_a_hand_were_counted() -> None:
    log = [*COUNTING, count(0, "KD QD")]
    told = facts(*log, result(1, opened("JD TD"), None, opened(30)), seats=3)
    assert told == {"seat": 0, "points": 20, "why": "counted cards"}


def test_cards_seen__what_lies_elsewhere_is_named_among_cards_known_in_the_hand() -> None:
    others = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS"]
    held = ["TC", "JC", "QC", "KC", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD"]
    log = [deal(hands=[["AC", "AC", *others], held]), draw(1), meld(1, ROYAL)]
    refused(*log, by="cards.seen", contradicts=0)


def test_ranking__fewest_points_are_first() -> None:
    game = opening_of("rami", Options(), 2)
    assert game.rules.ranking(replace(game, totals=(20, 10))) == ((1,), (0,))


TOP = Thrown("9H", PILE, 2)


@pytest.mark.parametrize("below", [None, (TOP, None)], ids=["no pile", "its top alone"])
def test_stock_empty__there_is_no_card_to_draw(below: Any) -> None:  # noqa: ANN401 a pile
    before = opening_of("rami", Options(reshuffle="keep_top"), 2, exact=False)
    begun = judgement.judge(before, Deal(dealer=0, up="2H"), 2)
    assert not isinstance(begun, Refusal)
    spent = replace(begun, deal=replace(begun.deal, stock=0, pile=below))
    refusal = judgement.refuse(spent, Draw(seat=1), 3)
    assert refusal is not None
    assert (refusal.rule, refusal.facts) == ("rami.stock-empty", {"seat": 1})


def test_count__it_is_told_which_card_known_in_the_hand_was_left_out() -> None:
    held = ["TS", "JS", "QS", "KS", "AS", "2D", "3D", "4D", "6C", "7C", "KD", "QD", "8C"]
    log = [deal(dealer=1, hands=[held, None]), *gone_out()[1:], count(0, "KD JD")]
    lacks = {"seat": 0, "why": "lacks", "card": "QD"}
    assert facts(*log).items() >= lacks.items()
    refused(*log, by="cards.held", contradicts=0)


def test_result__a_hand_of_less_than_nothing_is_refused() -> None:
    refused(result(0, None, opened(-5)), by="table.result")


def test_count__of_several_cards_left_out_none_is_named() -> None:
    held = ["TS", "JS", "QS", "KS", "AS", "2D", "3D", "4D", "6C", "7C", "KD", "QD", "8C"]
    log = [deal(dealer=1, hands=[held, None]), *gone_out()[1:], count(0, "TD JD")]
    assert "why" not in facts(*log)
    refused(*log, by="cards.held", contradicts=0)


NINES = "9S 9S 2C 3C 4C 5H 6H 7S"


@pytest.mark.parametrize(
    ("one", "other", "card"),
    [
        (NINES, "9S 8H 2D 3D 4D 5D 6D 8C", "9S"),
        (NINES, "2C 2C 2D 3D 4D 5D 6D 8C", "2C"),
        ("9S 9S 2C 2C 4C 5H 6H 7S", "2C 8H 2D 3D 4D 5D 6D 8C", "2C"),
    ],
)
def test_cards_seen__it_is_told_which_card_two_hands_hold_too_often(
    one: str, other: str, card: str
) -> None:
    log = [
        deal(dealer=2),
        draw(0, "9S"),
        meld(0, "TS JS QS KS AS"),
        throw(0, "9H"),
        draw(1),
        meld(1, ROYAL),
        throw(1, "9D"),
        draw(2),
        meld(2, "TD JD QD KD AD", "2S 3S 4S 5S 6S", "7C 7D 7H"),
        throw(2, "8S"),
        count(0, one),
    ]
    assert facts(*log, count(1, other), seats=3)["card"] == card
    refused(*log, count(1, other), by="cards.seen", contradicts=10, seats=3)
    accepted(*log, count(1, "9C 8H 2D 3D 4D 5D 6D 8C"), seats=3)


def test_result__it_is_told_in_numbers_which_hand_cannot_be_one_by_itself_first() -> None:
    def told(*points: int) -> dict[str, object]:
        first, last = points
        return facts(*COUNTING, result(1, opened(first), None, opened(last)), seats=3)

    too_many = {"why": "too many points"}
    assert told(20, 1000) == {"seat": 2, "points": 1000, "holding": 5, "most": 91, **too_many}
    assert told(1000, 20) == {"seat": 0, "points": 1000, "holding": 2, "most": 40, **too_many}
    assert told(1000, 2000)["seat"] == 0
    # Two jokers here and four there: each by itself could be.
    alone = {"seat": 0, "points": 40, "holding": 2, "why": "no such points"}
    assert told(40, 90) == alone
