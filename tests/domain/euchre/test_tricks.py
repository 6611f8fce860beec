"""Trumps, leads, following suit and who takes a trick, clause by clause."""

from itertools import pairwise, product

import pytest

from domain.euchre.state import AWAY, STOCK, TABLE, TURNED
from domain.euchre.trumps import pack, trumps
from domain.table.cards import SUITS
from tests.domain.euchre.entries import (
    accepted,
    accepts,
    deal,
    facts,
    leaves,
    names,
    orders,
    passes,
    play,
    refused,
    takes,
    trick,
    tricks,
)

HAND = ["AS", "KS", "QH", "JD", "TC"]


def named(suit: str, turn_up: str = "9S") -> list[dict[str, object]]:
    """Return a bidding that makes `suit` trump without touching the turned card."""
    return [deal(turn_up), passes(1), passes(0), names(1, suit)]


HEARTS = named("H")


def winner(trump: str, lead: str, answer: str, deck: int = 24) -> int:
    """Return who leads after seat 1 leads one card and seat 0 answers another."""
    turn_up = "9S" if "9S" not in {lead, answer} else "TD"
    answered = accepted(*named(trump, turn_up), *tricks(1, f"{lead} {answer}"), deck=deck)
    to_act: list[int] = answered["to_act"]
    return to_act[0]


# --- euchre.trump-order

SPADES = ["XX", "JS", "JC", "AS", "KS", "QS", "TS", "9S", "8S", "7S"]


@pytest.mark.parametrize(("higher", "lower"), list(pairwise(SPADES[:8])))
def test_trump_order__each_trump_beats_the_next_with_a_joker(higher: str, lower: str) -> None:
    assert winner("S", lower, higher, deck=25) == 0
    assert winner("S", higher, lower, deck=25) == 1


@pytest.mark.parametrize(("higher", "lower"), list(pairwise(SPADES[1:])))
def test_trump_order__each_trump_beats_the_next_in_32(higher: str, lower: str) -> None:
    assert winner("S", lower, higher, deck=32) == 0
    assert winner("S", higher, lower, deck=32) == 1


def test_trump_order__the_example_of_the_source_right_bower_left_bower_ace() -> None:
    assert winner("C", "JS", "JC") == 0
    assert winner("C", "AC", "JS") == 0
    assert winner("C", "AC", "JC") == 0


@pytest.mark.parametrize(("trump", "left"), [("S", "JC"), ("C", "JS"), ("H", "JD"), ("D", "JH")])
def test_trump_order__the_left_bower_is_the_other_jack_of_the_colour(trump: str, left: str) -> None:
    assert winner(trump, "A" + trump, left) == 0
    assert winner(trump, left, "J" + trump) == 0


def test_trump_order__a_jack_of_the_other_colour_is_no_trump() -> None:
    assert winner("S", "JH", "QH") == 0
    assert winner("S", "JH", "9S") == 0


# --- euchre.left-bower


def test_left_bower__answers_a_trump_lead_and_proves_nothing() -> None:
    accepted(*HEARTS, *tricks(1, "9H JD"), play(0, "TH"))


def test_left_bower__on_a_lead_of_its_own_colours_suit_is_a_slough() -> None:
    log = [*HEARTS, play(1, "AD"), play(0, "JD")]
    refused(*log, play(0, "KD"), by="euchre.follow-suit", contradicts=5)
    accepted(*log, play(0, "KH"))


def test_left_bower__led_asks_for_trumps() -> None:
    log = [*HEARTS, play(1, "JD"), play(0, "AD")]
    refused(*log, play(1, "KC"), play(0, "9H"), by="euchre.follow-suit", contradicts=5)


@pytest.mark.parametrize(("lead", "bower"), [("JD", {"bower": "JD"}), ("JH", {}), ("TH", {})])
def test_left_bower__it_is_told_where_a_bower_of_another_suit_led(
    lead: str, bower: dict[str, str]
) -> None:
    hand = ["AS", "KS", "QH", "TC", "9C"]
    begun = [deal("9S", hands=[hand, None]), passes(1), passes(0), names(1, "H")]
    slough = facts(*begun, play(1, lead), play(0, "AS"))
    assert slough == {"seat": 0, "card": "AS", "suit": "S", "led": "H", **bower}


