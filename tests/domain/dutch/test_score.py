"""Reveals, results and points, clause by clause."""

import pytest

from domain.dutch.score import values
from tests.domain.dutch.entries import (
    ALL_TURNS,
    EMPTIED,
    THREE_EIGHTS,
    Entry,
    accepted,
    counter,
    deal,
    draw,
    dutch,
    facts,
    refused,
    result,
    reveal,
    snap,
    swap,
    turn,
)

CALLED = [deal(), *turn(1, "8S"), dutch(1)]
COUNTERED = [*CALLED, counter(2)]


# --- dutch.values


@pytest.mark.parametrize(
    ("cards", "worth"),
    [("AS 2S 3S 4S", 10), ("TS JS QS KS", 46), ("KH KD KC AS", 27), ("5H 6D 7C 8C", 26)],
)
def test_values__of_a_row_shown(cards: str, worth: int) -> None:
    log = [deal("9S"), dutch(1), *turn(2, "9H"), *turn(0, "9D"), reveal(0, cards)]
    log = [*log, reveal(1, points=20), reveal(2, points=20)]
    assert accepted(*log)["totals"][0] == worth


@pytest.mark.parametrize(("red_kings", "worth"), [("hearts", 15), ("both", 2)])
def test_values__of_the_red_kings_as_the_table_says(red_kings: str, worth: int) -> None:
    turns = [entry for seat in range(1, 5) for entry in turn(seat, f"{seat + 1}S")]
    shown = [reveal(1, "KH KD AS AC"), *(reveal(seat, points=20) for seat in (0, 2, 3, 4))]
    log = [deal(dealer=4), dutch(0), *turns, *shown]
    assert accepted(*log, seats=5, red_kings=red_kings)["totals"][1] == worth


# --- dutch.score-caller, dutch.score-counter, dutch.score-empty


@pytest.mark.parametrize(
    ("tie", "totals", "points"),
    [
        ("caller", (5, 9, 12), [0, 9, 12]),
        ("caller", (9, 9, 12), [0, 9, 12]),
        ("others", (9, 9, 12), [18, 9, 12]),
        ("caller", (10, 9, 12), [20, 9, 12]),
        ("others", (8, 9, 12), [0, 9, 12]),
    ],
)
def test_score_caller__lowest_nothing_else_double(
    tie: str, totals: tuple[int, ...], points: list[int]
) -> None:
    assert accepted(result(0, *totals), tie=tie)["deals"] == [points]


def test_score_caller__of_rows_revealed() -> None:
    log = [*ALL_TURNS, reveal(1, "AS AH AD AC"), reveal(0, "TS TH TD TC"), reveal(2, points=30)]
    assert accepted(*log)["deals"] == [[40, 0, 30]]


@pytest.mark.parametrize(
    ("totals", "points"),
    [((5, 4, 12), [10, 0, 12]), ((5, 5, 12), [0, 10, 12]), ((5, 9, 3), [0, 18, 3])],
)
def test_score_counter__strictly_below_the_caller_or_double(
    totals: tuple[int, ...], points: list[int]
) -> None:
    assert accepted(result(0, *totals, counter=1))["deals"] == [points]


def test_score_counter__of_rows_revealed() -> None:
    log = [*COUNTERED, *turn(0, "3S"), reveal(0, points=30), reveal(1, points=12)]
    assert accepted(*log, reveal(2, points=11))["deals"] == [[30, 24, 0]]
    assert accepted(*log, reveal(2, points=12))["deals"] == [[30, 0, 24]]


def test_score_empty__the_empty_row_scores_nothing_and_others_what_is_left() -> None:
    assert accepted(result(None, 0, 9, 12))["deals"] == [[0, 9, 12]]


def test_score_empty__a_row_emptied_after_the_call_is_simply_worth_nothing() -> None:
    log = [*THREE_EIGHTS, dutch(1), *turn(2, "7S"), snap(0, 3, "7H"), reveal(1, "AS AD AC 2S")]
    assert accepted(*log, reveal(2, "KS KD KC TS"))["deals"] == [[0, 10, 49]]


def test_score_empty__when_nobody_has_cards_the_deal_ends_by_itself() -> None:
    log = [deal("9S"), *turn(1, "8S"), snap(0, 0, "8H"), snap(0, 1, "8D"), snap(0, 2, "8C")]
    log += [*turn(0, "7S"), snap(1, 0, "7H"), snap(1, 1, "7D"), snap(1, 2, "7C")]
    log += [*turn(1, "6S"), dutch(1), snap(0, 3, "6H")]
    assert accepted(*log, seats=2)["to_act"] == [1]
    assert accepted(*log, snap(1, 3, "6D"), seats=2)["deals"] == [[0, 0]]


