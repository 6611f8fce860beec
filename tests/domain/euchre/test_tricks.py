from itertools import product
from typing import Any

import pytest

from domain.euchre.manifest import MANIFEST
from domain.euchre.state import AWAY, TURNED
from domain.euchre.trumps import pack, trumps
from domain.inference import STOCK
from domain.inference.tricks import TABLE
from domain.table.cards import SUITS
from schemas.cards import Suit
from schemas.euchre import Options

# --- euchre.trump-order


# --- euchre.trick


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


ENDED: dict[str, Any] = {"type": "deal_ended", "detail": {"trump": "H"}}


def find_trick_winner(table: dict[str, Any], entries: list[dict[str, Any]]) -> int | None:
    assert MANIFEST.trick_winner
    return MANIFEST.trick_winner(Options(), table, entries)


def _plays(first: str, second: str) -> list[dict[str, Any]]:
    return [{"type": "play", "seat": 1, "card": first}, {"type": "play", "seat": 0, "card": second}]


@pytest.mark.parametrize(
    ("trump", "first", "second", "winner"),
    [
        ("S", "9H", "AH", 0),
        ("S", "AH", "9H", 1),
        ("H", "AS", "9H", 0),
        ("H", "AH", "JD", 0),
        ("H", "AS", "AC", 1),
    ],
)
def test_trick__goes_to_the_highest_trump_or_card_led(
    trump: Suit, first: str, second: str, winner: int
) -> None:
    assert find_trick_winner({"trump": trump}, _plays(first, second)) == winner


def test_last_trick_of_a_deal_is_told_by_how_the_deal_ended() -> None:
    assert find_trick_winner({}, [*_plays("AS", "9H"), ENDED]) == 0


def test_nobody_took_a_trick_that_a_result_cut_short() -> None:
    result = {"type": "result", "maker": 0, "tricks": 3}
    assert find_trick_winner({}, [*_plays("AS", "9H"), result, ENDED]) is None


def test_trick__is_the_last_of_several() -> None:
    entries = [*_plays("AS", "9S"), *_plays("9H", "AH")]
    assert find_trick_winner({"trump": "D"}, entries) == 0
    assert find_trick_winner({"trump": "D"}, [*_plays("9S", "AS"), *_plays("AH", "9H")]) == 1
