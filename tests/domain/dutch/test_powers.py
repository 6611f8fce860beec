"""The powers of queen and jack, clause by clause."""

import pytest

from tests.domain.dutch.entries import (
    ALL_TURNS,
    Entry,
    accepted,
    deal,
    draw,
    drop,
    dutch,
    facts,
    peek,
    refused,
    reveal,
    snap,
    swap,
    take,
    trade,
    turn,
)

QUEEN = [deal(), *turn(1, "QS")]
JACK = [deal(), *turn(1, "JS")]


# --- dutch.powers


def test_powers__of_a_card_dropped_swapped_out_or_snapped_are_accepted() -> None:
    accepted(*QUEEN, peek(1, (0, 2)))
    accepted(deal(), draw(1), swap(1, 0, "QS"), peek(1, (1, 0)))
    accepted(deal(), *turn(1, "QS"), snap(2, 0, "QH"), peek(2, (1, 0)))


def test_powers__both_of_one_seat_are_accepted_in_order() -> None:
    accepted(*QUEEN, snap(1, 0, "QH"), peek(1, (0, 0)), peek(1, (2, 1)))


def test_powers__an_earlier_one_after_a_later_one_is_refused() -> None:
    log = [*QUEEN, snap(2, 0, "QH"), peek(2, (0, 0))]
    refused(*log, peek(1, (0, 0)), by="dutch.powers")


def test_powers__an_earlier_one_first_leaves_the_later_one_and_is_accepted() -> None:
    accepted(*QUEEN, snap(2, 0, "QH"), peek(1, (0, 0)), peek(2, (0, 0)))


def test_powers__using_one_twice_is_refused() -> None:
    refused(*QUEEN, peek(1, (0, 0)), peek(1, (0, 1)), by="dutch.powers")


@pytest.mark.parametrize("entry", [draw(2), take(2)])
def test_powers__after_the_next_player_drew_or_took_are_refused(entry: Entry) -> None:
    refused(*QUEEN, entry, peek(1, (0, 0)), by="dutch.powers")


def test_powers__of_somebody_else_are_refused() -> None:
    refused(*QUEEN, peek(2, (0, 0)), by="dutch.powers")


def test_powers__of_the_turned_card_or_a_mistake_are_refused() -> None:
    refused(deal("QC"), peek(1, (0, 0)), by="dutch.powers")
    refused(deal(), *turn(1, "8S"), snap(2, 0, "QH"), peek(2, (0, 0)), by="dutch.powers")


def test_powers__after_a_call_and_the_last_turn_are_accepted() -> None:
    accepted(*QUEEN, dutch(1), peek(1, (0, 0)))
    accepted(*ALL_TURNS[:-2], *turn(0, "QS"), peek(0, (1, 1)))


def test_powers__after_the_first_reveal_are_refused() -> None:
    log = [*ALL_TURNS[:-2], *turn(0, "QS"), reveal(2, "4S 4H 4D 4C")]
    refused(*log, peek(0, (1, 1)), by="dutch.powers")


def test_powers__waived_one_that_nobody_has_is_accepted_and_takes_none_away() -> None:
    log = [*QUEEN, peek(2, (0, 0), waive=["dutch.powers"])]
    accepted(*log, peek(1, (0, 0)))


# --- dutch.queen, dutch.jack


def test_queen__a_look_at_one_card_of_anyone_is_accepted() -> None:
    for seat in range(3):
        accepted(*QUEEN, peek(1, (seat, 3), card="AS"))


def test_queen__a_look_by_a_jack_is_refused() -> None:
    refused(*JACK, peek(1, (0, 0)), by="dutch.queen")
    accepted(*JACK, peek(1, (0, 0), waive=["dutch.queen"]), trade(1, (0, 0), (2, 0)))


def test_queen__a_look_at_an_empty_slot_or_a_seat_that_is_not_there_is_refused() -> None:
    refused(*QUEEN, peek(1, (0, 4)), by="dutch.place")
    refused(*QUEEN, peek(1, (3, 0)), by="table.seat")


def test_jack__an_exchange_of_any_two_cards_is_accepted() -> None:
    for one, other in (((1, 0), (1, 1)), ((0, 3), (2, 2)), ((1, 0), (0, 0))):
        accepted(*JACK, trade(1, one, other))


def test_jack__the_callers_card_is_exchanged_too_and_accepted() -> None:
    accepted(deal(), *turn(1, "8S"), dutch(1), *turn(2, "JS"), trade(2, (1, 0), (2, 0)))


def test_jack__an_exchange_by_a_queen_is_refused() -> None:
    refused(*QUEEN, trade(1, (0, 0), (2, 0)), by="dutch.jack")


def test_jack__a_card_for_itself_is_refused() -> None:
    refused(*JACK, trade(1, (0, 1), (0, 1)), by="dutch.jack")
    accepted(*JACK, trade(1, (0, 1), (0, 1), waive=["dutch.jack"]))


def test_jack__what_is_known_of_both_places_changes_with_them() -> None:
    known = [deal(), *turn(1, "8S"), snap(2, 0, "4H"), *turn(2, "JS"), trade(2, (2, 0), (0, 1))]
    log = [*known, draw(0)]
    accepted(*log, swap(0, 1, "4H"))
    refused(*log, swap(0, 1, "5H"), by="dutch.place", contradicts=3)
    refused(*log, swap(0, 0, "4H"), by="cards.seen", contradicts=3)


def test_table_seat__of_a_place_comes_before_the_power_and_is_refused() -> None:
    refused(deal(), trade(1, (7, 0), (1, 1)), by="table.seat")


def test_table_seat__of_a_place_comes_before_the_phase() -> None:
    refused(peek(0, (7, 0)), by="table.seat")
    refused(trade(0, (0, 0), (7, 0)), by="table.seat")
    refused(peek(0, (2, 0)), by="table.phase")


def test_queen__a_card_that_is_told_lies_there_and_nowhere_else() -> None:
    told = [*QUEEN, peek(1, (0, 3), card="AS"), draw(2)]
    refused(*told, swap(2, 0, "AS"), by="cards.seen", contradicts=len(QUEEN))
    log = [*told, drop(2, "5S"), draw(0), swap(0, 3, "2S")]
    refused(*log, by="dutch.place", contradicts=len(QUEEN))
    refused(*QUEEN, peek(1, (0, 3), card="9C"), by="cards.seen", contradicts=0)
    accepted(*QUEEN, peek(1, (0, 3)), draw(2), swap(2, 0, "AS"))


@pytest.mark.parametrize("places", [((0, 4), (2, 0)), ((2, 0), (0, 4))])
def test_jack__a_slot_that_is_not_there_is_refused_whichever_is_named_first(
    places: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    refused(*JACK, trade(1, *places), by="dutch.place")
    assert facts(*JACK, trade(1, *places)) == {"seat": 0, "slot": 4}
