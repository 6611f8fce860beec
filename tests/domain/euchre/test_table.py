"""The clauses of every game, at a Euchre table: seats, turns, phases, dealers, results."""

import pytest

from tests.domain.euchre.entries import (
    FINISH,
    NOTE,
    VOID,
    Entry,
    accepted,
    adjust,
    amend,
    deal,
    facts,
    leaves,
    names,
    orders,
    passes,
    play,
    refused,
    result,
    take_back,
    tricks,
)

ORDERED = [deal("9S"), orders(), leaves()]
PASSED_ROUND_ONE = [deal("9S"), passes(1), passes(0)]
PASSED_OUT = [*PASSED_ROUND_ONE, passes(1), passes(0)]


# --- table.seat


def test_table_seat__both_seats_are_accepted() -> None:
    accepted(deal("9S"), passes(1), passes(0))


@pytest.mark.parametrize("seat", [-1, 2])
def test_table_seat__a_third_seat_is_refused(seat: int) -> None:
    refused(deal("9S"), passes(seat), by="table.seat")


def test_table_seat__a_dealer_who_is_not_there_is_refused() -> None:
    refused(deal("9S", dealer=2), by="table.seat")


def test_table_seat__a_maker_who_is_not_there_is_refused() -> None:
    refused(result(2, 3), by="table.seat")


def test_table_seat__an_adjustment_for_nobody_is_refused() -> None:
    refused(adjust(2, 1), by="table.seat")


def test_table_seat__no_waiver_makes_a_seat() -> None:
    refused(deal("9S"), passes(2, waive=["table.seat"]), by="table.seat")


# --- table.turn


def test_table_turn__lead_then_answer_is_accepted() -> None:
    answered = accepted(*ORDERED, *tricks(1, "AH 9H"))
    assert answered["to_act"] == [1]


def test_table_turn__a_second_card_by_the_leader_is_refused() -> None:
    refused(*ORDERED, play(1, "AH"), play(1, "KH"), by="table.turn")


def test_table_turn__inside_a_trick_a_waiver_is_refused_too() -> None:
    refused(*ORDERED, play(1, "AH"), play(1, "KH", waive=["table.turn"]), by="table.phase")


# --- table.phase


def test_table_phase__a_deal_is_accepted_between_deals() -> None:
    accepted(*PASSED_OUT, deal("9H", dealer=1))


@pytest.mark.parametrize(
    "entry", [passes(1), orders(), leaves(), names(1, "S"), play(1, "AS"), VOID]
)
def test_table_phase__between_deals_what_needs_a_deal_is_refused(entry: Entry) -> None:
    refused(entry, by="table.phase")


@pytest.mark.parametrize("entry", [deal("9H"), play(1, "AS"), leaves(), names(1, "H")])
def test_table_phase__what_does_not_belong_in_round_one_is_refused(entry: Entry) -> None:
    refused(deal("9S"), entry, by="table.phase")


@pytest.mark.parametrize("entry", [orders(), leaves(), play(1, "AS"), deal("9H")])
def test_table_phase__what_does_not_belong_in_round_two_is_refused(entry: Entry) -> None:
    refused(*PASSED_ROUND_ONE, entry, by="table.phase")


@pytest.mark.parametrize("entry", [passes(1), orders(), leaves(), names(1, "H"), deal("9H")])
def test_table_phase__bids_are_refused_once_cards_are_played(entry: Entry) -> None:
    refused(*ORDERED, entry, by="table.phase")


@pytest.mark.parametrize("entry", [deal("9H", dealer=1), adjust(0, 1), FINISH, result(0, 3), VOID])
def test_table_phase__after_the_end_anything_but_a_note_is_refused(entry: Entry) -> None:
    refused(FINISH, entry, by="table.phase")


def test_table_phase__after_the_end_a_note_is_accepted() -> None:
    assert accepted(FINISH, NOTE)["finished"]


def test_table_phase__no_waiver_makes_a_point_of_the_game() -> None:
    refused(play(1, "AS", waive=["table.phase"]), by="table.phase")


# --- table.dealer


def test_table_dealer__the_first_dealer_is_free_and_either_is_accepted() -> None:
    assert accepted()["to_act"] == [0, 1]
    accepted(deal("9S", dealer=0))
    accepted(deal("9S", dealer=1))


def test_table_dealer__the_same_dealer_twice_is_refused() -> None:
    refused(*PASSED_OUT, deal("9H", dealer=0), by="table.dealer")


def test_table_dealer__the_same_dealer_twice_is_accepted_when_waived() -> None:
    accepted(*PASSED_OUT, deal("9H", dealer=0, waive=["table.dealer"]))


def test_table_dealer__the_rotation_goes_on_from_who_really_dealt() -> None:
    wrong = [*PASSED_OUT, deal("9H", dealer=0, waive=["table.dealer"]), result(0, 3)]
    assert accepted(*wrong)["to_act"] == [1]
    refused(*wrong, deal("9D", dealer=0), by="table.dealer")


def test_table_dealer__an_annulled_deal_binds_its_dealer_to_deal_again() -> None:
    assert accepted(deal("9S", dealer=1), VOID)["to_act"] == [1]
    refused(deal("9S", dealer=1), VOID, deal("9H", dealer=0), by="table.dealer")


def test_table_dealer__a_result_that_names_nobody_leaves_the_first_dealer_free() -> None:
    assert accepted(result(0, 3))["to_act"] == [0, 1]


