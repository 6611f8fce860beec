"""An entry marked unsure is judged as named and proves nothing."""

from tests.domain.euchre.entries import (
    accepted,
    accepts,
    deal,
    leaves,
    names,
    orders,
    passes,
    play,
    refused,
    takes,
    tricks,
)

HAND = ["AS", "KS", "QH", "JD", "TC"]
HEARTS = [deal("9S"), passes(1), passes(0), names(1, "H")]


def test_unsure__is_judged_as_any_other_and_refused_for_a_card_seen() -> None:
    refused(*HEARTS, play(1, "AS"), play(0, "AS", unsure=True), by="cards.seen", contradicts=4)


def test_unsure__is_refused_for_a_suit_denied_before() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C"), play(1, "KS")]
    refused(*log, play(0, "QS", unsure=True), by="euchre.follow-suit", contradicts=5)


def test_unsure__is_refused_for_a_card_a_known_hand_does_not_hold() -> None:
    known = [deal("9S", hands=[HAND, None]), orders(), leaves(), play(1, "AH")]
    refused(*known, play(0, "TH", unsure=True), by="cards.held", contradicts=0)


def test_unsure__is_refused_out_of_turn() -> None:
    refused(*HEARTS, play(0, "AS", unsure=True), by="euchre.lead")


def test_unsure__has_its_effect_and_takes_the_trick_it_names() -> None:
    assert accepted(*HEARTS, play(1, "AS"), play(0, "9H", unsure=True))["to_act"] == [0]


def test_unsure__the_card_named_may_turn_up_again() -> None:
    log = [*HEARTS, play(1, "AS", unsure=True), play(0, "KS"), play(1, "QD"), play(0, "AS")]
    accepted(*log)
    accepted(*log[:-2], play(1, "AS"))


def test_unsure__a_slough_denies_nothing() -> None:
    log = [*HEARTS, play(1, "AS"), play(0, "9C", unsure=True), play(1, "KS")]
    accepted(*log, play(0, "QS"))


def test_unsure__an_answer_to_an_unsure_lead_denies_nothing() -> None:
    log = [*HEARTS, play(1, "AS", unsure=True), play(0, "9C"), play(1, "KS")]
    accepted(*log, play(0, "QS"))


def test_unsure__a_known_hand_may_answer_an_unsure_lead_with_any_card() -> None:
    known = [deal("9S", hands=[HAND, None]), orders(), leaves(), play(1, "AC", unsure=True)]
    accepted(*known, play(0, "QH"))


def test_unsure__a_card_of_a_known_hand_may_be_any_of_it() -> None:
    known = [deal("9S", hands=[HAND, None]), orders(), leaves()]
    log = [*known, *tricks(1, "AH QH")[:1], play(0, "QH", unsure=True), play(1, "KD")]
    accepted(*log, play(0, "JD"))
    accepted(*log, play(0, "TC"))


def test_unsure__the_same_hand_cannot_show_more_cards_than_it_has() -> None:
    known = [deal("9S", hands=[HAND, None]), orders(), leaves()]
    log = [
        *known, play(1, "AC"), play(0, "TC", unsure=True),
        play(1, "AD"), play(0, "JD"), play(1, "KH"), play(0, "QH"),
        play(1, "TS"), play(0, "AS"),
    ]  # fmt: skip
    accepted(*log, play(0, "KS"))
    accepted(*log, play(0, "TC"))
    refused(*log, play(0, "TD"), by="cards.impossible", contradicts=0)


def test_unsure__a_card_laid_away_may_still_be_played() -> None:
    accepted(deal("9S"), orders(), takes(discard="AH", unsure=True), play(1, "KH"), play(0, "AH"))


def test_unsure__a_card_laid_away_is_judged_and_refused_if_it_lies_elsewhere() -> None:
    known = [deal("9S", hands=[None, HAND]), passes(1)]
    refused(*known, accepts(discard="AS", unsure=True), by="cards.seen", contradicts=0)


def test_unsure__of_a_deal_only_the_turned_card_is_uncertain() -> None:
    unsure = [deal("9S", unsure=True, hands=[HAND, None]), orders(), leaves()]
    accepted(*unsure, play(1, "9S"))
    refused(*unsure, play(1, "AS"), by="cards.seen", contradicts=0)


def test_unsure__the_turned_card_of_an_unsure_deal_is_judged_as_named() -> None:
    refused(deal("AS", unsure=True, hands=[HAND, None]), by="cards.seen")
    log = [deal("9S", unsure=True), passes(1), passes(0), names(1, "S")]
    refused(*log, by="euchre.turned-down", turned_down_suit="forbidden")


def test_unsure__the_turned_card_taken_binds_nobody() -> None:
    taken = [deal("QH", unsure=True), passes(1), accepts()]
    accepted(*taken, play(1, "9H"), play(0, "AS"))
    accepted(*taken, play(1, "QH"))


def test_unsure__laying_away_the_card_named_as_turned_is_accepted() -> None:
    accepted(deal("QH", unsure=True), passes(1), accepts(discard="QH"))


def test_unsure__a_waived_discard_of_the_turned_card_may_still_be_played() -> None:
    laid = accepts(discard="QH", unsure=True, waive=["euchre.accept"])
    accepted(deal("QH"), passes(1), laid, play(1, "9H"), play(0, "QH"))


def test_unsure__false_is_the_same_as_nothing() -> None:
    refused(*HEARTS, play(1, "AS", unsure=False), play(0, "AS"), by="cards.seen", contradicts=4)


def test_unsure__a_turned_card_is_one_card_whatever_it_is() -> None:
    taken = [deal("9S", hands=[HAND, None], unsure=True), orders(), takes(discard="AS")]
    log = [*taken, play(1, "AH"), play(0, "9C", waive=["euchre.follow-suit"])]
    accepted(*log, play(1, "KH"), play(0, "QH"))
    refused(*log, play(1, "KH"), play(0, "TH"), by="cards.held", contradicts=0)
