"""Turns, snaps and the end by an empty row, clause by clause."""

import pytest

from tests.domain.dutch.entries import (
    ALL_TURNS,
    EMPTIED,
    THREE_EIGHTS,
    Entry,
    accepted,
    deal,
    draw,
    drop,
    dutch,
    peek,
    refused,
    reveal,
    snap,
    swap,
    take,
    trade,
    turn,
)

WINDOW = {"waive": ["dutch.snap-window"]}


# --- dutch.turn


def test_turn__draw_then_swap_or_drop_and_take_then_swap_are_accepted() -> None:
    log = [deal(), draw(1), swap(1, 0, "5S"), draw(2), drop(2, "6S"), take(0), swap(0, 3, "7S")]
    assert accepted(*log)["to_act"] == [1]


def test_turn__a_card_in_hand_is_in_no_row_and_not_in_the_stock() -> None:
    answered = accepted(deal(), draw(1))
    assert answered["hand_counts"] == [4, 4, 4]
    assert answered["stock"] == 38
    assert answered["to_act"] == [1]


@pytest.mark.parametrize("entry", [drop(1, "5S"), swap(1, 0, "5S")])
def test_turn__ending_with_nothing_in_hand_is_refused(entry: Entry) -> None:
    refused(deal(), entry, by="table.phase")


@pytest.mark.parametrize("entry", [draw(1), take(1), draw(2), drop(2, "5S"), swap(2, 0, "5S")])
def test_turn__anything_but_ending_it_with_a_card_in_hand_is_refused(entry: Entry) -> None:
    waived = {**entry, "waive": ["table.turn", "dutch.turn"]}
    refused(deal(), draw(1), waived, by="table.phase")


def test_turn__a_turn_after_the_last_one_is_refused() -> None:
    refused(*ALL_TURNS, draw(2), by="table.phase")


# --- dutch.take-swap


def test_take_swap__a_card_taken_and_swapped_is_accepted() -> None:
    accepted(deal(), take(1), swap(1, 2, "5S"), take(2), swap(2, 0, "9H"))


def test_take_swap__a_card_taken_and_dropped_is_refused() -> None:
    refused(deal(), take(1), drop(1, "9C"), by="dutch.take-swap")


def test_take_swap__waived_it_is_accepted_and_gives_its_power() -> None:
    dropped = drop(1, "QC", waive=["dutch.take-swap"])
    accepted(deal("QC"), take(1), dropped, peek(1, (0, 0)))


def test_take_swap__waived_another_card_than_the_one_taken_is_refused() -> None:
    dropped = drop(1, "8C", waive=["dutch.take-swap"])
    refused(deal(), take(1), dropped, by="cards.held", contradicts=0)


# --- dutch.snap-window, dutch.snap-match


def test_snap_window__any_number_of_snaps_by_anybody_is_accepted() -> None:
    log = [deal(), *turn(1, "8S"), snap(1, 0, "8H"), snap(0, 2, "8D"), snap(2, 1, "8C")]
    assert accepted(*log)["hand_counts"] == [3, 3, 3]


def test_snap_window__a_mistake_leaves_it_open_and_a_snap_is_accepted() -> None:
    accepted(deal(), *turn(1, "8S"), snap(2, 0, "4H"), snap(2, 1, "8H"))


def test_snap_window__a_call_leaves_it_open_and_a_snap_is_accepted() -> None:
    accepted(deal(), *turn(1, "8S"), dutch(2), snap(2, 1, "8H"))


def test_snap_window__after_the_last_turn_a_snap_is_accepted() -> None:
    accepted(*ALL_TURNS, snap(2, 1, "3H"))


def test_snap_window__on_the_turned_card_is_refused() -> None:
    refused(deal(), snap(2, 1, "9H"), by="dutch.snap-window")


@pytest.mark.parametrize("entry", [draw(2), take(2)])
def test_snap_window__after_the_next_player_drew_or_took_is_refused(entry: Entry) -> None:
    refused(deal(), *turn(1, "8S"), entry, snap(2, 1, "8H"), by="dutch.snap-window")


