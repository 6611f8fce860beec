"""Counting the losers, deals in short, the end of the game."""

import pytest

from tests.domain.rami.entries import (
    FINISH,
    NOTE,
    ROYAL,
    VOID,
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
    take,
    throw,
    turn,
)

OUT = gone_out()  # seat 0 holds two cards


def test_table_phase__counting_awaits_the_losers_who_had_opened_accepted() -> None:
    table = accepted(*OUT)
    assert (table["to_act"], table["hand_counts"], table["deals"]) == ([0], [2, 0], [])
    assert accepted(*OUT, VOID)["to_act"] == [1]


@pytest.mark.parametrize("entry", [draw(0), take(0), throw(0, "QH"), add(0, 1, "9S"), deal()])
def test_table_phase__while_counting_nothing_else_and_is_refused(entry: dict[str, object]) -> None:
    refused(*OUT, entry, by="table.phase")


def test_table_phase__a_count_while_cards_are_played_is_refused() -> None:
    refused(deal(), count(1, points=10), by="table.phase")
    refused(count(1, points=10), by="table.phase")
    refused(draw(0), by="table.phase")


def test_table_turn__a_count_of_anybody_else_is_refused_waived_or_not() -> None:
    refused(*OUT, count(1, points=10), by="table.turn")
    refused(*OUT, count(1, points=10, waive=["table.turn"]), by="table.turn")


def test_cards_count__a_count_of_the_hands_size_is_accepted() -> None:
    assert accepted(*OUT, count(0, "QH XX"))["deals"] == [[30, 0]]
    assert accepted(*OUT, count(0, "QH XX"), joker_in_hand=50)["deals"] == [[60, 0]]


@pytest.mark.parametrize("cards", ["QH", "QH QD QC"])
def test_cards_count__a_count_of_another_size_is_refused(cards: str) -> None:
    refused(*OUT, count(0, cards), by="cards.count")
    refused(*OUT, count(0, cards, unsure=True), by="cards.count")


def test_cards_impossible__a_sum_that_two_cards_can_make_is_accepted() -> None:
    for points in (4, 22, 23, 31, 40):
        assert accepted(*OUT, count(0, points=points))["deals"] == [[points, 0]]


def test_cards_impossible__two_jokers_that_cost_nothing_are_accepted() -> None:
    assert accepted(*OUT, count(0, points=0), joker_in_hand=0)["deals"] == [[0, 0]]
    assert accepted(result(1, opened(0), None), joker_in_hand=0)["deals"] == [[0, 0]]


@pytest.mark.parametrize("points", [0, 3, 41, -4])
def test_cards_impossible__a_sum_that_no_two_cards_make_is_refused(points: int) -> None:
    refused(*OUT, count(0, points=points), by="cards.impossible")


def test_cards_seen__a_third_copy_counted_elsewhere_is_refused_naming_the_count() -> None:
    three = [
        deal(dealer=2),
        draw(0),
        meld(0, "TS JS QS KS AS"),
        throw(0, "9H"),
        draw(1),
        meld(1, ROYAL),
        throw(1, "9D"),
        draw(2),
        meld(2, "TD JD QD KD AD", "2S 3S 4S 5S 6S", "7C 7D 7H"),
        throw(2, "8S"),
    ]
    twice = count(0, "9S 9S 2C 3C 4C 5H 6H 7S")
    thrice, other = count(1, "9S 8H 2D 3D 4D 5D 6D 8C"), count(1, "9C 8H 2D 3D 4D 5D 6D 8C")
    refused(*three, twice, thrice, by="cards.seen", contradicts=10, seats=3)
    accepted(*three, twice, other, seats=3)


def test_cards_held__a_count_without_a_card_known_to_be_there_is_refused() -> None:
    known = [
        deal(dealer=1),
        draw(0, "QH"),
        meld(0, "TS JS QS KS AS", "2D 3D 4D", "6C 7C 8C"),
        throw(0, "9H"),
        draw(1),
        meld(1, ROYAL, "2S 3S 4S 5S 6S", "7D 8D 9D TD"),
    ]
    accepted(*known, count(0, "QH 2C"))
    refused(*known, count(0, "QD 2C"), by="cards.held", contradicts=1)
    accepted(*known, count(0, points=12))
    refused(*known, count(0, points=4), by="cards.impossible", contradicts=1)


def test_table_result__part_way_that_agrees_is_accepted() -> None:
    begun = [*opening(), *turn(0, "9D")]
    assert accepted(*begun, result(0, None, opened(8)))["deals"] == [[0, 8]]
    assert accepted(*begun, result(1, closed(), None, dealer=0))["deals"] == [[200, 0]]
    assert accepted(*OUT, result(1, opened("QH QD"), None))["deals"] == [[20, 0]]


def test_table_result__that_disagrees_is_refused() -> None:
    begun = [*opening(), *turn(0, "9D")]
    refused(*begun, result(0, None, closed()), by="table.result", contradicts=2)
    refused(*begun, result(0, opened(8), None), by="table.result")
    refused(*begun, result(0, None, opened(8), dealer=1), by="table.result")
    refused(*begun, result(0, None, opened(999)), by="table.result")
    refused(*begun, result(0, opened(8), opened(8)), by="table.result")
    refused(*OUT, result(0, None, opened(8)), by="table.result", contradicts=5)
    refused(*OUT, result(1, closed(), None), by="table.result", contradicts=2)
    refused(*OUT, result(1, opened(3), None), by="table.result")


