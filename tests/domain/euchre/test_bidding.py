"""The deal and the bidding, clause by clause."""

import pytest

from tests.domain.euchre.entries import (
    accepted,
    accepts,
    deal,
    leaves,
    malformed,
    names,
    orders,
    passes,
    play,
    refused,
    result,
    takes,
    tricks,
)

ROUND_TWO = [deal("9S"), passes(1), passes(0)]


# --- euchre.deal


@pytest.mark.parametrize(("deck", "stock"), [(24, 14), (25, 15), (32, 22)])
def test_deal__five_cards_each_are_accepted_and_the_rest_is_stock(deck: int, stock: int) -> None:
    answered = accepted(deal("9S"), deck=deck)
    assert answered["hand_counts"] == [5, 5]
    assert answered["stock"] == stock


def test_deal__the_turned_card_leaves_the_stock_when_it_is_taken() -> None:
    assert accepted(deal("9S"), orders(), takes())["stock"] == 13
    assert accepted(deal("9S"), orders(), leaves())["stock"] == 14


def test_deal__a_hand_that_is_not_five_cards_is_refused() -> None:
    refused(deal("9S", hands=[["AS"], None]), by="cards.count")


def test_deal__a_joker_turned_up_is_accepted_with_the_suit_the_dealer_named() -> None:
    log = [deal("XX", turn_up_suit="H"), orders(), takes(), play(1, "AH")]
    accepted(*log, play(0, "XX"), deck=25)


def test_deal__a_joker_turned_up_makes_the_suit_named_trump() -> None:
    log = [deal("XX", turn_up_suit="H"), orders(), leaves(), *tricks(1, "AS 9H")]
    assert accepted(*log, deck=25)["to_act"] == [0]


def test_deal__the_suit_goes_with_a_joker_and_with_nothing_else() -> None:
    assert malformed(deal("XX"), deck=25) == "$.log[0]"
    assert malformed(deal("9S", turn_up_suit="S")) == "$.log[0]"


# --- euchre.bid-first


def test_bid_first__the_non_dealer_then_the_dealer_is_accepted_in_both_rounds() -> None:
    log = [deal("9S"), passes(1), passes(0), passes(1), passes(0)]
    assert [accepted(*log[:end])["to_act"] for end in range(1, 6)] == [[1], [0], [1], [0], [1]]


def test_bid_first__the_dealer_first_is_refused() -> None:
    refused(deal("9S"), passes(0), by="euchre.bid-first")
    refused(*ROUND_TWO, passes(0), by="euchre.bid-first")


def test_bid_first__the_dealers_early_pass_waived_is_accepted_and_the_others_ends_the_round() -> (
    None
):
    early = [deal("9S"), passes(0, waive=["euchre.bid-first"])]
    assert accepted(*early)["to_act"] == [1]
    accepted(*early, passes(1), names(1, "H"))
    accepted(*early, orders(), leaves())


@pytest.mark.parametrize("clause", ["euchre.bid-first", "table.turn"])
def test_bid_first__either_clause_waived_lets_the_dealer_bid_first_and_is_accepted(
    clause: str,
) -> None:
    passed = accepted(deal("9S"), passes(0, waive=[clause]))
    assert passed["to_act"] == [1]
    accepting = accepted(deal("9S"), accepts(0, waive=[clause]), result(0, 3))
    assert accepting["deals"] == [[1, 0]]
    named = [*ROUND_TWO, names(0, "H", waive=[clause])]
    assert accepted(*named)["to_act"] == [1]
    assert accepted(*named, *tricks(1, "AS 9H"))["to_act"] == [0]


# --- table.turn


def test_table_turn__the_non_dealers_second_pass_is_refused() -> None:
    refused(deal("9S"), passes(1), passes(1), by="table.turn")
    refused(*ROUND_TWO, passes(1), passes(1), by="table.turn")


@pytest.mark.parametrize("clause", ["euchre.bid-first", "table.turn"])
def test_table_turn__a_second_pass_waived_is_accepted_and_the_dealer_speaks(clause: str) -> None:
    assert accepted(deal("9S"), passes(1), passes(1, waive=[clause]))["to_act"] == [0]


def test_table_turn__the_non_dealers_late_bid_is_refused() -> None:
    refused(deal("9S"), passes(1), orders(1), by="table.turn")
    refused(*ROUND_TWO, passes(1), names(1, "H"), by="table.turn")


