"""What one tap on a card may mean, read off the choices of any game."""

from domain.table.rules import Choice
from service.web.recorder.table.card_actions import taps


def test_card__of_its_own_field_is_laid() -> None:
    found = taps([Choice("play", 1, {"card": ("AS",)})])
    assert found == {"AS": [{"type": "play", "seat": 1, "card": "AS"}]}


def test_cards__count_where_one_is_laid_alone() -> None:
    found = taps([Choice("attack", 0, {"cards": (("7S",), ("7S", "7H"))})])
    assert found == {"7S": [{"type": "attack", "seat": 0, "cards": ("7S",)}]}


def test_with__answers_each_card_that_lies_there() -> None:
    beats = [Choice("beat", 2, {"card": (card,), "with": ("9S",)}) for card in ("7S", "8H")]
    assert [entry["card"] for entry in taps(beats)["9S"]] == ["7S", "8H"]