def test_table_result__of_hands_counted_already_is_the_same_or_refused() -> None:
    three = [
        deal(dealer=2),
        draw(0),
        meld(0, "TS JS QS KS AS"),
        throw(0, "9H"),
        draw(1),
        meld(1, ROYAL),
        throw(1, "9D"),
        draw(2),
        meld(2, "TD JD QD KD AD", "2S 3S 4S 5S 6S", "7C 7D 7H"),
        throw(2, "8S"),
        count(0, points=60),
    ]
    hands = (opened(60), opened(50), None)
    assert accepted(*three, result(2, *hands), seats=3)["deals"] == [[60, 50, 0]]
    refused(
        *three, result(2, opened(61), opened(50), None), by="table.result", contradicts=10, seats=3
    )


def test_table_result__a_third_copy_beside_the_tables_is_refused() -> None:
    twice = [*opening(), draw(0), meld(0, ROYAL), throw(0, "9D")]
    refused(*twice, result(1, opened("TC 2S"), None), by="table.result", contradicts=5)
    accepted(*twice, result(1, opened("TD 2S"), None))


def test_cards_count__more_cards_than_the_hand_can_still_hold_are_refused() -> None:
    begun = [*opening("2S 3S 4S 5S 6S"), *turn(0, "9D"), draw(1)]  # seat 1: three, has drawn
    accepted(*begun, result(0, None, opened("2D 3D 4D 5D")))
    refused(*begun, result(0, None, opened("2D 3D 4D 5D 6D")), by="cards.count")
    refused(result(0, None, opened("2D " * 14)), by="cards.count")
    refused(result(0, None, {"opened": True, "cards": []}), by="cards.count")


def test_cards_count__a_hand_for_every_seat_or_refused() -> None:
    refused(result(0, None, opened(8), opened(8)), by="cards.count")


def test_table_dealer__the_first_is_free_then_the_deal_passes_to_the_left_accepted() -> None:
    first = result(0, None, opened(8), dealer=1)
    accepted(first, deal(dealer=0))
    accepted(deal(dealer=1), VOID, deal(dealer=1))


def test_table_dealer__another_is_refused() -> None:
    first = result(0, None, opened(8), dealer=1)
    refused(first, deal(dealer=1), by="table.dealer")
    refused(first, result(0, None, opened(8), dealer=1), by="table.dealer")
    waived = accepted(first, deal(dealer=1, waive=["table.dealer"]))
    assert waived["to_act"] == [0]
    refused(deal(dealer=1), VOID, deal(dealer=0), by="table.dealer")


def test_table_seat__one_of_the_game_is_accepted() -> None:
    accepted(deal(dealer=5), draw(0), seats=6)


def test_table_seat__there_is_none_of_that_number_and_is_refused() -> None:
    refused(deal(dealer=2), by="table.seat")
    refused(deal(), draw(2), by="table.seat")
    refused(result(2, opened(8), opened(8)), by="table.seat")
    accepted(deal(dealer=2), seats=3)


def test_table_version__a_correction_of_an_entry_written_by_hand_is_accepted() -> None:
    amend = {"type": "amend", "version": 2, "move": deal("3H")}
    assert accepted(deal(), draw(1), amend, throw(1, "2H"))["to_act"] == [0]


def test_table_version__a_correction_of_anything_else_is_refused() -> None:
    refused(deal(), {"type": "take_back", "to": 9}, by="table.version")
    ended = result(0, None, opened(8))
    refused(ended, {"type": "take_back", "to": 3}, by="table.version")


def test_take_use__an_amendment_that_leaves_a_later_entry_without_ground_is_refused() -> None:
    log = [deal("2S"), take(1), meld(1, ROYAL, "2S 3S 4S"), throw(1, "9S")]
    amend = {"type": "amend", "version": 4, "move": meld(1, ROYAL)}
    refused(*log, amend, by="rami.take-use", contradicts=3)


def test_win__a_total_that_reaches_the_target_ends_the_game() -> None:
    over = [result(0, None, opened(100)), result(0, None, opened(7))]
    assert accepted(over[0], target=101)["finished"] is False
    assert accepted(over[0], target=100)["finished"] is True
    refused(*over, by="table.phase", target=100)
    accepted(over[0], NOTE, target=100)


def test_win__an_adjustment_counts_but_decides_only_at_the_end_of_a_deal() -> None:
    more = {"type": "adjust", "seat": 0, "points": 100, "reason": "agreed"}
    assert accepted(more, target=100)["finished"] is False
    assert accepted(more, result(0, None, opened(8)), target=100)["finished"] is True
    assert accepted(more, FINISH, target=200)["finished"] is True


def test_table_result__points_that_no_hands_side_by_side_can_make_are_refused() -> None:
    refused(result(0, None, opened(1)), by="table.result")
    refused(result(0, None, opened(10**30)), by="table.result")
    accepted(result(0, None, opened(1)), joker_in_hand=1)
    aces = [opened(138), opened(138)]  # eight aces and five tens each, or jokers
    accepted(result(0, None, *aces), seats=3)
    refused(result(0, None, *aces), by="table.result", seats=3, joker_in_hand=0)


def test_table_result__with_a_hand_that_no_two_losers_share_is_accepted() -> None:
    hands = [opened(57), opened("JD 4C"), opened(23), closed()]
    accepted(result(4, *hands, None), seats=5)