@pytest.mark.parametrize("clause", ["euchre.bid-first", "table.turn"])
def test_table_turn__the_non_dealers_late_bid_waived_is_accepted(clause: str) -> None:
    ordered = [deal("9S"), passes(1), orders(1, waive=[clause])]
    assert accepted(*ordered)["to_act"] == [0]
    accepted(*ordered, leaves(), play(1, "AH"))
    named = [*ROUND_TWO, passes(1), names(1, "H", waive=[clause]), result(1, 3)]
    assert accepted(*named)["deals"] == [[0, 1]]


def test_bid_first__an_early_pass_in_round_two_passes_the_deal_out_once_the_other_passes() -> None:
    log = [*ROUND_TWO, passes(0, waive=["euchre.bid-first"]), passes(1)]
    assert accepted(*log)["deals"] == [[0, 0]]


# --- euchre.order


def test_order__by_the_non_dealer_is_accepted_and_the_dealer_exchanges() -> None:
    assert accepted(deal("9S"), orders())["to_act"] == [0]


def test_order__makes_the_non_dealer_the_maker() -> None:
    assert accepted(deal("9S"), orders(), result(1, 3))["deals"] == [[0, 1]]


def test_order__by_the_dealer_is_refused() -> None:
    refused(deal("9S"), orders(0), by="euchre.order")


def test_order__by_the_dealer_is_refused_even_when_waived() -> None:
    waived = ["euchre.order", "euchre.bid-first", "table.turn"]
    refused(deal("9S"), passes(1), orders(0, waive=waived), by="table.phase")
    refused(deal("9S"), orders(0, waive=waived), by="table.phase")


def test_order__in_round_two_is_refused_even_when_waived() -> None:
    refused(*ROUND_TWO, orders(1, waive=["euchre.order", "table.turn"]), by="table.phase")


# --- euchre.exchange


@pytest.mark.parametrize("discard", [{}, {"discard": "??"}, {"discard": "AH"}])
def test_exchange__taking_the_turned_card_is_accepted(discard: dict[str, str]) -> None:
    answered = accepted(deal("9S"), orders(), takes(0, **discard))
    assert (answered["to_act"], answered["hand_counts"]) == ([1], [5, 5])


def test_exchange__leaving_the_turned_card_is_accepted_and_its_suit_is_trump() -> None:
    log = [deal("9S"), orders(), leaves(), *tricks(1, "AH TS")]
    assert accepted(*log)["to_act"] == [0]


def test_exchange__by_the_non_dealer_is_refused() -> None:
    refused(deal("9S"), orders(), takes(1), by="euchre.exchange")


def test_exchange__laying_away_the_turned_card_is_refused() -> None:
    refused(deal("9S"), orders(), takes(discard="9S"), by="euchre.exchange")


def test_exchange__laying_away_the_turned_card_is_accepted_when_waived() -> None:
    log = [deal("9S"), orders(), takes(discard="9S", waive=["euchre.exchange"])]
    accepted(*log)
    refused(*log, play(1, "AS"), play(0, "9S"), by="cards.seen", contradicts=2)


def test_exchange__waived_may_have_laid_the_turned_card_away_unseen() -> None:
    taken = [deal("9S"), orders(), takes(waive=["euchre.exchange"])]
    accepted(*taken, play(1, "AS"), play(0, "AH"))
    accepted(*taken, play(1, "AS"), play(0, "9S"))


def test_exchange__nothing_is_laid_away_where_nothing_is_taken() -> None:
    assert malformed(deal("9S"), orders(), leaves(discard="AH")) == "$.log[2]"


# --- euchre.accept


def test_accept__by_the_dealer_after_a_pass_is_accepted() -> None:
    answered = accepted(deal("9S"), passes(1), accepts(), result(0, 3))
    assert answered["deals"] == [[1, 0]]


def test_accept__before_the_other_has_spoken_is_refused() -> None:
    refused(deal("9S"), accepts(), by="euchre.bid-first")


def test_accept__by_the_non_dealer_is_refused() -> None:
    refused(deal("9S"), passes(1), accepts(1), by="euchre.accept")


def test_accept__laying_away_the_turned_card_is_refused() -> None:
    refused(deal("9S"), passes(1), accepts(discard="9S"), by="euchre.accept")


def test_accept__laying_away_the_turned_card_is_accepted_when_waived() -> None:
    accepted(deal("9S"), passes(1), accepts(discard="9S", waive=["euchre.accept"]))


# --- euchre.turned-down


