"""Sets, runs, jokers, and what they are worth."""

import pytest

from domain.rami.combinations import extend, read, worth
from domain.rami.proof import worth_in_hand
from tests.domain.rami.entries import (
    ROYAL,
    accepted,
    add,
    deal,
    draw,
    meld,
    opening,
    refused,
    swap,
    throw,
    turn,
)

NEXT = [*opening(), *turn(0, "9D"), draw(1)]  # seat 1 has opened, holds nine cards, has drawn


@pytest.mark.parametrize("cards", ["8C 8S 8H", "8C 8S 8H 8D", "8C 8S 8?*", "8C 8H* 8S", "AS AH AD"])
def test_set__of_different_suits_is_accepted(cards: str) -> None:
    accepted(*NEXT, meld(1, cards))


@pytest.mark.parametrize("cards", ["8C 8S 8S", "8C 8S 8H 8?*", "8C 8S 8H 8D 8C", "8C 8S 9H"])
def test_set__otherwise_is_refused(cards: str) -> None:
    refused(*NEXT, meld(1, cards), by="rami.set")


def test_set__an_open_joker_cannot_be_added_and_is_refused() -> None:
    refused(*NEXT, meld(1, "8C 8S 8H"), add(1, 2, "8?*"), by="rami.set")


@pytest.mark.parametrize("cards", ["2H 3H 4H", "AH 2H 3H", "QH KH AH", "5H 6H* 7H", "TS JS QS KS"])
def test_run__of_consecutive_cards_is_accepted(cards: str) -> None:
    accepted(*NEXT, meld(1, cards))


@pytest.mark.parametrize(
    "cards", ["KH AH 2H", "4H 3H 2H", "2H 4H 3H", "2H 3H 5H", "5H 5H 6H", "7H 8?* 9H"]
)
def test_run__listed_or_joined_otherwise_is_refused(cards: str) -> None:
    refused(*NEXT, meld(1, cards), by="rami.run")


def test_run__of_fourteen_cards_has_both_aces_and_is_accepted() -> None:
    run = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    ended = accepted(deal("9S"), draw(1), meld(1, run))
    assert ended["deals"] == [[200, 0]]


def test_meld_size__of_three_is_accepted() -> None:
    accepted(*NEXT, meld(1, "8C 8S 8H"))


@pytest.mark.parametrize("cards", ["8C 8S", "8C", "7H 8H"])
def test_meld_size__of_fewer_is_refused(cards: str) -> None:
    refused(*NEXT, meld(1, cards), by="rami.meld-size")
    accepted(*NEXT, meld(1, cards, waive=["rami.meld-size"]))


def test_one_joker__in_each_combination_is_accepted() -> None:
    accepted(*NEXT, meld(1, "8C 8S 8?*", "2H 3H* 4H"))


def test_one_joker__a_second_in_a_combination_is_refused() -> None:
    refused(*NEXT, meld(1, "2H 3H* 4H* 5H"), by="rami.one-joker")
    refused(*NEXT, meld(1, "2H 3H* 4H"), add(1, 2, "5H*"), by="rami.one-joker")


def test_joker_is__a_card_all_of_whose_copies_are_seen_is_accepted() -> None:
    both = [*opening(thrown="7H"), *turn(0, "7H"), draw(1)]
    accepted(*both, meld(1, "5H 6H 7H*"))


def test_joker_is__a_card_the_combination_holds_is_refused() -> None:
    refused(*NEXT, meld(1, "8C 8S 8S*"), by="rami.joker-is")
    refused(*NEXT, meld(1, "5H 6H* 7H"), add(1, 2, "6H"), by="rami.joker-is")
    run = "AH* 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    refused(deal("9S"), draw(1), meld(1, run), by="rami.joker-is")


def test_add__at_both_ends_in_any_order_is_accepted() -> None:
    accepted(*NEXT, meld(1, "6D 7D 8D"), add(1, 2, "TD 5D 9D"))


