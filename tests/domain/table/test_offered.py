"""Cards offered, and those of which it was not found out in time that they can be there."""

from msgspec import UNSET

from domain.table.rules import card_choice

CARDS = {"card": ("7S", "8S")}


def test_offered__without_doubts_nothing_is_told_to_be_unproved() -> None:
    assert card_choice("play", 0, CARDS, None).unproved is UNSET


def test_offered__cards_in_doubt_are_told() -> None:
    assert card_choice("play", 0, CARDS, "8S".__eq__).unproved == ("8S",)


def test_offered__where_no_card_is_in_doubt_nothing_is_told() -> None:
    assert card_choice("play", 0, CARDS, "9S".__eq__).unproved is UNSET
