"""The physical clauses of every game, with the cards of Euchre: packs, hands, what cannot be."""

import pytest

from tests.domain.euchre.entries import (
    accepted,
    accepts,
    deal,
    facts,
    leaves,
    orders,
    passes,
    play,
    refused,
    takes,
    tricks,
)

HAND = ["AS", "KS", "QH", "JD", "TC"]
OTHER = ["AH", "KH", "TD", "9D", "9C"]
LEFT = [deal("9S"), orders(), leaves()]


# --- cards.deck


def test_cards_deck__low_cards_are_accepted_in_the_pack_of_32() -> None:
    accepted(deal("7S"), orders(), leaves(), play(1, "8H"), deck=32)


def test_cards_deck__low_cards_are_refused_in_the_pack_of_24() -> None:
    refused(deal("8S"), by="cards.deck")
    refused(*LEFT, play(1, "7H"), by="cards.deck")
    refused(deal("9S"), orders(), takes(discard="8H"), by="cards.deck")
    refused(deal("9S", hands=[["AS", "KS", "QH", "JD", "2C"], None]), by="cards.deck")


@pytest.mark.parametrize("deck", [24, 32])
def test_cards_deck__a_joker_is_refused_where_there_is_none(deck: int) -> None:
    refused(*LEFT, play(1, "XX"), by="cards.deck", deck=deck)


def test_cards_deck__a_joker_is_accepted_in_the_pack_of_25() -> None:
    accepted(*LEFT, play(1, "XX"), deck=25)


# --- cards.count


def test_cards_count__five_cards_a_hand_are_accepted() -> None:
    accepted(deal("9S", hands=[HAND, OTHER]))


@pytest.mark.parametrize("hand", [HAND[:4], [*HAND, "9H"], []])
def test_cards_count__four_or_six_cards_are_refused(hand: list[str]) -> None:
    refused(deal("9S", hands=[hand, None]), by="cards.count")


def test_cards_count__a_card_listed_twice_is_refused() -> None:
    refused(deal("9S", hands=[["AS", "AS", "QH", "JD", "TC"], None]), by="cards.count")


@pytest.mark.parametrize("hands", [[HAND], [HAND, None, None], []])
def test_cards_count__a_list_of_hands_for_another_number_of_seats_is_refused(
    hands: list[object],
) -> None:
    refused(deal("9S", hands=hands), by="cards.count")


def test_cards_count__hands_not_given_are_accepted() -> None:
    accepted(deal("9S", hands=[None, None]))


# --- cards.seen


def test_cards_seen__a_card_seen_nowhere_is_accepted() -> None:
    accepted(*LEFT, play(1, "AH"), play(0, "KH"))


def test_cards_seen__a_card_played_twice_is_refused_citing_where_it_was_played() -> None:
    refused(*LEFT, play(1, "AH"), play(0, "AH"), by="cards.seen", contradicts=3)


def test_cards_seen__the_turned_card_left_lying_is_refused_in_a_hand() -> None:
    refused(*LEFT, play(1, "9S"), by="cards.seen", contradicts=0)


def test_cards_seen__the_turned_card_taken_is_refused_from_the_other_hand() -> None:
    # It moved since it was turned up, but its place is certain: the deal named it.
    refused(deal("9S"), orders(), takes(), play(1, "9S"), by="cards.seen", contradicts=0)


def test_cards_seen__the_turned_card_taken_is_accepted_from_the_dealer() -> None:
    accepted(deal("9S"), orders(), takes(), play(1, "AS"), play(0, "9S"))


def test_cards_seen__a_card_of_a_known_hand_is_refused_from_the_other() -> None:
    refused(
        deal("9S", hands=[HAND, None]), orders(), leaves(), play(1, "AS"),
        by="cards.seen", contradicts=0,
    )  # fmt: skip


def test_cards_seen__a_card_of_a_known_hand_is_refused_from_the_other_though_it_may_be_away() -> (
    None
):
    known = [deal("9S", hands=[HAND, None]), orders(), takes()]
    refused(*known, play(1, "AS"), by="cards.seen", contradicts=0)


def test_cards_seen__a_card_of_a_known_hand_played_unsurely_is_refused_from_the_other() -> None:
    known = [deal("9S", hands=[HAND, None]), orders(), leaves(), play(1, "AH")]
    refused(*known, play(0, "QH", unsure=True), play(1, "KS"), by="cards.seen", contradicts=0)


def test_cards_seen__a_card_laid_away_is_refused_citing_where_it_was_laid() -> None:
    refused(
        deal("9S"), orders(), takes(discard="AH"), play(1, "AH"), by="cards.seen", contradicts=2
    )


def test_cards_seen__one_card_in_two_hands_is_refused() -> None:
    refused(deal("9S", hands=[HAND, ["AS", *OTHER[1:]]]), by="cards.seen")


def test_cards_seen__the_turned_card_in_a_hand_is_refused() -> None:
    refused(deal("AS", hands=[HAND, None]), by="cards.seen")


def test_cards_seen__a_new_deal_forgets_what_the_old_one_showed() -> None:
    first = [*LEFT, *tricks(1, "AH 9H")]
    accepted(*first, {"type": "void", "reason": "misdeal"}, deal("AH"), orders(), leaves())


# --- cards.held


def test_cards_held__a_card_of_the_known_hand_is_accepted() -> None:
    accepted(deal("9S", hands=[None, HAND]), orders(), leaves(), play(1, "QH"))


def test_cards_held__a_card_not_in_the_known_hand_is_refused_citing_the_deal() -> None:
    refused(
        deal("9S", hands=[None, HAND]), orders(), leaves(), play(1, "9H"),
        by="cards.held", contradicts=0,
    )  # fmt: skip


def test_cards_held__a_card_the_dealer_does_not_hold_is_refused_as_laid_away() -> None:
    refused(
        deal("9S", hands=[HAND, None]), orders(), takes(discard="9H"),
        by="cards.held", contradicts=0,
    )  # fmt: skip


def test_cards_held__the_turned_card_joins_the_known_hand_and_is_accepted() -> None:
    accepted(deal("9S", hands=[HAND, None]), orders(), takes(), play(1, "AH"), play(0, "QH"))


# --- cards.impossible

# Hearts are trumps; the dealer took QH and, by the fourth trick, must still hold it.
TURNED_IN_HAND = [
    deal("QH"), passes(1), accepts(0),
    *tricks(1, "AS 9S", "AC 9C", "AD 9D"), play(1, "TS"), play(0, "KS"),
]  # fmt: skip


def test_cards_impossible__the_turned_card_may_wait_for_the_fifth_trick_and_is_accepted() -> None:
    accepted(*TURNED_IN_HAND, play(0, "QH"), play(1, "TD"))


def test_cards_impossible__a_fifth_card_that_is_not_the_turned_one_is_refused() -> None:
    refused(*TURNED_IN_HAND, play(0, "KD"), by="cards.held", contradicts=0)


def test_cards_seen__it_is_told_which_card_was_dealt_twice() -> None:
    hands = [["QH", "AH", "KH", "JH", "TH"], ["AC", "KC", "AH", "QC", "JC"]]
    assert facts(deal("9S", hands=hands)) == {"card": "AH"}
