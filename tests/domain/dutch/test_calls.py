"""The call, the last round and the counter, clause by clause."""

import pytest

from tests.domain.dutch.entries import (
    ALL_TURNS,
    EMPTIED,
    THREE_EIGHTS,
    Entry,
    accepted,
    counter,
    deal,
    draw,
    drop,
    dutch,
    facts,
    refused,
    result,
    reveal,
    snap,
    take,
    turn,
)

TURN: Entry = {"waive": ["table.turn"]}
CALL = {"waive": ["dutch.call"]}
COUNTER = {"waive": ["dutch.counter"]}
CALLED = [deal(), *turn(1, "8S"), dutch(1)]


# --- dutch.call


def test_call__instead_of_drawing_is_accepted_and_gives_up_the_turn() -> None:
    assert accepted(deal(), dutch(1))["to_act"] == [2]


def test_call__when_the_own_turn_has_just_ended_is_accepted() -> None:
    assert accepted(*CALLED)["to_act"] == [2]


def test_call__with_a_card_in_hand_is_refused() -> None:
    refused(deal(), draw(1), dutch(1), by="dutch.call")


@pytest.mark.parametrize("seat", [0, 2])
def test_call__by_somebody_whose_turn_neither_begins_nor_ended_is_refused(seat: int) -> None:
    refused(deal(), dutch(seat), by="dutch.call")


def test_call__once_the_next_player_drew_is_refused() -> None:
    refused(deal(), *turn(1, "8S"), draw(2), dutch(1), by="dutch.call")


def test_call__a_second_one_is_refused_and_waived_changes_nothing() -> None:
    refused(*CALLED, dutch(2), by="dutch.call")
    answered = accepted(*CALLED, dutch(2, **CALL))
    assert answered["to_act"] == [2]
    log = [*CALLED, dutch(2, **CALL), *turn(2, "2S"), *turn(0, "3S")]
    accepted(*log, result(1, 4, 5, 6))


def test_call__waived_out_of_turn_begins_the_last_round_from_the_callers_left() -> None:
    assert accepted(deal(), dutch(0, **CALL))["to_act"] == [1]
    assert accepted(deal(), dutch(2, **CALL))["to_act"] == [0]


def test_call__waived_with_a_card_in_hand_lets_that_turn_be_finished_first() -> None:
    log = [deal(), draw(1), dutch(1, **CALL)]
    assert accepted(*log)["to_act"] == [1]
    assert accepted(*log, drop(1, "5S"))["to_act"] == [2]
    other = [deal(), draw(1), dutch(0, **CALL), drop(1, "5S")]
    assert accepted(*other)["to_act"] == [1]


def test_call__at_any_moment_is_accepted_where_the_table_plays_so() -> None:
    accepted(deal(), dutch(0), call="any")
    accepted(deal(), draw(1), dutch(2), call="any")
    refused(deal(), draw(1), dutch(2), by="dutch.call")


def test_call__at_any_moment_a_second_one_is_refused() -> None:
    refused(deal(), dutch(0), dutch(2), by="dutch.call", call="any")


def test_call__at_any_moment_after_a_row_ran_empty_is_refused() -> None:
    refused(*EMPTIED, dutch(1), by="table.phase", call="any")


# --- dutch.last-round


def test_last_round__after_a_call_in_a_turn_goes_from_its_players_left_and_back_to_that_one() -> (
    None
):
    log = [deal(), draw(1), dutch(0), drop(1, "5S")]
    assert accepted(*log, call="any")["to_act"] == [2]
    log += turn(2, "2S")
    assert accepted(*log, call="any")["to_act"] == [1]
    log += turn(1, "3S")
    assert accepted(*log, call="any")["to_act"] == [0, 1, 2]


def test_last_round__after_a_call_in_the_own_turn_goes_from_the_callers_left() -> None:
    log = [deal(), draw(1), dutch(1), drop(1, "5S"), *turn(2, "2S")]
    assert accepted(*log, call="any")["to_act"] == [0]
    assert accepted(*log, *turn(0, "3S"), call="any")["to_act"] == [0, 1, 2]


def test_last_round__after_a_call_between_turns_begins_with_whose_turn_was_next() -> None:
    log = [deal(), dutch(0)]
    assert accepted(*log, call="any")["to_act"] == [1]
    assert accepted(*log, *turn(1, "2S"), *turn(2, "3S"), call="any")["to_act"] == [0, 1, 2]


def test_last_round__after_a_call_between_turns_the_caller_next_to_last_has_none() -> None:
    log = [deal(), dutch(2), *turn(1, "2S")]
    assert accepted(*log, call="any")["to_act"] == [0]
    assert accepted(*log, *turn(0, "3S"), call="any")["to_act"] == [0, 1, 2]


def test_last_round__the_wrong_order_after_a_call_in_a_turn_is_refused() -> None:
    log = [deal(), draw(1), dutch(0), drop(1, "5S")]
    refused(*log, draw(1), by="table.turn", call="any")