def test_snap_window__after_the_first_reveal_is_refused() -> None:
    log = [*ALL_TURNS, reveal(2, "4S 4H 4D 4C")]
    refused(*log, snap(0, 0, "3H"), by="dutch.snap-window")
    refused(*log, snap(0, 0, "3H", **WINDOW), by="table.phase")


def test_snap_window__after_a_row_ran_empty_is_refused() -> None:
    refused(*EMPTIED, snap(1, 0, "7D"), by="dutch.snap-window")


def test_snap_window__waived_on_the_turned_card_is_accepted_and_opens_it() -> None:
    answered = accepted(deal(), snap(2, 1, "9H", **WINDOW), snap(0, 0, "9D"))
    assert answered["hand_counts"] == [3, 4, 3]
    assert answered["to_act"] == [1]


def test_snap_window__waived_with_the_only_card_taken_is_accepted_as_a_mistake() -> None:
    answered = accepted(deal(), take(1), snap(2, 1, "9H", **WINDOW))
    assert answered["hand_counts"] == [4, 4, 5]


def test_snap_match__an_equal_rank_leaves_the_slot_empty_and_is_the_top_card() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 1, "8H"), take(2), swap(2, 0, "5S")]
    answered = accepted(*log, *turn(0, "6S"), draw(1))
    assert answered["hand_counts"] == [4, 4, 3]


def test_snap_match__another_rank_costs_penalty_cards() -> None:
    answered = accepted(deal(), *turn(1, "8S"), snap(2, 1, "4H"), penalty=4)
    assert answered["hand_counts"] == [4, 4, 8]
    assert answered["stock"] == 34


def test_snap_match__a_card_swapped_in_may_follow_the_equal_one_swapped_out() -> None:
    log = [deal(), draw(1, "5S"), swap(1, 2, "5D"), snap(1, 2, "5S")]
    assert accepted(*log)["hand_counts"] == [4, 3, 4]


# --- dutch.empty


def test_empty__a_last_card_thrown_before_any_call_ends_the_deal() -> None:
    answered = accepted(*EMPTIED)
    assert answered["to_act"] == [1, 2]
    log = [*EMPTIED, reveal(2, "AS 2S 3S 4S"), reveal(1, points=20)]
    assert accepted(*log)["deals"] == [[0, 20, 10]]


def test_empty__a_last_card_thrown_with_another_card_in_hand_is_accepted_when_waived() -> None:
    log = [*THREE_EIGHTS, *turn(2, "7S"), draw(0), snap(0, 3, "7H", **WINDOW)]
    assert accepted(*log)["to_act"] == [1, 2]


@pytest.mark.parametrize("entry", [draw(0), take(0), dutch(0), dutch(2, waive=["dutch.call"])])
def test_empty__whatever_begins_a_turn_after_it_is_refused(entry: Entry) -> None:
    refused(*EMPTIED, entry, by="table.phase")


def test_empty__powers_end_with_it_and_using_one_is_refused() -> None:
    log = [*THREE_EIGHTS, *turn(2, "JS"), snap(0, 3, "JH")]
    refused(*log, trade(0, (1, 0), (2, 0)), by="dutch.powers")
    refused(*log, trade(0, (1, 0), (2, 0), waive=["dutch.powers"]), by="table.phase")


def test_empty__in_the_last_round_a_player_without_cards_is_skipped() -> None:
    log = [*THREE_EIGHTS, dutch(1), *turn(2, "7S"), snap(0, 3, "7H")]
    assert accepted(*log)["to_act"] == [1, 2]


def test_empty__the_last_card_thrown_as_the_turn_was_to_begin_passes_it_on() -> None:
    thrown = [snap(0, slot, card) for slot, card in enumerate(["8H", "8D", "8C"])]
    log = [deal(dealer=3), *turn(0, "7S"), *turn(1, "8S"), *thrown, *turn(2, "2S"), dutch(3)]
    log = [*log[:-1], draw(3), drop(3, "6S"), dutch(2, waive=["dutch.call"])]
    log = [*log, *turn(3, "6H"), snap(0, 3, "6D")]
    assert accepted(*log, seats=4)["to_act"] == [1]
