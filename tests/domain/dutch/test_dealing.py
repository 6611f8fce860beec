"""The deal, the first look, penalties and the stock, clause by clause."""

import pytest

from tests.domain.dutch.entries import (
    ALL_TURNS,
    EMPTIED,
    accepted,
    deal,
    draw,
    drop,
    dutch,
    facts,
    look,
    penalty,
    refused,
    reveal,
    snap,
    swap,
    take,
    turn,
)

WAIVED = {"waive": ["dutch.first-look"]}


# --- dutch.deal


@pytest.mark.parametrize("seats", range(2, 9))
def test_deal__four_cards_each_and_one_turned_up_are_accepted(seats: int) -> None:
    answered = accepted(deal(), seats=seats)
    assert answered["hand_counts"] == [4] * seats
    assert answered["stock"] == 52 - 4 * seats - 1


def test_deal__the_player_left_of_the_dealer_begins() -> None:
    assert accepted(deal(dealer=2))["to_act"] == [0]


def test_deal__hands_known_in_part_are_accepted() -> None:
    accepted(deal(hands=[None, ["AS", "??", "3S", "??"], None]))


@pytest.mark.parametrize("hand", [["AS", "2S", "3S"], ["AS", "2S", "3S", "4S", "??"]])
def test_deal__a_hand_that_is_not_four_cards_is_refused(hand: list[str]) -> None:
    refused(deal(hands=[None, hand, None]), by="cards.count")


def test_deal__hands_for_another_number_of_seats_are_refused() -> None:
    refused(deal(hands=[None, None]), by="cards.count")


# --- dutch.first-look


def test_first_look__two_different_cards_before_the_first_turn_are_accepted() -> None:
    accepted(deal(), look(2, 3, 1), look(0, 0, 1), penalty(2), look(1, 2, 0), draw(1))


@pytest.mark.parametrize("begun", [draw(1), take(1), dutch(1)])
def test_first_look__after_somebody_drew_took_or_called_is_refused(begun: dict[str, int]) -> None:
    refused(deal(), begun, look(2, 0, 1), by="dutch.first-look")


def test_first_look__a_second_one_is_refused() -> None:
    refused(deal(), look(2, 0, 1), look(2, 2, 3), by="dutch.first-look")


def test_first_look__twice_at_one_card_is_refused() -> None:
    refused(deal(), look(2, 1, 1), by="dutch.first-look")


@pytest.mark.parametrize("slots", [(0, 4), (4, 0)])
def test_first_look__at_a_penalty_card_is_refused(slots: tuple[int, int]) -> None:
    refused(deal(), penalty(2), look(2, *slots), by="dutch.first-look")


def test_first_look__waived_every_one_of_these_is_accepted() -> None:
    log = [deal(), penalty(2), look(2, 0, 4, **WAIVED), look(2, 1, 1, **WAIVED)]
    accepted(*log, draw(1), look(2, 0, 1, **WAIVED))


def test_first_look__one_card_or_three_are_refused() -> None:
    refused(deal(), look(1, 0), by="cards.count")
    refused(deal(), look(1, 0, 1, 2), by="cards.count")


# --- dutch.look-penalty


def test_look_penalty__new_slots_in_mid_turn_are_accepted() -> None:
    answered = accepted(deal(), draw(1), penalty(2), penalty=3)
    assert answered["hand_counts"] == [4, 4, 7]
    assert answered["stock"] == 35


def test_look_penalty__after_the_last_turn_is_accepted() -> None:
    accepted(*ALL_TURNS, penalty(2))


def test_look_penalty__after_the_first_reveal_is_refused() -> None:
    refused(*ALL_TURNS, reveal(2, "4S 4H 4D 4C"), penalty(0), by="dutch.look-penalty")


def test_look_penalty__once_an_emptied_row_ended_the_deal_is_refused() -> None:
    refused(*EMPTIED, penalty(1), by="dutch.look-penalty")


def test_look_penalty__for_an_empty_row_is_refused() -> None:
    log = [*EMPTIED[:-1]]
    log.insert(6, dutch(1))
    refused(*log, snap(0, 3, "7H"), penalty(0), by="dutch.look-penalty")


# --- dutch.place


def test_place__a_penalty_card_swapped_in_its_own_slot_is_accepted() -> None:
    accepted(deal(), penalty(1), draw(1), swap(1, 4, "5S"))


def test_place__slots_number_on_after_one_was_emptied() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 3, "8H"), snap(2, 0, "4H")]
    accepted(*log, draw(2), swap(2, 4, "5S"))


@pytest.mark.parametrize("slot", [-1, 4, 64, 10**9])
def test_place__a_slot_that_never_held_a_card_is_refused(slot: int) -> None:
    refused(deal(), draw(1), swap(1, slot, "5S"), by="dutch.place")


def test_place__an_emptied_slot_is_refused() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 3, "8H"), draw(2)]
    refused(*log, swap(2, 3, "5S"), by="dutch.place")


def test_place__a_slot_that_holds_another_known_card_is_refused() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 0, "4H"), draw(2)]
    refused(*log, swap(2, 0, "5C"), by="dutch.place", contradicts=3)


# --- dutch.stock-empty

ALMOST_DRAWN = [deal(dealer=7), *[penalty(3)] * 6]  # 8 players: 19 cards, 18 drawn


def test_stock_empty__a_penalty_takes_what_there_is() -> None:
    answered = accepted(*ALMOST_DRAWN, penalty(3), seats=8, penalty=3)
    assert answered["hand_counts"][3] == 23
    assert answered["stock"] == 0


def test_stock_empty__with_nothing_to_shuffle_a_draw_is_refused() -> None:
    log = [*ALMOST_DRAWN, penalty(3), draw(0)]
    refused(*log, by="dutch.stock-empty", seats=8, penalty=3)


def test_stock_empty__with_nothing_to_shuffle_taking_is_accepted() -> None:
    accepted(*ALMOST_DRAWN, penalty(3), take(0), seats=8, penalty=3)


def test_stock_empty__the_pile_but_its_top_card_is_shuffled_and_a_draw_is_accepted() -> None:
    log = [*ALMOST_DRAWN, *turn(0, "2S"), *turn(1, "9C")]
    answered = accepted(*log, seats=8, penalty=3)
    assert answered["stock"] == 0  # the turned card was drawn again, the two of spades is on top


def test_stock_empty__a_card_that_was_not_shuffled_in_is_refused() -> None:
    log = [*ALMOST_DRAWN, *turn(0, "2S"), draw(1)]
    refused(*log, drop(1, "2S"), by="cards.seen", contradicts=8, seats=8, penalty=3)
    refused(*log, drop(1, "KS"), by="cards.held", contradicts=0, seats=8, penalty=3)


@pytest.mark.parametrize(
    ("log", "why", "slot"),
    [
        ([look(2, 1, 1)], "same", 1),
        ([penalty(2), look(2, 0, 4)], "new", 4),
        ([look(2, 0, 1), look(2, 2, 3)], "once", 3),
        ([look(0, 0, 1), look(2, 0, 1), look(0, 2, 3)], "once", 3),
        ([look(1, 0, 1), draw(1), look(2, 2, 0)], "begun", 2),
    ],
)
def test_first_look__it_is_told_why_it_cannot_be(
    log: list[dict[str, object]], why: str, slot: int
) -> None:
    told = facts(deal(), *log)
    assert (told["why"], told["slot"], told["seat"]) == (why, slot, log[-1]["seat"])