def test_last_round__one_more_turn_for_everybody_else_is_accepted() -> None:
    assert accepted(*ALL_TURNS)["to_act"] == [0, 1, 2]


def test_last_round__a_turn_out_of_order_or_by_the_caller_is_refused() -> None:
    refused(*CALLED, draw(0), by="table.turn")
    refused(*CALLED, take(1), by="table.turn")


def test_last_round__after_a_waived_turn_the_seats_passed_over_lose_theirs() -> None:
    log = [*CALLED, draw(0, **TURN), drop(0, "3S")]
    assert accepted(*log)["to_act"] == [0, 1, 2]
    refused(*log, draw(2, **TURN), by="table.phase")


def test_last_round__a_waived_turn_of_the_caller_counts_for_nothing() -> None:
    log = [*CALLED, draw(1, **TURN), drop(1, "3S")]
    assert accepted(*log)["to_act"] == [2]


def test_last_round__a_waived_second_turn_takes_nobodys_away() -> None:
    log = [*CALLED, *turn(2, "2S"), draw(2, **TURN), drop(2, "3S")]
    assert accepted(*log)["to_act"] == [0]


# --- dutch.counter


def test_counter__instead_of_drawing_is_accepted_and_gives_up_the_turn() -> None:
    assert accepted(*CALLED, counter(2))["to_act"] == [0]


def test_counter__when_the_own_turn_has_just_ended_is_accepted() -> None:
    assert accepted(*CALLED, *turn(2, "2S"), counter(2), draw(0))["to_act"] == [0]


def test_counter__after_the_last_turn_is_accepted_until_the_first_reveal() -> None:
    accepted(*ALL_TURNS, counter(0))
    refused(*ALL_TURNS, reveal(2, "4S 4H 4D 4C"), counter(0), by="dutch.counter")


def test_counter__before_any_call_is_refused_even_waived() -> None:
    refused(deal(), counter(1), by="table.phase")
    refused(deal(), counter(1, **COUNTER), by="table.phase")


def test_counter__by_the_caller_is_refused_even_waived() -> None:
    refused(*CALLED, counter(1), by="dutch.counter")
    refused(*CALLED, counter(1, **COUNTER), by="table.phase")


def test_counter__by_somebody_else_is_refused() -> None:
    refused(*CALLED, counter(0), by="dutch.counter")
    refused(*CALLED, draw(2), counter(2), by="dutch.counter")


def test_counter__a_second_one_is_refused_and_waived_changes_nothing() -> None:
    log = [*CALLED, counter(2)]
    refused(*log, counter(0), by="dutch.counter")
    assert accepted(*log, counter(0, **COUNTER))["to_act"] == [0]


def test_counter__on_the_strength_of_a_turn_before_the_call_is_refused() -> None:
    log = [deal(), *turn(1, "8S"), *turn(2, "2S"), dutch(0)]
    refused(*log, counter(2), by="dutch.counter")


def test_counter__without_cards_is_refused() -> None:
    log = [*THREE_EIGHTS, dutch(1), *turn(2, "7S"), *turn(0, "2S"), snap(0, 3, "2H")]
    refused(*log, counter(0), by="dutch.counter")
    accepted(*log, counter(0, **COUNTER))


def test_counter__waived_at_a_wrong_moment_gives_up_no_turn() -> None:
    log = [*CALLED, counter(0, **COUNTER)]
    assert accepted(*log)["to_act"] == [2]
    assert accepted(*log, *turn(2, "2S"))["to_act"] == [0]


# --- what is told of why


def test_call__it_is_told_why_it_cannot_be_said() -> None:
    assert facts(*CALLED, dutch(2)) == {"seat": 2, "why": "said", "turn": 1}
    assert facts(deal(), dutch(0)) == {"seat": 0, "why": "other", "turn": 1}
    assert facts(deal(), draw(1), dutch(1)) == {"seat": 1, "why": "middle"}
    assert facts(*THREE_EIGHTS, *turn(2, "7S"), snap(0, 3, "7H"), dutch(2))["phase"] == "reveal"


def test_counter__it_is_told_why_it_cannot_be_said() -> None:
    assert facts(*CALLED, counter(1)) == {"seat": 1, "why": "own"}
    assert facts(*CALLED, counter(2), counter(0)) == {"seat": 0, "why": "said", "turn": 2}
    assert facts(*CALLED, counter(0)) == {"seat": 0, "why": "other", "turn": 2}
    assert facts(*CALLED, draw(2), counter(2)) == {"seat": 2, "why": "middle"}
    emptied = [*THREE_EIGHTS, dutch(1), *turn(2, "7S"), snap(0, 3, "7H")]
    assert facts(*emptied, counter(0)) == {"seat": 0, "why": "empty"}
    assert facts(*ALL_TURNS, counter(2)) == {"seat": 2, "why": "over"}


def test_turn__it_is_told_whose_it_is_and_that_it_is_the_last() -> None:
    assert facts(deal(), draw(2)) == {"seat": 2, "turn": 1}
    assert facts(*CALLED, draw(0)) == {"seat": 0, "turn": 2, "why": "last round"}
