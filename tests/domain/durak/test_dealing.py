"""The deal, a new deal asked for, who leads and who deals."""

from collections import Counter

import pytest

from domain.durak.proof import dealt
from domain.durak.state import STOCK, UNDER
from schemas.durak import Deal
from tests.domain.durak.entries import (
    BEGUN,
    VOID,
    accepted,
    attack,
    away,
    beat,
    deal,
    done,
    facts,
    lowest,
    redeal,
    refused,
    result,
)

LONG = ["6H", "7H", "8H", "9H", "TH", "6D"]  # five hearts and no spade
OTHERS = [["6C", "7C", "8C", "9C", "TC", "JC"], ["7D", "8D", "9D", "TD", "JD", "QD"]]
NO_TRUMPS = [LONG, *OTHERS]


# --- durak.deal


@pytest.mark.parametrize(("seats", "stock"), [(2, 24), (3, 18), (4, 12), (5, 6), (6, 0)])
def test_deal__six_cards_each_are_accepted(seats: int, stock: int) -> None:
    answered = accepted(deal(dealer=0), seats=seats)
    assert answered["hand_counts"] == [6] * seats
    assert answered["stock"] == stock


@pytest.mark.parametrize("unsure", [True, False], ids=["unsure", "sure"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_deal__as_many_cards_are_known_of_at_each_place_as_lie_there(
    seats: int,
    unsure: bool,  # noqa: FBT001 of the deal
) -> None:
    known = dealt(Deal(dealer=0, trump="9S", unsure=unsure), seats, 2)
    assert known is not None
    world = known.world
    lying = Counter({place: cards.bit_count() for place, cards in world.known.items()})
    for pool in world.pools:
        lying[pool.place] += pool.assignment.bit_count()
    stock = {UNDER: 1, STOCK: 35 - 6 * seats} if seats < 6 else {}
    assert +lying == {**dict.fromkeys(range(seats), 6), **stock}


def test_deal__the_shown_card_in_a_hand_is_refused() -> None:
    hand = ["9S", "6H", "7H", "8H", "9H", "TH"]
    refused(deal("9S", hands=[hand, None, None]), by="cards.seen")


def test_deal__among_six_a_dealer_without_the_shown_card_is_refused() -> None:
    hands = [None] * 5 + [LONG]
    refused(deal("9S", dealer=5, hands=hands), by="cards.held", seats=6)


def test_deal__among_six_a_dealer_with_the_shown_card_is_accepted() -> None:
    accepted(deal("6D", dealer=5, hands=[None] * 5 + [LONG]), seats=6)


@pytest.mark.parametrize("twice", OTHERS[0])
def test_deal__among_six_any_other_card_in_two_hands_is_refused(twice: str) -> None:
    hands = [OTHERS[0], None, [*OTHERS[1][:5], twice], None, None, LONG]
    entry = deal("6D", dealer=5, hands=hands)
    refused(entry, by="cards.seen", seats=6)
    assert facts(entry, seats=6) == {"card": twice}


# --- durak.redeal


def test_redeal__five_of_a_suit_without_a_trump_is_accepted() -> None:
    answered = accepted(deal(), redeal("suit", seat=0, suit="H"), rules="de")
    assert answered["to_act"] == [2]
    assert answered["deals"] == []


def test_redeal__five_of_a_suit_is_refused_where_the_table_does_not_play_so() -> None:
    refused(deal(), redeal("suit", seat=0, suit="H"), by="durak.redeal")


def test_redeal__five_of_a_suit_is_accepted_when_the_table_lets_it_pass() -> None:
    accepted(deal(), redeal("suit", seat=0, suit="H", waive=["durak.redeal"]))


def test_redeal__a_known_hand_without_a_long_suit_is_refused() -> None:
    dealt = deal(hands=[None, OTHERS[1], None])
    refused(dealt, redeal("suit", seat=1, suit="H"), by="durak.redeal", contradicts=0, rules="de")


def test_redeal__trumps_as_the_long_suit_are_refused() -> None:
    refused(deal(), redeal("suit", seat=1, suit="S"), by="durak.redeal", rules="de")


def test_redeal__after_the_lowest_trump_was_shown_a_long_suit_is_accepted() -> None:
    accepted(*BEGUN, redeal("suit", seat=1, suit="H"), rules="de")


def test_redeal__whoever_showed_a_trump_is_refused() -> None:
    refused(*BEGUN, redeal("suit", seat=0, suit="H"), by="durak.redeal", contradicts=1, rules="de")


def test_redeal__after_the_first_attack_is_refused() -> None:
    log = [*BEGUN, attack(0, "7D"), redeal("suit", seat=1, suit="H")]
    refused(*log, by="table.phase", rules="de")


def test_redeal__cards_laid_away_are_not_those_of_the_long_suit() -> None:
    let_pass = away(0, "7S 7H 7D 7C", waive=["durak.four-away"])
    accepted(*BEGUN, let_pass, redeal("suit", seat=1, suit="H"), rules="de")


def test_redeal__nobody_with_a_trump_is_accepted() -> None:
    accepted(deal(hands=NO_TRUMPS), redeal())


def test_redeal__nobody_with_a_trump_is_refused_once_the_lowest_was_shown() -> None:
    refused(*BEGUN, redeal(), by="durak.redeal", contradicts=1)


def test_redeal__the_lowest_shown_is_not_blamed_where_a_hand_has_a_trump_anyway() -> None:
    dealt = deal(hands=[["6S", "7C", "8C", "9C", "TC", "JC"], None, None])
    refused(dealt, lowest(0, "6S"), redeal(), by="durak.redeal")


def test_redeal__nobody_with_a_trump_is_refused_in_a_later_deal() -> None:
    log = [result([[2], [0], [1]], 1), deal(dealer=1), redeal()]
    refused(*log, by="durak.redeal")


def test_redeal__nobody_with_a_trump_is_refused_where_a_hand_has_one() -> None:
    hand = ["AS", "7C", "8C", "9C", "TC", "JC"]
    refused(deal(hands=[None, hand, None]), redeal(), by="durak.redeal", contradicts=0)


@pytest.mark.parametrize("seats", [5, 6])
def test_redeal__nobody_with_a_trump_among_so_many_is_refused(seats: int) -> None:
    refused(deal(), redeal(), by="durak.redeal", seats=seats)


def test_redeal__nobody_with_a_trump_among_four_is_accepted() -> None:
    accepted(deal(), redeal(), seats=4)


def test_redeal__the_same_dealer_deals_again() -> None:
    refused(deal(), redeal(), deal(dealer=0), by="table.dealer")


# --- durak.first-lead


def test_first_lead__whoever_showed_the_lowest_trump_is_accepted() -> None:
    answered = accepted(*BEGUN, attack(0, "7D"))
    assert answered["to_act"] == [1]


def test_first_lead__somebody_else_is_refused() -> None:
    refused(*BEGUN, attack(1, "7D"), by="durak.first-lead")


def test_first_lead__somebody_else_is_accepted_when_the_table_lets_it_pass() -> None:
    answered = accepted(*BEGUN, attack(1, "7D", waive=["durak.first-lead"]))
    assert answered["to_act"] == [2]


def test_first_lead__an_attack_before_the_trump_is_shown_is_refused() -> None:
    refused(deal(), attack(0, "7D"), by="durak.first-lead")


def test_first_lead__after_a_draw_the_lowest_trump_is_asked_for_again() -> None:
    log = [result([[2], [0, 1]], None, dealer=0), deal(dealer=1)]
    refused(*log, attack(2, "7D"), by="durak.first-lead")
    accepted(*log, lowest(0), attack(0, "7D"))


def test_first_lead__a_lower_trump_in_another_hand_is_refused_against_the_lowest() -> None:
    log = [deal(), lowest(0, "TS"), attack(0, "7D"), beat(1, "7D", "7S")]
    refused(*log, by="durak.first-lead", contradicts=1)


def test_first_lead__an_unnamed_lowest_proves_the_same_and_is_refused() -> None:
    log = [deal(), lowest(0), attack(0, "7D"), beat(1, "7D", "6S")]
    refused(*log, by="durak.first-lead", contradicts=1)


def test_first_lead__after_an_unnamed_lowest_a_middling_trump_is_accepted() -> None:
    accepted(deal(), lowest(0), attack(0, "7D"), beat(1, "7D", "TS"))


def test_first_lead__the_card_under_the_stock_does_not_count_and_is_accepted() -> None:
    accepted(deal("6S"), lowest(0, "7S"))


def test_first_lead__among_six_the_shown_card_counts_and_a_higher_one_is_refused() -> None:
    log = [deal("7S", dealer=5), lowest(0, "8S")]
    refused(*log, by="durak.first-lead", seats=6)  # 6S is in some hand, whichever was shown


def test_first_lead__a_lower_trump_in_a_given_hand_is_refused_against_the_deal() -> None:
    hand = ["6S", "7C", "8C", "9C", "TC", "JC"]
    log = [deal(hands=[None, hand, None]), lowest(0, "7S")]
    refused(*log, by="durak.first-lead", contradicts=0)


def test_first_lead__a_card_that_is_no_trump_is_refused() -> None:
    refused(deal(), lowest(0, "6H"), by="durak.first-lead")


def test_first_lead__a_waived_lowest_proves_nothing_and_is_accepted() -> None:
    first = lowest(0, "TS", waive=["durak.first-lead"])
    accepted(deal(), first, attack(0, "7D"), beat(1, "7D", "7S"))


def test_first_lead__a_lower_trump_is_accepted_of_any_hand_once_the_table_let_one_pass() -> None:
    let_pass = beat(1, "AD", "7S", waive=["durak.first-lead"])
    log = [deal(), lowest(0, "QS"), attack(0, "AD"), let_pass, done(0), done(2), attack(1, "7D")]
    accepted(*log, beat(2, "7D", "6S"))


def test_first_lead__a_lower_trump_is_refused_where_the_table_let_nothing_pass() -> None:
    log = [deal(), lowest(0, "QS"), attack(0, "AD"), beat(1, "AD", "AS"), done(0), done(2)]
    last = [attack(1, "7D"), beat(2, "7D", "6S")]
    refused(*log, *last, by="durak.first-lead", contradicts=1)


def test_first_lead__without_a_trump_in_any_hand_left_of_the_dealer_is_accepted() -> None:
    accepted(deal(), attack(0, "7D"), redeal_no_trump=False)


def test_first_lead__without_a_trump_in_any_hand_anybody_else_is_refused() -> None:
    refused(deal(), attack(1, "7D"), by="durak.first-lead", redeal_no_trump=False)


def test_first_lead__without_lowest_a_trump_shown_later_is_refused() -> None:
    log = [deal(), attack(0, "7D"), beat(1, "7D", "TS")]
    refused(*log, by="durak.first-lead", contradicts=1, redeal_no_trump=False)


def test_first_lead__without_a_trump_among_five_hands_is_refused_whatever_was_shown() -> None:
    log = [deal(dealer=4), attack(0, "7D")]
    refused(*log, by="durak.first-lead", seats=5, redeal_no_trump=False)


# --- durak.next-lead


@pytest.mark.parametrize(("custom", "leader"), [("winner", 3), ("teach", 0), ("spare", 2)])
def test_next_lead__by_the_custom_of_the_table_is_accepted(custom: str, leader: int) -> None:
    log = [result([[3], [0], [2], [1]], 1), deal(dealer=1), attack(leader, "7D")]
    accepted(*log, seats=4, teams=False, next_lead=custom)


@pytest.mark.parametrize(("custom", "leader"), [("winner", 0), ("teach", 2), ("spare", 3)])
def test_next_lead__against_the_custom_of_the_table_is_refused(custom: str, leader: int) -> None:
    log = [result([[3], [0], [2], [1]], 1), deal(dealer=1), attack(leader, "7D")]
    refused(*log, by="durak.next-lead", seats=4, teams=False, next_lead=custom)


def test_next_lead__is_accepted_otherwise_when_the_table_lets_it_pass() -> None:
    log = [result([[2], [0], [1]], 1), deal(dealer=1)]
    accepted(*log, attack(0, "7D", waive=["durak.next-lead"]))


# --- durak.dealer


def test_dealer__the_durak_is_accepted() -> None:
    accepted(result([[2], [0], [1]], 1), deal(dealer=1))


def test_dealer__anybody_else_is_refused() -> None:
    refused(result([[2], [0], [1]], 1), deal(dealer=2), by="durak.dealer")


def test_dealer__after_a_draw_the_left_of_the_last_is_accepted() -> None:
    accepted(result([[2], [0, 1]], None, dealer=2), deal(dealer=0))


def test_dealer__after_a_draw_the_same_again_is_refused() -> None:
    refused(result([[2], [0, 1]], None, dealer=2), deal(dealer=2), by="durak.dealer")


@pytest.mark.parametrize("clause", ["durak.dealer", "table.dealer"])
def test_dealer__the_rotation_is_accepted_to_go_on_from_who_really_dealt(clause: str) -> None:
    log = [result([[2], [0, 1]], None, dealer=2), deal(dealer=1, waive=[clause])]
    accepted(*log, result([[2], [0, 1]], None), deal(dealer=2))


def test_dealer__after_an_annulled_deal_another_is_refused() -> None:
    refused(deal(dealer=2), VOID, deal(dealer=1), by="table.dealer")


# --- what is told of why


def test_dealer__it_is_told_whether_the_durak_or_a_draw_says_who_deals() -> None:
    assert facts(result([[2], [0], [1]], 1), deal(dealer=2))["why"] == "durak"
    assert facts(result([[2], [0, 1]], None, dealer=2), deal(dealer=2))["why"] == "drawn"


def test_first_lead__it_is_told_that_a_trump_leads_or_that_none_was_shown() -> None:
    assert facts(deal(), attack(0, "7S"), redeal_no_trump=False)["why"] == "trump"
    assert facts(deal(), attack(1, "7D"), redeal_no_trump=False)["why"] == "unshown"
    assert facts(deal(), attack(0, "7D"))["why"] == "unshown"


def test_redeal__it_is_told_whether_the_trump_or_too_few_cards_speak_against_it() -> None:
    trump = [*BEGUN, redeal("suit", seat=0, suit="H")]
    assert facts(*trump, rules="de")["why"] == "trump"
    few = [deal(hands=[None, OTHERS[1], None]), redeal("suit", seat=1, suit="H")]
    assert facts(*few, rules="de")["why"] == "few"
    hands = [deal(hands=[None, ["AS", "7C", "8C", "9C", "TC", "JC"], None]), redeal()]
    assert facts(*hands)["why"] == "hands"


def test_first_lead__it_is_told_what_rules_a_card_out() -> None:
    shown = [deal(), lowest(0, "TS"), attack(0, "7D"), beat(1, "7D", "7S")]
    assert facts(*shown)["why"] == "shown"
    nothing = [deal(), lowest(0), attack(0, "7D"), beat(1, "7D", "6S")]
    assert facts(*nothing)["why"] == "shown"
    unasked = [deal(), attack(0, "7D"), beat(1, "7D", "TS")]
    assert facts(*unasked, redeal_no_trump=False)["why"] == "nothing shown"
    given = [deal(hands=[None, ["TS", "6C", "7C", "8C", "9C", "TC"], None]), attack(0, "7D")]
    assert facts(*given, redeal_no_trump=False)["why"] == "lead"
    led = [deal(dealer=2, hands=[LONG, OTHERS[0], None]), lowest(0, "TS")]
    assert "why" not in facts(*led)
