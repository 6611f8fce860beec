"""Who may hold a card, as far as the table shows it."""

from typing import Any

import pytest

from domain.durak.roles import holders

KNOWN = (("6S", "7S"), ("8S",), ())


def table(**shown: Any) -> dict[str, Any]:  # noqa: ANN401 parts of a view
    """Show a table of three: a hand known whole, one in part, one not at all; seat 2 defends."""
    usual = {"bout": (), "shown": "9D", "under": 1, "gone": (), "known": KNOWN, "defender": 2}
    return {**usual, **shown}


@pytest.mark.parametrize(
    ("card", "seats"), [("6S", (0,)), ("8S", (1,)), ("9S", (2, 1))], ids=["whole", "part", "none"]
)
def test_holders__a_card_known_in_a_hand_is_there_and_others_where_a_card_is_unknown(
    card: str, seats: tuple[int, ...]
) -> None:
    assert holders(table(), (2, 3, 2), card) == seats


@pytest.mark.parametrize(
    "shown",
    [{"bout": ({"card": "9S"},)}, {"gone": ("9S",)}, {"shown": "9S"}],
    ids=["in the bout", "out of the game", "under the stock"],
)
def test_holders__of_a_card_that_lies_elsewhere_there_is_none(shown: dict[str, Any]) -> None:
    assert holders(table(**shown), (2, 3, 2), "9S") == ()


def test_holders__the_trump_that_was_drawn_is_in_a_hand() -> None:
    assert holders(table(shown="9S", under=0), (2, 3, 2), "9S") == (2, 1)
