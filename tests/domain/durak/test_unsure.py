"""Cards the recorder is not certain of: judged like any other, and proving nothing."""

from tests.domain.durak.entries import (
    BEGUN,
    accepted,
    attack,
    beat,
    deal,
    done,
    lowest,
    refused,
    take,
)

TRUMPED = [deal("9D", dealer=0, hands=[["8D", "7C", "8C", "9C", "TC", "JC"], None])]
HAND = ["7D", "7C", "8C", "9C", "TC", "6S"]
OPEN = [deal(hands=[HAND, None, None]), lowest(0, "6S")]


def test_unsure__the_table_goes_by_what_was_named() -> None:
    accepted(*BEGUN, attack(0, "7D", unsure=True), beat(1, "7D", "9D"), attack(0, "9C"))
    refused(*BEGUN, attack(0, "7D", unsure=True), beat(1, "7D", "9C"), by="durak.beats")


def test_unsure__a_card_that_cannot_be_there_is_refused_all_the_same() -> None:
    refused(*OPEN, attack(0, "8D", unsure=True), by="cards.held", contradicts=0)


def test_unsure__the_card_may_be_shown_again_by_the_same_hand() -> None:
    log = [*BEGUN, attack(0, "7D", unsure=True), beat(1, "7D", "9D"), attack(0, "7H")]
    accepted(*log, beat(1, "7H", "8H"), attack(0, "7D"))


def test_unsure__from_a_given_hand_it_may_have_been_any_other_card_of_it() -> None:
    log = [*OPEN, attack(0, "7D", unsure=True), take(1), attack(2, "AH")]
    for card in HAND:
        accepted(*log, take(0), attack(1, card))
    refused(*log, take(0), attack(1, "AH"), by="cards.seen", contradicts=4)


def test_unsure__what_was_taken_is_one_unknown_card_of_the_taker() -> None:
    log = [*OPEN, attack(0, "7D", unsure=True), take(1), attack(2, "AH"), take(0)]
    accepted(*log, attack(1, "7C"), beat(2, "7C", "JC"), done(None), attack(2, "TD"))


def test_unsure__an_unsure_lowest_proves_nothing() -> None:
    accepted(deal(), lowest(0, "TS", unsure=True), attack(0, "7D"), beat(1, "7D", "7S"))


def test_unsure__a_lead_without_lowest_is_refused_where_a_hand_holds_a_trump() -> None:
    lead = attack(1, "7H", unsure=True)
    refused(*TRUMPED, lead, by="durak.first-lead", contradicts=0, seats=2, redeal_no_trump=False)


def test_unsure__a_lead_without_lowest_is_accepted_and_proves_nothing() -> None:
    log = [deal("9D", dealer=0), attack(1, "7H", unsure=True), beat(0, "7H", "8D")]
    accepted(*log, seats=2, redeal_no_trump=False)


def test_unsure__only_the_shown_card_of_an_unsure_deal_is_in_doubt() -> None:
    log = [deal(unsure=True, hands=[HAND, None, None]), lowest(0, "6S")]
    accepted(*log, attack(0, "7D"), beat(1, "7D", "9S"))
    refused(*log, attack(0, "AD"), by="cards.held", contradicts=0)


def test_unsure__among_six_only_the_shown_card_of_the_dealers_hand_is_in_doubt() -> None:
    hands = [None] * 5 + [HAND]
    shown = lowest(5, waive=["durak.first-lead"])
    log = [deal("6S", dealer=5, unsure=True, hands=hands), shown]
    accepted(*log, attack(5, "AS"), seats=6)
    accepted(*log, attack(5, "7D"), beat(0, "7D", "6S"), seats=6)
    named = [deal("6S", dealer=5, unsure=True, hands=hands), lowest(5)]
    refused(*named, attack(5, "AS"), by="durak.first-lead", contradicts=1, seats=6)


def test_unsure__a_given_hand_that_took_up_cards_is_still_the_deals_if_all_were_certain() -> None:
    dealt = deal(hands=[None, ["7C", "8C", "9C", "TC", "JC", "7D"], None])
    log = [dealt, lowest(0, "6S"), attack(0, "AH"), take(1), attack(2, "6H"), take(0)]
    refused(*log, attack(1, "KH"), by="cards.held", contradicts=0)
    log[2] = attack(0, "AH", unsure=True)
    accepted(*log, attack(1, "KH"))
