"""What the record proves about cards nobody sees."""

from tests.domain.rami.entries import (
    ROYAL,
    accepted,
    add,
    deal,
    draw,
    malformed,
    meld,
    opening,
    refused,
    swap,
    take,
    throw,
    turn,
)

HAND = ["AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S", "XX"]


def test_cards_seen__the_second_copy_is_accepted() -> None:
    accepted(deal(), *turn(1, "9S"), *turn(0, "9S"))


def test_cards_seen__a_third_copy_is_refused_naming_the_last_entry_that_showed_one() -> None:
    twice = [deal(), *turn(1, "9S"), *turn(0, "9S")]
    refused(*twice, draw(1), throw(1, "9S"), by="cards.seen", contradicts=4)
    refused(*twice, draw(1, "9S"), by="cards.seen", contradicts=4)
    taken = [deal("9S"), *turn(1, "9S"), take(0), throw(0, "9H", waive=["rami.take-use"])]
    refused(*taken, draw(1), throw(1, "9S"), by="cards.seen", contradicts=2)


def test_cards_seen__a_fifth_joker_is_refused() -> None:
    four = [deal("XX"), *turn(1, "XX"), *turn(0, "XX"), *turn(1, "XX")]
    refused(*four, draw(0), throw(0, "XX"), by="cards.seen", contradicts=6)


def test_cards_seen__a_card_in_a_known_hand_is_refused_elsewhere() -> None:
    both = deal("9S", hands=[HAND, None])
    refused(both, draw(1), throw(1, "9S"), by="cards.seen", contradicts=0)
    refused(deal(hands=[["AS"] * 2 + HAND[2:], HAND]), by="cards.seen")


def test_cards_held__a_card_of_the_known_hand_is_accepted() -> None:
    accepted(deal(hands=[None, HAND]), draw(1, "2D"), throw(1, "9S"))
    accepted(deal(hands=[None, HAND]), draw(1), throw(1, "2D"))


def test_cards_held__a_card_that_a_known_hand_lacks_is_refused() -> None:
    given = deal(hands=[None, HAND])
    refused(given, draw(1, "2D"), throw(1, "3D"), by="cards.held", contradicts=0)
    refused(given, draw(1, "2D"), throw(1, "2D"), *turn(0, "3H"), draw(1, "2C"), throw(1, "2D"),
            by="cards.held", contradicts=0)  # fmt: skip


def test_cards_held__more_cards_shown_than_drawn_are_refused() -> None:
    given = deal(hands=[None, HAND])
    accepted(given, draw(1), meld(1, "TS JS QS KS AS", "3S 4S 5S"), throw(1, "2D"))
    refused(given, draw(1), meld(1, "TS JS QS KS AS", "AH 2H 3H"), by="cards.held",
            contradicts=0)  # fmt: skip


def test_cards_count__no_more_copies_than_the_packs_have_or_refused() -> None:
    refused(deal(hands=[["AS"] * 3 + HAND[3:], None]), by="cards.count")
    accepted(deal(hands=[["AS"] * 2 + HAND[2:], None]))


def test_cards_count__more_cards_laid_than_held_is_refused() -> None:
    log = [*opening("2S 3S 4S 5S 6S"), *turn(0, "9D"), draw(1)]  # seat 1 holds four
    accepted(*log, meld(1, "AH 2H 3H 4H"))
    refused(*log, meld(1, "AH 2H 3H 4H 5H"), by="cards.count")
    refused(*log, meld(1), by="cards.count")


def test_cards_deck__every_card_of_the_two_packs_is_accepted() -> None:
    accepted(deal("XX"), draw(1, "2C"), throw(1, "2C"))


def test_cards_deck__no_other_card_can_be_written_down_and_is_refused() -> None:
    assert malformed(deal("1S")) == "$.log[0].up"


def test_cards_impossible__what_some_deal_explains_is_accepted() -> None:
    accepted(deal(), draw(1, "9S"), throw(1, "9S"))


def test_swap__a_joker_won_is_known_to_be_in_the_hand() -> None:
    log = [*opening("5S 6S* 7S"), *turn(0, "XX"), *turn(1, "XX"), *turn(0, "XX"), draw(1)]
    accepted(*log, swap(1, 2, "6S"), add(1, 1, "9C*"))
    refused(*log, throw(1, "XX"), by="cards.seen", contradicts=9)


def test_take_use__a_card_kept_with_leave_is_known_to_be_in_the_hand() -> None:
    kept = [deal("9S"), take(1), throw(1, "9H", waive=["rami.take-use"])]
    refused(*kept, *turn(0, "9S"), draw(1), throw(1, "2D"), draw(0), throw(0, "9S"),
            by="cards.seen", contradicts=4)  # fmt: skip
    accepted(*kept, *turn(0, "9D"), draw(1), throw(1, "9S"))


def test_opening__uses_cards_the_hand_can_hold() -> None:
    refused(deal(hands=[None, HAND]), draw(1, "2D"), meld(1, ROYAL), by="cards.held", contradicts=0)
