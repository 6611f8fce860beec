"""Drawing, taking, throwing; what must be laid before the turn ends; the stock rebuilt."""

from typing import Any

import pytest

from tests.domain.rami.entries import (
    ROYAL,
    accepted,
    add,
    closed,
    count,
    deal,
    draw,
    gone_out,
    meld,
    opened,
    opening,
    refused,
    result,
    swap,
    take,
    throw,
    turn,
)
from tests.generation.rami_cards import pack

Entry = dict[str, Any]


def test_deal__thirteen_cards_each_and_one_turned_up_is_accepted() -> None:
    table = accepted(deal(), seats=3)
    assert (table["hand_counts"], table["stock"], table["to_act"]) == ([13, 13, 13], 68, [1])


def test_deal__a_hand_of_another_size_is_refused() -> None:
    refused(deal(hands=[["AS"] * 2, None]), by="cards.count")


def test_draw_first__a_card_drawn_or_taken_is_accepted() -> None:
    assert accepted(deal(), draw(1))["hand_counts"] == [13, 14]
    assert accepted(deal(), take(1))["stock"] == 81


def test_draw_first__anything_before_it_is_refused() -> None:
    refused(deal(), throw(1, "9S"), by="rami.draw-first")
    refused(deal(), meld(1, ROYAL), by="rami.draw-first")


def test_draw_first__a_second_card_is_refused() -> None:
    refused(deal(), draw(1), draw(1), by="rami.draw-first")
    refused(deal(), draw(1), take(1), by="rami.draw-first")
    refused(deal(), take(1), draw(1), by="rami.draw-first")
    accepted(deal(), draw(1), draw(1, waive=["rami.draw-first"]), throw(1, "9S"))


def test_draw_first__a_waived_laying_leaves_the_draw_due() -> None:
    early = [deal(), meld(1, ROYAL, waive=["rami.draw-first"])]
    refused(*early, throw(1, "9S"), by="rami.draw-first")
    accepted(*early, draw(1), throw(1, "9S"))


def test_take_use__the_card_laid_in_the_same_turn_is_accepted() -> None:
    accepted(deal("2S"), take(1), meld(1, ROYAL, "2S 3S 4S"), throw(1, "9S"))
    later = [deal("9C"), take(1), meld(1, ROYAL), add(1, 1, "9C"), throw(1, "9S")]
    accepted(*later)


def test_take_use__the_card_not_laid_is_refused() -> None:
    refused(deal("2S"), take(1), throw(1, "9S"), by="rami.take-use")
    refused(deal("2S"), take(1), throw(1, "2S"), by="rami.take-use")
    accepted(deal("2S"), take(1), throw(1, "2S", waive=["rami.take-use"]))


def test_take_use__its_twin_may_be_thrown_once_one_is_laid_accepted() -> None:
    accepted(deal("2S"), take(1), meld(1, ROYAL, "2S 3S 4S"), throw(1, "2S"))


def test_take_use__a_card_laid_before_the_take_does_not_count_refused() -> None:
    early = [deal("TC"), meld(1, ROYAL, waive=["rami.draw-first"]), take(1)]
    refused(*early, throw(1, "9S"), by="rami.take-use")


def test_take_use__a_card_thrown_unsure_must_be_laid_as_named() -> None:
    doubtful = [*opening(), draw(0), throw(0, "9C", unsure=True), take(1)]
    accepted(*doubtful, add(1, 1, "9C"), throw(1, "2S"))
    refused(*doubtful, throw(1, "2S"), by="rami.take-use")


def test_take_use__a_joker_taken_and_a_joker_won_each_need_their_own() -> None:
    both = [
        *opening("5S 6S* 7S"),
        draw(0),
        throw(0, "XX"),
        take(1),
        swap(1, 2, "6S"),
        add(1, 1, "9C*"),
    ]
    refused(*both, throw(1, "2S"), by="rami.swap-use")
    accepted(*both, add(1, 2, "8S*"), throw(1, "2S"))


def test_swap_use__the_joker_laid_again_is_accepted() -> None:
    laid = [*opening("5S 6S* 7S"), *turn(0, "9D"), draw(1), swap(1, 2, "6S")]
    accepted(*laid, add(1, 2, "8S*"), throw(1, "2S"))
    accepted(*laid, meld(1, "2C 3C 4C*"), throw(1, "2S"))


def test_swap_use__the_joker_kept_is_refused() -> None:
    laid = [*opening("5S 6S* 7S"), *turn(0, "9D"), draw(1), swap(1, 2, "6S")]
    refused(*laid, throw(1, "2S"), by="rami.swap-use")
    kept = accepted(*laid, throw(1, "2S", waive=["rami.swap-use"]))
    assert kept["hand_counts"] == [13, 5]


def test_discard__ends_the_turn_accepted() -> None:
    assert accepted(deal(), draw(1), throw(1, "9S"))["to_act"] == [0]


