"""The opening, and what only a player who has opened may do."""

import pytest

from tests.domain.rami.entries import (
    ROYAL,
    accepted,
    add,
    count,
    deal,
    draw,
    meld,
    opening,
    refused,
    result,
    swap,
    throw,
    turn,
)

START = [deal(), draw(1)]


def test_opening__with_exactly_51_points_is_accepted() -> None:
    accepted(*START, meld(1, ROYAL))
    accepted(*START, meld(1, "QH KH AH", "5S 5H 5D", "AC 2C 3C"), opening=50)


def test_opening__with_fewer_points_is_refused() -> None:
    refused(*START, meld(1, "QH KH AH", "6S 6H 6D"), by="rami.opening")
    refused(*START, meld(1, ROYAL), by="rami.opening", opening=52)


def test_opening__is_one_entry_of_a_whole_group_a_second_comes_too_late_refused() -> None:
    refused(*START, meld(1, "QH KH AH"), by="rami.opening")


def test_opening__of_no_points_still_needs_a_run() -> None:
    accepted(*START, meld(1, "2S 3S 4S"), opening=0)
    refused(*START, meld(1, "2S 2H 2D"), by="rami.opening-run", opening=0)


def test_opening_run__without_a_joker_is_accepted() -> None:
    accepted(*START, meld(1, "QH KH AH", "JS JH J?*"))
    accepted(*START, meld(1, "QH KH* AH", "JS JH JD"), pure_run="any_run")


def test_opening_run__with_a_joker_only_or_none_is_refused() -> None:
    refused(*START, meld(1, "QH KH* AH", "JS JH JD"), by="rami.opening-run")
    refused(*START, meld(1, "AS AH AD", "JS JH JD"), by="rami.opening-run", pure_run="any_run")


def test_opening__that_the_table_let_pass_opens_nothing() -> None:
    low = [*START, meld(1, "2S 3S 4S", waive=["rami.opening"])]
    refused(*low, add(1, 1, "5S"), by="rami.opened-first")
    again = [*low, throw(1, "9H"), *turn(0, "9D"), draw(1)]
    refused(*again, meld(1, "2C 3C 4C"), by="rami.opening")
    accepted(*again, meld(1, ROYAL), add(1, 1, "5S"))


def test_opening__with_a_waiver_that_nothing_needs_opens() -> None:
    accepted(*START, meld(1, ROYAL, waive=["table.turn"]), add(1, 1, "9C"))


def test_opening__out_of_turn_opens_nothing() -> None:
    out = [deal(), meld(0, ROYAL, waive=["table.turn", "rami.draw-first"]), draw(0)]
    refused(*out, add(0, 1, "9C"), by="rami.opened-first")


@pytest.mark.parametrize("waived", [["rami.opening"], ["rami.opening-run"]])
def test_opening__that_breaks_two_clauses_with_one_waived_is_refused(waived: list[str]) -> None:
    other = "rami.opening-run" if waived == ["rami.opening"] else "rami.opening"
    refused(*START, meld(1, "2S 2H 2D", waive=waived), by=other)


def test_opened_first__adding_and_swapping_in_the_turn_of_the_opening_is_accepted() -> None:
    laid = [*opening("5S 6S* 7S"), draw(0), meld(0, "TS JS QS KS AS")]
    accepted(*laid, add(0, 1, "9C"))
    accepted(*laid, swap(0, 2, "6S"))


def test_opened_first__without_having_opened_is_refused() -> None:
    closed = [*opening("5S 6S* 7S"), draw(0)]
    refused(*closed, add(0, 1, "9C"), by="rami.opened-first")
    refused(*closed, swap(0, 2, "6S"), by="rami.opened-first")
    accepted(*closed, add(0, 1, "9C", waive=["rami.opened-first"]))


def test_loser_closed__scores_what_was_agreed() -> None:
    three = result(0, None, {"opened": False}, {"opened": True, "points": 7})
    assert accepted(three, seats=3)["deals"] == [[0, 100, 7]]
    assert accepted(three, seats=3, not_opened=50)["deals"] == [[0, 50, 7]]


def test_dry__every_loser_scores_it_when_none_had_opened() -> None:
    dry = result(2, {"opened": False}, {"opened": False}, None)
    assert accepted(dry, seats=3)["deals"] == [[200, 200, 0]]
    assert accepted(dry, seats=3, dry=0)["deals"] == [[0, 0, 0]]


def test_dry__not_when_one_loser_had_opened() -> None:
    one = result(2, {"opened": False}, {"opened": True, "points": 2}, None)
    assert accepted(one, seats=3)["deals"] == [[100, 2, 0]]


def test_loser_opened__counts_the_hand_as_in_the_source() -> None:
    source = result(
        3,
        {"opened": True, "cards": ["KS", "QS", "JS"]},
        {"opened": True, "cards": ["XX", "5H"]},
        {"opened": True, "cards": ["7C", "TD", "3H", "AS"]},
        None,
    )
    assert accepted(source, seats=4)["deals"] == [[30, 25, 31, 0]]
    assert accepted(source, seats=4, joker_in_hand=50)["deals"] == [[30, 55, 31, 0]]


def test_loser_closed__a_loser_whose_layings_the_table_let_pass_is_closed() -> None:
    log = [*opening("5S 6S 7S", "2D 3D 4D"), draw(0)]  # seat 1 holds two cards
    log += [meld(0, "TS JS QS", waive=["rami.opening"]), throw(0, "9D"), draw(1)]
    assert accepted(*log, add(1, 2, "8S 9S"), throw(1, "2S"))["deals"] == [[200, 0]]


def test_loser_opened__what_lies_on_the_table_does_not_count() -> None:
    log = [*opening("5S 6S 7S", "2D 3D 4D"), draw(0), meld(0, "TS JS QS KS AS"), throw(0, "9D")]
    out = [*log, draw(1), add(1, 2, "8S 9S"), throw(1, "2S")]
    assert accepted(*out, count(0, points=60))["deals"] == [[60, 0]]