def test_table_dealer__a_result_that_names_its_dealer_binds_the_next() -> None:
    assert accepted(result(0, 3, dealer=0))["to_act"] == [1]
    refused(result(0, 3, dealer=0), result(0, 3, dealer=0), by="table.dealer")


def test_table_dealer__a_result_that_names_nobody_counts_as_dealt() -> None:
    assert accepted(result(0, 3, dealer=0), result(0, 3))["to_act"] == [0]


# --- table.result


def test_table_result__in_place_of_a_deal_any_is_accepted() -> None:
    assert accepted(result(1, 5, dealer=0))["deals"] == [[0, 2]]


def test_table_result__ending_a_deal_part_way_is_accepted() -> None:
    answered = accepted(*ORDERED, *tricks(1, "AH 9H"), result(1, 4))
    assert answered["deals"] == [[0, 1]]
    assert answered["to_act"] == [1]


def test_table_result__fewer_tricks_than_the_maker_already_won_is_refused() -> None:
    refused(*ORDERED, *tricks(1, "AH 9H", "KH TH"), result(1, 1), by="table.result")


def test_table_result__more_tricks_than_are_left_is_refused() -> None:
    log = [deal("9S"), passes(1), passes(0), passes(1), names(0, "S")]
    refused(*log, *tricks(1, "AH 9H", "KH TH"), result(0, 4), by="table.result")
    accepted(*log, *tricks(1, "AH 9H", "KH TH"), result(0, 3))


def test_table_result__it_is_told_how_many_tricks_the_maker_can_have() -> None:
    two = tricks(1, "AH 9H", "KH TH")
    elder = facts(*ORDERED, *two, result(1, 1))
    assert elder == {"why": "tricks", "seat": 1, "least": 2, "most": 5}
    dealer = facts(*PASSED_ROUND_ONE, passes(1), names(0, "H"), *two, result(0, 4))
    assert dealer == {"why": "tricks", "seat": 0, "least": 0, "most": 3}


@pytest.mark.parametrize("seat", [0, 1])
def test_table_result__it_is_told_that_the_maker_passed(seat: int) -> None:
    log = [deal("9S", dealer=1 - seat), passes(seat), passes(1 - seat), passes(seat)]
    assert facts(*log, result(seat, 3)) == {"why": "passed", "seat": seat}


def test_table_result__another_maker_is_refused() -> None:
    refused(*ORDERED, result(0, 3), by="table.result")


def test_table_result__another_dealer_is_refused() -> None:
    refused(*ORDERED, result(1, 3, dealer=1), by="table.result")


def test_table_result__its_own_dealer_is_accepted() -> None:
    accepted(*ORDERED, result(1, 3, dealer=0))


def test_table_result__passed_out_once_somebody_made_trumps_is_refused() -> None:
    refused(deal("9S"), orders(), result(None), by="table.result")


def test_table_result__passed_out_during_the_bidding_is_accepted() -> None:
    assert accepted(*PASSED_ROUND_ONE, passes(1), result(None))["deals"] == [[0, 0]]


def test_table_result__a_maker_who_passed_in_round_two_is_refused() -> None:
    refused(*PASSED_ROUND_ONE, passes(1), result(1, 3), by="table.result")


def test_table_result__a_maker_who_passed_in_round_one_is_accepted() -> None:
    accepted(deal("9S"), passes(1), result(1, 3))


def test_table_result__nothing_deeper_than_the_tricks_is_compared() -> None:
    accepted(*ORDERED, play(1, "JS"), result(1, 0))


# --- table.version


def test_table_version__taking_back_to_a_standing_entry_is_accepted() -> None:
    assert accepted(deal("9S"), passes(1), take_back(2))["to_act"] == [1]


def test_table_version__taking_back_to_the_opening_is_accepted_and_empties_the_game() -> None:
    answered = accepted(result(0, 3, dealer=0), take_back(1))
    assert answered["deals"] == []
    assert answered["to_act"] == [0, 1]


@pytest.mark.parametrize("version", [3, 5, 9])
def test_table_version__taking_back_to_what_is_not_there_is_refused(version: int) -> None:
    # 2 is the result, 3 the end of its deal, 4 the deal; 5 would be the correction itself.
    refused(result(0, 3), deal("9S"), take_back(version), by="table.version")


def test_table_version__taking_back_to_what_was_taken_back_is_refused() -> None:
    refused(deal("9S"), passes(1), take_back(2), take_back(3), by="table.version")


def test_table_version__taking_back_to_a_correction_is_accepted() -> None:
    log = [adjust(0, 1), adjust(0, 2), take_back(2), adjust(0, 5), take_back(4)]
    assert accepted(*log)["totals"] == [1, 0]


@pytest.mark.parametrize("version", [1, 3, 4, 5])
def test_table_version__amending_what_nobody_wrote_by_hand_is_refused(version: int) -> None:
    refused(result(0, 3), amend(version, result(0, 4)), by="table.version")


def test_table_version__amending_a_correction_is_refused() -> None:
    log = [adjust(0, 1), amend(2, adjust(0, 2)), amend(3, adjust(0, 3))]
    refused(*log, by="table.version")


def test_table_version__amending_what_was_taken_back_is_refused() -> None:
    refused(NOTE, adjust(0, 1), take_back(2), amend(3, adjust(0, 2)), by="table.version")
