import pytest

from domain.rami.combinations import combination_points, extend, parse_combination
from domain.rami.proof import worth_in_hand
from tests.domain.rami.entries import (
    ROYAL,
    add,
    count,
    deal,
    draw,
    malformed,
    meld,
    result,
    swap,
    throw,
)


def test_add__an_ace_that_fits_both_ends_goes_where_end_says() -> None:
    run = parse_combination(tuple(f"{rank}H" for rank in "23456789TJQK")).combination
    assert extend(run, ("AH",), "high").combination.cards[-1] == "AH"
    assert extend(run, ("AH",), "low").combination.cards[0] == "AH"
    assert len(extend(run, ("AH", "AH"), "low").combination.cards) == 14
    low = parse_combination(("2H", "3H", "4H")).combination
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
    assert combination_points(parse_combination(tuple(cards.split())).combination) == points


def test_values__of_a_hand_count_the_ace_eleven_and_the_joker_as_agreed() -> None:
    assert worth_in_hand(["7C", "TD", "3H", "AS"], 20) == 31
    assert worth_in_hand(["XX", "5H"], 20) == 25
    assert worth_in_hand(["XX", "KH"], 0) == 10


@pytest.mark.parametrize(
    "entry",
    [
        deal("??"),
        draw(1, "??"),
        draw(1, "6H*"),
        meld(1, "XX 2H 3H"),
        meld(1, "?? 2H 3H"),
        add(1, 1, "XX"),
        swap(1, 1, "XX"),
        swap(1, 1, "6H*"),
        throw(1, "??"),
        throw(1, "8?*"),
        count(1, "6H*"),
        {"type": "count", "seat": 1},
        {"type": "count", "seat": 1, "cards": ["2H"], "points": 2},
        {"type": "deal_ended", "deal": 1, "points": [0, 0]},
        result(0, None, {"opened": True}),
        result(0, None, {"opened": True, "cards": ["2H"], "points": 2}),
        result(0, None, {"opened": False, "points": 2}),
        result(0, None, {"opened": False, "cards": []}),
        result(0, None, {}),
        {**add(1, 1, "2H"), "end": "middle"},
        throw(1, "2H", waive=["rami.no-such-clause"]),
    ],
)
def test_shapes__an_entry_that_cannot_be_decoded(entry: dict[str, object]) -> None:
    assert malformed(deal(), entry).startswith("$.log[1]") or entry["type"] == "deal"
