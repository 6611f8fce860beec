"""What the log proves about cards, and what unsure entries do not."""

import pytest

from tests.domain.dutch.entries import (
    ALL_TURNS,
    Entry,
    accepted,
    deal,
    draw,
    drop,
    dutch,
    look,
    peek,
    refused,
    result,
    reveal,
    snap,
    swap,
    take,
    trade,
    turn,
)

HAND = ["AS", "??", "3S", "4S"]
KNOWN = deal(hands=[None, HAND, None])


# --- cards.seen


def test_cards_seen__the_card_known_where_it_comes_from_is_accepted() -> None:
    accepted(KNOWN, draw(1), swap(1, 2, "3S"))


def test_cards_seen__a_card_known_in_another_slot_is_refused() -> None:
    refused(KNOWN, draw(1), swap(1, 2, "AS"), by="cards.seen", contradicts=0)
    refused(KNOWN, draw(1), swap(1, 1, "AS"), by="cards.seen", contradicts=0)


def test_cards_seen__a_card_on_the_pile_is_refused() -> None:
    refused(deal(), draw(1, "9C"), by="cards.seen", contradicts=0)
    refused(deal(), *turn(1, "8S"), *turn(2, "8S"), by="cards.seen", contradicts=2)


def test_cards_seen__the_turned_card_in_a_hand_given_is_refused() -> None:
    refused(deal("AS", hands=[HAND, None, None]), by="cards.seen")
    refused(deal(hands=[HAND, HAND, None]), by="cards.seen")


def test_cards_seen__a_card_looked_at_is_refused_elsewhere() -> None:
    log = [deal(), look(1, 2, 0, cards=["AS", "??"])]
    refused(*log, draw(1), drop(1, "AS"), by="cards.seen", contradicts=1)
    accepted(*log, draw(1), swap(1, 2, "AS"))


def test_cards_seen__a_card_taken_lies_in_its_slot_and_is_refused_elsewhere() -> None:
    log = [deal(), take(1), swap(1, 2, "5S"), draw(2)]
    refused(*log, swap(2, 0, "9C"), by="cards.seen", contradicts=0)
    accepted(*log, swap(2, 0, "8C"), draw(0), drop(0, "7C"), draw(1), swap(1, 2, "9C"))


def test_cards_seen__a_card_told_when_drawn_lies_where_it_was_swapped_in() -> None:
    log = [deal(), draw(1, "QH"), swap(1, 0, "5S"), *turn(2, "2S"), *turn(0, "3S"), draw(1)]
    accepted(*log, swap(1, 0, "QH"), peek(1, (0, 0)))
    refused(*log, swap(1, 0, "QD"), by="dutch.place", contradicts=1)


# --- cards.held


def test_cards_held__the_card_told_when_drawn_is_accepted_another_refused() -> None:
    accepted(deal(), draw(1, "5S"), drop(1, "5S"))
    refused(deal(), draw(1, "5S"), drop(1, "6S"), by="cards.held", contradicts=1)


# --- dutch.place in a reveal


def test_place__a_row_revealed_as_it_is_known_is_accepted_another_refused() -> None:
    log = [KNOWN, dutch(1), *turn(2, "2D"), *turn(0, "3D")]
    accepted(*log, reveal(1, "AS 8D 3S 4S"))
    refused(*log, reveal(1, "AC 8D 3S 4S"), by="dutch.place", contradicts=0)
    refused(*log, reveal(1, "3S 8D AS 4S"), by="cards.seen", contradicts=0)
    accepted(*log, reveal(1, "AS ?? 3S 4S", points=15))
    refused(*log, reveal(1, "AS ?? 3S 4S", points=7), by="cards.impossible")


def test_cards_impossible__a_look_that_names_one_card_twice_over_is_refused() -> None:
    waived = look(1, 0, 0, cards=["AS", "2S"], waive=["dutch.first-look"])
    refused(deal(), waived, by="cards.impossible")


# --- unsure entries


@pytest.mark.parametrize(
    "log",
    [
        [deal("9C", unsure=True), *turn(1, "9C")],
        [deal("9C", unsure=True), take(1), swap(1, 0, "5S"), draw(2), drop(2, "9C")],
        [deal(), *turn(1, "8S", unsure=True), *turn(2, "8S")],
        [deal(), draw(1), swap(1, 0, "8S", unsure=True), *turn(2, "8S")],
        [deal(), draw(1, "8S", unsure=True), drop(1, "7S"), *turn(2, "8S")],
        [deal(), look(1, 0, 1, cards=["AS", "2S"], unsure=True), draw(1), swap(1, 0, "3S")],
        [deal(), *turn(1, "8S"), snap(2, 0, "4H", unsure=True), draw(2), swap(2, 0, "5S")],
        [deal(), *turn(1, "8S"), snap(2, 0, "8H", unsure=True), *turn(2, "8H")],
        [deal(), *turn(1, "QS"), peek(1, (0, 0), card="4H", unsure=True), *turn(2, "4H")],
        [*ALL_TURNS, reveal(2, "4S 4H 4D 4C", unsure=True), reveal(1, "4S 5H 6D 7C")],
        [*ALL_TURNS, reveal(2, points=3, unsure=True), reveal(1, "KH AH AD AC")],
    ],
)
def test_unsure__it_proves_nothing(log: list[Entry]) -> None:
    accepted(*log)


def test_unsure__it_has_its_effect_like_any_other() -> None:
    log = [deal(), *turn(1, "8S", unsure=True), snap(2, 0, "8H"), snap(0, 0, "8S")]
    assert accepted(*log)["hand_counts"] == [3, 4, 3]
    shown = [*ALL_TURNS, reveal(0, points=30), reveal(1, points=10)]
    assert accepted(*shown, reveal(2, points=20, unsure=True))["deals"] == [[30, 0, 20]]


@pytest.mark.parametrize("entry", [swap(2, 0, "5C", unsure=True), swap(2, 1, "8S", unsure=True)])
def test_unsure__it_is_judged_like_any_other(entry: Entry) -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 0, "4H"), draw(2)]
    known = entry["card"] == "8S"
    refused(*log, entry, by="cards.seen" if known else "dutch.place", contradicts=2 if known else 3)


def test_unsure__what_was_proved_before_stays_proved() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 0, "4H"), draw(2), swap(2, 0, "4H", unsure=True)]
    refused(*log, draw(0, "4H"), by="cards.seen", contradicts=3)


def test_unsure__a_result_may_say_otherwise_than_an_unsure_row() -> None:
    accepted(*ALL_TURNS, reveal(2, points=20, unsure=True), result(1, 14, 15, 21))


# --- snap-match and turn: facts that need cards


def test_snap_match__a_mistake_is_known_to_all_and_stays_where_it_is() -> None:
    log = [deal(), *turn(1, "8S"), snap(2, 0, "4H")]
    refused(*log, snap(2, 1, "4H"), by="cards.seen", contradicts=3)
    accepted(*log, snap(2, 0, "4H"))


def test_jack__a_card_moved_unnamed_is_still_known() -> None:
    log = [deal(), *turn(1, "JS"), snap(2, 0, "4H"), trade(1, (2, 0), (0, 3)), *turn(2, "2S")]
    refused(*log, draw(0), swap(0, 3, "5S"), by="dutch.place", contradicts=3)