# --- dutch.win


def test_win__at_the_target_the_lowest_total_is_best() -> None:
    assert accepted(result(0, 0, 20), seats=2, target=20)["finished"]
    assert not accepted(result(0, 0, 19), seats=2, target=20)["finished"]


def test_win__after_so_many_deals() -> None:
    log = [result(0, 1, 2), result(1, 2, 1)]
    assert accepted(*log, seats=2, target=None, deals=2)["finished"]
    assert not accepted(*log, seats=2, target=None, deals=3)["finished"]


def test_win__with_neither_only_finish_ends_the_game() -> None:
    log = [result(0, 0, 150), result(0, 0, 150)]
    assert not accepted(*log, seats=2, target=None)["finished"]
    finish = {"type": "finish", "reason": "late"}
    assert accepted(*log, finish, seats=2, target=None)["finished"]


# --- reveals: cards.count, table.turn, cards.impossible


def test_cards_count__a_row_in_part_with_its_points_is_accepted() -> None:
    accepted(*ALL_TURNS, reveal(2, "4S ?? 4D 4C", points=15))


@pytest.mark.parametrize("cards", ["4S 4H 4D", "4S 4H 4D 4C 5C", "4S 4S 4D 4C"])
def test_cards_count__a_row_that_is_not_as_long_or_names_a_card_twice_is_refused(
    cards: str,
) -> None:
    refused(*ALL_TURNS, reveal(2, cards), by="cards.count")


def test_cards_count__totals_for_another_number_of_seats_are_refused() -> None:
    refused(result(0, 5, 9), by="cards.count")


def test_table_turn__rows_in_any_order_are_accepted() -> None:
    accepted(*ALL_TURNS, reveal(2, points=20), reveal(0, points=20))


def test_table_turn__a_draw_out_of_turn_is_refused_and_waived_play_goes_on_from_there() -> None:
    refused(deal(), draw(2), by="table.turn")
    log = [deal(), draw(2, waive=["table.turn"]), swap(2, 0, "5S")]
    assert accepted(*log)["to_act"] == [0]


@pytest.mark.parametrize("points", [2, 52, -1])
def test_cards_impossible__points_that_no_four_cards_are_worth_are_refused(points: int) -> None:
    refused(*ALL_TURNS, reveal(2, points=points), by="cards.impossible")


def test_cards_impossible__the_lowest_points_of_four_cards_are_accepted() -> None:
    accepted(*ALL_TURNS, reveal(2, points=3))


def test_cards_impossible__points_that_are_not_possible_together_are_refused() -> None:
    log = [*ALL_TURNS, reveal(2, points=3)]  # the king of hearts and three aces
    refused(*log, reveal(1, points=6), by="cards.impossible", contradicts=len(log) - 1)
    accepted(*log, reveal(1, points=8))


def test_cards_impossible__points_against_a_card_known_in_the_row_are_refused() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 0, "KS"), dutch(2), *turn(0, "2S"), *turn(1, "3S")]
    refused(*log, reveal(2, points=10), by="cards.impossible", contradicts=3)
    accepted(*log, reveal(2, points=18))


# --- table.result


@pytest.mark.parametrize(
    "entry",
    [
        result(None, 3, 9, 12),
        result(None, 0, 9, 12, counter=1),
        result(1, 5, 9, 12, counter=1),
        result(1, -5, 9, 12),
        result(1, 352, 0, 0),
        result(None, 0, 0, 0),
    ],
)
def test_table_result__what_no_deal_ends_with_is_refused(entry: Entry) -> None:
    refused(entry, by="table.result")


def test_table_result__five_rows_worth_one_are_refused() -> None:
    refused(result(0, 1, 1, 1, 1, 1), by="table.result", seats=5)
    accepted(result(0, 0, 1, 1, 1, 1), seats=5)


def test_table_result__a_call_and_a_counter_recorded_are_repeated_and_accepted() -> None:
    accepted(*COUNTERED, result(1, 4, 5, 6, counter=2))


@pytest.mark.parametrize(
    "entry",
    [
        result(0, 4, 5, 6, counter=2),
        result(None, 0, 5, 6),
        result(1, 4, 5, 6),
        result(1, 4, 5, 6, counter=0),
        result(1, 4, 5, 6, counter=2, dealer=1),
    ],
)
def test_table_result__another_call_counter_or_dealer_than_recorded_is_refused(
    entry: Entry,
) -> None:
    refused(*COUNTERED, entry, by="table.result")