def test_turned_down__the_suit_turned_down_is_accepted_where_the_table_allows_it() -> None:
    accepted(*ROUND_TWO, names(1, "S"), turned_down_suit="allowed")


def test_turned_down__the_suit_turned_down_is_refused_where_the_table_forbids_it() -> None:
    refused(
        *ROUND_TWO, names(1, "S"),
        by="euchre.turned-down", turned_down_suit="forbidden",
    )  # fmt: skip


def test_turned_down__another_suit_is_accepted() -> None:
    accepted(*ROUND_TWO, names(1, "H"), turned_down_suit="forbidden")


def test_turned_down__waived_is_accepted() -> None:
    log = [*ROUND_TWO, names(1, "S", waive=["euchre.turned-down"])]
    accepted(*log, turned_down_suit="forbidden")


def test_turned_down__the_suit_named_for_a_joker_is_the_one_refused() -> None:
    log = [deal("XX", turn_up_suit="H"), passes(1), passes(0)]
    refused(
        *log, names(1, "H"),
        by="euchre.turned-down", turned_down_suit="forbidden", deck=25,
    )  # fmt: skip


# --- euchre.name


def test_name__the_first_to_name_is_the_maker_and_the_others_name_is_refused() -> None:
    assert accepted(*ROUND_TWO, names(1, "H"), result(1, 3))["deals"] == [[0, 1]]
    refused(*ROUND_TWO, names(1, "H"), names(0, "D"), by="table.phase")


def test_name__by_the_dealer_once_the_other_passed_is_accepted() -> None:
    accepted(*ROUND_TWO, passes(1), names(0, "H"))


def test_name__by_the_dealer_before_the_other_spoke_is_refused() -> None:
    refused(*ROUND_TWO, names(0, "H"), by="euchre.bid-first")
    refused(*ROUND_TWO, names(0, "H", waive=["euchre.name"]), by="euchre.bid-first")


def test_name__the_suit_named_is_trump_and_not_the_one_turned_down() -> None:
    assert accepted(*ROUND_TWO, names(1, "H"), *tricks(1, "AS 9H"))["to_act"] == [0]
    assert accepted(*ROUND_TWO, names(1, "D"), *tricks(1, "AH TS"))["to_act"] == [1]


# --- euchre.stick


def test_stick__the_dealers_last_pass_is_accepted_where_the_table_lets_it_pass() -> None:
    accepted(*ROUND_TWO, passes(1), passes(0), last_bid="pass")


def test_stick__the_dealers_last_pass_is_refused_where_the_dealer_is_stuck() -> None:
    refused(*ROUND_TWO, passes(1), passes(0), by="euchre.stick", last_bid="stick")


def test_stick__the_dealers_last_pass_is_accepted_when_waived() -> None:
    log = [*ROUND_TWO, passes(1), passes(0, waive=["euchre.stick"])]
    assert accepted(*log, last_bid="stick")["deals"] == [[0, 0]]


def test_stick__the_non_dealers_pass_is_accepted() -> None:
    accepted(*ROUND_TWO, passes(1), names(0, "H"), last_bid="stick")


def test_stick__a_result_passed_out_is_refused_too_unless_waived() -> None:
    refused(result(None), by="euchre.stick", last_bid="stick")
    refused(deal("9S"), result(None), by="euchre.stick", last_bid="stick")
    accepted(result(None, waive=["euchre.stick"]), last_bid="stick")


def test_stick__an_early_last_pass_is_refused_unless_both_clauses_are_waived() -> None:
    both = ["euchre.bid-first", "euchre.stick"]
    refused(*ROUND_TWO, passes(0, waive=both[:1]), by="euchre.stick", last_bid="stick")
    refused(*ROUND_TWO, passes(0, waive=both[1:]), by="euchre.bid-first", last_bid="stick")
    accepted(*ROUND_TWO, passes(0, waive=both), last_bid="stick")


# --- euchre.passed-out


def test_passed_out__ends_the_deal_without_points_and_the_other_deals() -> None:
    answered = accepted(*ROUND_TWO, passes(1), passes(0))
    assert (answered["deals"], answered["totals"], answered["to_act"]) == ([[0, 0]], [0, 0], [1])


def test_passed_out__by_a_result_ends_the_deal_as_well() -> None:
    answered = accepted(deal("9S"), result(None))
    assert (answered["deals"], answered["to_act"]) == ([[0, 0]], [1])


def test_passed_out__in_round_one_alone_does_not_end_the_deal() -> None:
    assert accepted(*ROUND_TWO)["deals"] == []