@pytest.mark.parametrize("card", ["5H", "9D", "8H"])
def test_add__what_makes_no_combination_is_refused(card: str) -> None:
    refused(*NEXT, meld(1, "5D 6D 7D"), add(1, 2, card), by="rami.add")


def test_add__an_ace_keeps_its_place_and_the_other_end_is_refused() -> None:
    low = [*NEXT, meld(1, "2H 3H 4H"), add(1, 2, "AH")]
    refused(*low, add(1, 2, "KH"), by="rami.add")
    refused(*NEXT, meld(1, "QH KH AH"), add(1, 2, "2H"), by="rami.add")


def test_add__a_fourth_card_fixes_an_open_joker_to_the_suit_left_accepted() -> None:
    four = [*NEXT, meld(1, "8C 8S 8?*"), add(1, 2, "8H")]
    accepted(*four, swap(1, 2, "8D"))
    refused(*four, swap(1, 2, "8H"), by="rami.swap")


def test_add__to_cards_that_are_no_combination_is_refused() -> None:
    junk = [*NEXT, meld(1, "8C 8S", waive=["rami.meld-size"])]
    refused(*junk, add(1, 2, "8H"), by="rami.add")


def test_add__an_ace_that_fits_both_ends_goes_where_end_says() -> None:
    run = read(tuple(f"{rank}H" for rank in "23456789TJQK")).combination
    assert extend(run, ("AH",), "high").combination.cards[-1] == "AH"
    assert extend(run, ("AH",), "low").combination.cards[0] == "AH"
    assert len(extend(run, ("AH", "AH"), "low").combination.cards) == 14
    low = read(("2H", "3H", "4H")).combination
    assert extend(low, ("AH",), "high").combination.cards[0] == "AH"


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AH 2H 3H", 6),
        ("QH KH AH", 31),
        ("AS AH AD", 33),
        (ROYAL, 51),
        ("8C 8S 8?*", 24),
        ("AH* 2H 3H", 6),
        ("9H TH JH*", 29),
    ],
)
def test_values__of_combinations_as_in_the_source(cards: str, points: int) -> None:
    assert worth(read(tuple(cards.split())).combination) == points


def test_values__of_a_hand_count_the_ace_eleven_and_the_joker_as_agreed() -> None:
    assert worth_in_hand(["7C", "TD", "3H", "AS"], 20) == 31
    assert worth_in_hand(["XX", "5H"], 20) == 25
    assert worth_in_hand(["XX", "KH"], 0) == 10


def test_swap__the_card_the_joker_stands_for_is_accepted() -> None:
    laid = [*NEXT, meld(1, "5H 6H* 7H", "8C 8S 8?*")]
    accepted(*laid, swap(1, 2, "6H"), add(1, 1, "9C*"), throw(1, "2S"))
    for card in ("8H", "8D"):
        accepted(*laid, swap(1, 3, card))


def test_swap__another_card_is_refused() -> None:
    laid = [*NEXT, meld(1, "5H 6H* 7H", "8C 8S 8?*")]
    refused(*laid, swap(1, 2, "8H"), by="rami.swap")
    refused(*laid, swap(1, 3, "8C"), by="rami.swap")


def test_swap__from_cards_that_are_no_combination_is_refused() -> None:
    junk = [*NEXT, meld(1, "8C 8S*", waive=["rami.meld-size"])]
    refused(*junk, swap(1, 2, "8S"), by="rami.swap")
    accepted(*junk, swap(1, 2, "8S", waive=["rami.swap"]))


def test_meld_number__one_on_the_table_is_accepted() -> None:
    accepted(*NEXT, add(1, 1, "9C"))


@pytest.mark.parametrize("number", [0, 2, -1])
def test_meld_number__one_that_is_not_there_is_refused(number: int) -> None:
    refused(*NEXT, add(1, number, "9C"), by="rami.meld-number")
    refused(*NEXT, add(1, number, "9C", waive=["rami.meld-number"]), by="rami.meld-number")


def test_meld_number__a_combination_without_joker_to_swap_is_refused() -> None:
    refused(*NEXT, swap(1, 1, "9C"), by="rami.meld-number")