def test_left_bower__the_joker_led_asks_for_trumps() -> None:
    log = [*HEARTS, play(1, "XX"), play(0, "AD")]
    refused(*log, play(1, "KC"), play(0, "JD"), by="euchre.follow-suit", contradicts=5, deck=25)
    accepted(*log, play(1, "KC"), play(0, "KD"), deck=25)


def test_left_bower__the_turned_jack_of_the_other_red_suit_is_a_trump_once_taken() -> None:
    # JD was turned up and diamonds are trumps: the right bower, held by the dealer.
    taken = [deal("JD"), orders(), takes()]
    refused(*taken, play(1, "9D"), play(0, "AS"), by="euchre.follow-suit", contradicts=0)
    accepted(*taken, play(1, "9H"), play(0, "AS"))


# --- euchre.lead


def test_lead__the_non_dealer_first_with_any_card_is_accepted() -> None:
    for card in ("9C", "AH", "JH"):
        accepted(*HEARTS, play(1, card))


def test_lead__the_dealer_first_is_refused() -> None:
    refused(*HEARTS, play(0, "AS"), by="euchre.lead")


def test_lead__the_winner_of_a_trick_next_is_accepted() -> None:
    accepted(*HEARTS, *tricks(1, "9C AC"), play(0, "9D"))


def test_lead__the_loser_of_a_trick_next_is_refused() -> None:
    refused(*HEARTS, *tricks(1, "9C AC"), play(1, "9D"), by="euchre.lead")


def test_lead__out_of_turn_is_accepted_when_waived_and_the_other_answers() -> None:
    log = [*HEARTS, *tricks(1, "9C AC"), play(1, "9D", waive=["euchre.lead"])]
    assert accepted(*log)["to_act"] == [0]


def test_lead__out_of_turn_waived_leaves_the_trick_before_with_its_winner() -> None:
    log = [
        *named("S"),
        *tricks(1, "9C AC"),
        play(1, "AH", waive=["euchre.lead"]),
        play(0, "9H"),
        *tricks(1, "AD 9D", "KD TD", "QD KH"),
    ]
    assert accepted(*log)["deals"] == [[0, 1]]


# --- euchre.follow-suit


def test_follow_suit__the_suit_led_is_accepted_and_so_is_any_card_of_an_unknown_hand() -> None:
    accepted(*HEARTS, play(1, "AS"), play(0, "KS"))
    accepted(*HEARTS, play(1, "AS"), play(0, "9C"))
    accepted(*HEARTS, play(1, "AS"), play(0, "9H"))


def test_follow_suit__slough_then_same_suit_is_refused_citing_the_slough() -> None:
    refused(
        *HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KD"), play(0, "QS"),
        by="euchre.follow-suit", contradicts=5,
    )  # fmt: skip


def test_follow_suit__the_suit_denied_is_refused_as_a_lead_too() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9H")]
    refused(*log, play(0, "KS"), by="euchre.follow-suit", contradicts=5)