def test_table_result__a_call_to_come_is_accepted() -> None:
    for caller in range(3):
        accepted(deal(), draw(1), result(caller, 4, 5, 6, counter=(caller + 1) % 3))


def test_table_result__a_call_after_a_row_ran_empty_is_refused() -> None:
    refused(*EMPTIED, result(1, 0, 5, 6), by="table.result")
    accepted(*EMPTIED, result(None, 0, 15, 16))


def test_table_result__points_in_a_row_that_ran_empty_are_refused() -> None:
    log = [*EMPTIED, result(None, 15, 0, 16)]
    refused(*log, by="table.result")
    assert facts(*log) == {"why": "empty", "seat": 0, "points": 15}


def test_table_result__a_counter_whose_moments_have_passed_is_refused() -> None:
    log = [*CALLED, *turn(2, "2S")]
    accepted(*log, result(1, 4, 5, 6, counter=2))
    refused(*log, draw(0), result(1, 4, 5, 6, counter=2), by="table.result")
    accepted(*log, draw(0), result(1, 4, 5, 6, counter=0))
    fixed = [*ALL_TURNS, reveal(2, points=20)]
    refused(*fixed, result(1, 14, 15, 20, counter=0), by="table.result")


def test_table_result__an_empty_row_worth_something_is_refused() -> None:
    refused(*EMPTIED, result(None, 3, 5, 0), by="table.result")


def test_table_result__once_rows_are_fixed_totals_are_held_against_the_cards() -> None:
    log = [*ALL_TURNS, reveal(2, "4S 4H 4D 4C")]
    accepted(*log, result(1, 20, 21, 16))
    refused(*log, result(1, 20, 21, 17), by="table.result", contradicts=6)
    refused(*log, result(1, 2, 21, 16), by="table.result")
    accepted(*ALL_TURNS, result(1, 2, 21, 17))  # rows may still change: they are not fixed


def test_table_result__it_is_told_why_no_deal_ends_like_that() -> None:
    assert facts(result(None, 0, 5, 6, counter=1)) == {"why": "uncalled", "seat": 1}
    assert facts(result(None, 4, 5, 6)) == {"why": "nobody"}
    assert facts(result(1, 4, 5, 6, counter=1)) == {"why": "own", "seat": 1}
    assert facts(result(None, 0, 5, 10_000)) == {"why": "totals"}


def test_table_result__it_is_told_which_row_is_empty_and_not_who_holds_cards() -> None:
    snaps = [snap(2, slot, card) for slot, card in enumerate(("8H", "8D", "8C"))]
    log = [deal(), *turn(1, "8S"), *snaps, *turn(2, "7S"), snap(2, 3, "7H")]
    told = facts(*log, result(None, 0, 16, 3))
    assert told == {"why": "empty", "seat": 2, "points": 3}


def test_table_result__it_is_told_that_a_counter_comes_too_late() -> None:
    log = [*CALLED, *turn(2, "2S"), draw(0), result(1, 4, 5, 6, counter=2)]
    assert facts(*log) == {"why": "too late", "seat": 2}


def test_table_result__a_row_may_hold_every_card_of_the_pack_and_no_more() -> None:
    most = sum(values("hearts"))
    accepted(result(0, most, 0, 0))
    refused(result(0, most, 1, 0), by="table.result")


@pytest.mark.parametrize(
    ("log", "entry", "told"),
    [
        (COUNTERED, result(0, 4, 5, 6, counter=2), {"why": "called", "seat": 1}),
        (COUNTERED, result(1, 4, 5, 6, dealer=1), {"why": "dealer", "dealer": 0}),
        (COUNTERED, result(1, 4, 5, 6), {"why": "countered", "seat": 2}),
        (COUNTERED, result(1, 4, 5, 6, counter=0), {"why": "countered", "seat": 2}),
        (EMPTIED, result(1, 0, 5, 6), {"why": "not called"}),
        (EMPTIED, result(None, 0, 5, 6, dealer=2), {"why": "dealer", "dealer": 0}),
        (ALL_TURNS[:-1], result(1, 4, 5, 6, counter=2), {"why": "too late", "seat": 2}),
    ],
)
def test_table_result__it_is_told_what_the_record_contradicts(
    log: list[Entry], entry: Entry, told: dict[str, object]
) -> None:
    assert facts(*log, entry) == told