def test_discard__a_second_one_is_refused() -> None:
    refused(deal(), draw(1), throw(1, "9S"), throw(1, "9H"), by="table.turn")


def test_discard__a_joker_is_accepted() -> None:
    accepted(deal(), draw(1), throw(1, "XX"))


def to_the_end_of_the_stock(*first: str) -> list[Entry]:
    """Let six players draw and throw until the stock is empty: `first`, then one of each card."""
    cards = [*first, *(card for card in dict.fromkeys(pack()) if card not in {"XX", "2H", *first})]
    log = [deal(dealer=5)]
    for place, card in enumerate(cards[: 107 - 13 * 6]):
        log += turn(place % 6, card)
    return log


FULL = to_the_end_of_the_stock()  # six players, 29 cards thrown, seat 5 to act
LAST = FULL[-1]["card"]


def test_stock_empty__the_top_card_can_still_be_taken_accepted() -> None:
    assert accepted(*FULL, seats=6)["stock"] == 0
    assert accepted(*FULL, take(5), seats=6)["stock"] == 0


def test_stock_empty__it_is_rebuilt_of_the_whole_pile_or_all_but_the_top_accepted() -> None:
    assert accepted(*FULL, draw(5), seats=6)["stock"] == 29
    assert accepted(*FULL, draw(5), seats=6, reshuffle="keep_top")["stock"] == 28
    top = accepted(*FULL, draw(5, LAST), seats=6)
    assert top["hand_counts"] == [13, 13, 13, 13, 13, 14]


def test_stock_empty__a_card_that_was_not_in_the_pile_is_refused() -> None:
    refused(*FULL, draw(5, "2C"), by="cards.impossible", contradicts=58, seats=6)
    refused(
        *FULL, draw(5, LAST), by="cards.impossible", contradicts=56, seats=6, reshuffle="keep_top"
    )


def test_stock_empty__nothing_to_take_is_refused() -> None:
    emptied = [*FULL, draw(5), take(0, waive=["table.turn"])]
    refused(*emptied, by="rami.stock-empty", seats=6)
    never = [deal(), take(1, waive=["rami.stock-empty"]), take(1, waive=["rami.draw-first"])]
    refused(*never, by="rami.stock-empty")


def test_stock_empty__a_card_that_came_back_can_be_thrown_again_accepted() -> None:
    again = [*FULL, draw(5), throw(5, "AS"), draw(0), throw(0, "AS")]
    accepted(*again, seats=6)


def test_stock_empty__more_cards_of_the_pile_than_were_drawn_since_are_refused() -> None:
    both = [*to_the_end_of_the_stock("TS", "TS", "JS", "JS", "QS", "QS"), draw(5)]
    waived = {"waive": ["rami.opening"]}
    accepted(*both, throw(5, "JS"), seats=6)
    refused(*both, meld(5, "TS JS QS", **waived), by="cards.impossible", seats=6)
    accepted(*both, meld(5, "7S 8S 9S", **waived), seats=6)


def test_out__by_a_discard_or_by_a_laying() -> None:
    assert accepted(*gone_out(), count(0, "QH QD"))["deals"] == [[20, 0]]
    thrown = [deal(), draw(1), meld(1, ROYAL, "2D 3D 4D 5D", "6C 7C 8C 9C"), throw(1, "9H")]
    assert accepted(*thrown)["deals"] == [[200, 0]]


def test_out__the_next_deal_is_the_left_neighbours() -> None:
    assert accepted(*gone_out(), count(0, "QH QD"))["to_act"] == [0]


def test_winner__scores_nothing_in_a_deal_or_a_result() -> None:
    assert accepted(*gone_out(), count(0, points=20))["deals"] == [[20, 0]]
    assert accepted(result(0, None, opened(7)))["deals"] == [[0, 7]]


def test_winner__is_noted_as_opened_in_the_detail() -> None:
    assert accepted(result(1, closed(), None))["deals"] == [[200, 0]]


def test_table_turn__the_seat_awaited_is_accepted_then_its_left_neighbour() -> None:
    assert accepted(deal(), *turn(1, "9S"), *turn(2, "9H"), seats=3)["to_act"] == [0]


def test_table_turn__waived_play_goes_on_from_the_seat_that_acted_accepted() -> None:
    out = [deal("9S"), take(1), draw(2, waive=["table.turn"]), throw(2, "9D")]
    assert accepted(*out, seats=4)["to_act"] == [3]
    assert accepted(*out, seats=4)["hand_counts"] == [13, 14, 13, 13]


@pytest.mark.parametrize("seat", [0, 1])
def test_table_turn__a_seat_that_is_not_awaited_is_refused_unless_waived(seat: int) -> None:
    refused(deal(dealer=1 - seat), draw(1 - seat), by="table.turn")
    accepted(deal(dealer=1 - seat), draw(1 - seat, waive=["table.turn"]))