def test_follow_suit__the_other_seat_may_hold_the_suit_denied_and_is_accepted() -> None:
    accepted(*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KS"))


def test_follow_suit__a_slough_from_a_known_hand_that_holds_the_suit_is_refused() -> None:
    known = [deal("9S", hands=[HAND, None]), orders(), leaves()]
    refused(*known, play(1, "AC"), play(0, "QH"), by="euchre.follow-suit", contradicts=0)
    accepted(*known, play(1, "AC"), play(0, "TC"))


def test_follow_suit__a_slough_from_a_known_hand_without_the_suit_is_accepted() -> None:
    known = [deal("9S", hands=[["AS", "KS", "QH", "JD", "TD"], None]), orders(), leaves()]
    accepted(*known, play(1, "AC"), play(0, "QH"))


def test_follow_suit__a_slough_while_the_turned_card_of_that_suit_is_held_is_refused() -> None:
    taken = [deal("QH"), passes(1), accepts()]
    refused(*taken, play(1, "9H"), play(0, "AS"), by="euchre.follow-suit", contradicts=0)
    accepted(*taken, play(1, "9H"), play(0, "QH"))


def test_follow_suit__the_turned_card_left_lying_binds_nobody_and_is_accepted() -> None:
    accepted(deal("QH"), orders(), leaves(), play(1, "9H"), play(0, "AS"))


def test_follow_suit__a_hand_of_one_suit_by_counting_refuses_the_other_seats_card() -> None:
    # Seat 0 has no clubs, diamonds or spades, and 9H lies turned: its five cards are the hearts.
    log = [*named("S", turn_up="9H"), *tricks(1, "AC TH", "AD JH", "AS QH")]
    accepted(*log, play(1, "KS"))
    refused(*log, play(1, "KH"), by="euchre.follow-suit", contradicts=9)


def test_follow_suit__a_card_denied_that_is_a_revoke_besides_is_refused_for_both() -> None:
    # AH denied spades, and trumps were led while 9D is held: 9D itself may have been misread as AH.
    log = [deal("9D"), passes(1), accepts(), play(1, "KC"), play(0, "JS")]
    log += [play(1, "TS"), play(0, "AH"), play(1, "JH")]
    refused(*log, play(0, "AS"), by="euchre.follow-suit", contradicts=6)
    refused(*log[:-1], play(1, "KH"), play(0, "AS"), by="euchre.follow-suit", contradicts=6)


def test_follow_suit__a_revoke_is_accepted_when_waived_and_proves_nothing() -> None:
    revoked = [*HEARTS, play(1, "AS"), play(0, "9C", waive=["euchre.follow-suit"])]
    accepted(*revoked, play(1, "KS"), play(0, "QS"))


def test_follow_suit__what_was_proved_before_a_card_was_taken_stays_proved() -> None:
    log = [*HEARTS, *trick((1, "AS"), (0, "9C"), (1, "AC"), (0, "TC"))]
    refused(*log, play(1, "KC"), play(0, "TS"), by="euchre.follow-suit", contradicts=5)


# --- euchre.trick


def test_trick__the_higher_card_of_the_suit_led_takes_it() -> None:
    assert winner("H", "TC", "QC") == 0
    assert winner("H", "QC", "TC") == 1


def test_trick__a_card_of_another_suit_does_not_take_it() -> None:
    assert winner("H", "9C", "AD") == 1


def test_trick__the_lowest_trump_takes_the_highest_card_of_another_suit() -> None:
    assert winner("H", "AC", "9H") == 0


def test_trick__a_trump_led_is_taken_by_a_higher_trump_only() -> None:
    assert winner("H", "9H", "TH") == 0
    assert winner("H", "9H", "AC") == 1


def test_follow_suit__a_revoke_from_a_given_hand_is_refused_naming_the_deal() -> None:
    given = deal("QS", dealer=1, hands=[["KS", "JS", "QH", "9D", "9C"], None])
    log = [given, orders(0), leaves(1), *tricks(0, "JS AS", "9D QD"), play(1, "TS")]
    refused(*log, play(0, "QH"), by="euchre.follow-suit", contradicts=0)
    accepted(*log, play(0, "KS"))


def test_follow_suit__a_revoke_by_the_card_taken_up_is_refused_against_the_deal() -> None:
    log = [deal("QH"), passes(1), accepts(), play(1, "9H")]
    refused(*log, play(0, "AS"), by="euchre.follow-suit", contradicts=0)


# --- euchre.trick


@pytest.mark.parametrize("dealer", [0, 1])
def test_trick__a_card_leaves_the_hand_that_plays_it(dealer: int) -> None:
    elder = 1 - dealer
    log = [deal("9S", dealer=dealer), orders(elder), leaves(dealer)]
    held = [5, 5]
    for seat, card in ((elder, "AH"), (dealer, "9H"), (elder, "KH"), (dealer, "TH")):
        log.append(play(seat, card))
        held[seat] -= 1
        assert accepted(*log)["hand_counts"] == held


def test_places__of_cards_are_no_two_the_same() -> None:
    assert len({0, 1, STOCK, TURNED, AWAY, TABLE}) == 6


@pytest.mark.parametrize("deck", [24, 25, 32])
@pytest.mark.parametrize("trump", SUITS)
def test_trump_order__of_two_cards_of_a_suit_one_beats_the_other_and_none_itself(
    deck: int, trump: str
) -> None:
    order = trumps(deck, trump)
    for one, other in product(pack(deck).copies, repeat=2):
        if order.suit_of[one] == order.suit_of[other]:
            won = [order.beats(one, other), order.beats(other, one)]
            assert sorted(won) == [False, one != other]
