"""What cannot be a record of Rami at all."""

from typing import Any

import pytest

from tests.domain.rami.entries import (
    accepted,
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


@pytest.mark.parametrize(
    "options",
    [
        {"target": 99},
        {"target": 5001},
        {"opening": -1},
        {"opening": 201},
        {"not_opened": 501},
        {"dry": 1001},
        {"joker_in_hand": 101},
        {"pure_run": "some"},
        {"reshuffle": "none"},
        {"teams": True},
    ],
)
def test_shapes__an_option_out_of_bounds(options: dict[str, Any]) -> None:
    assert malformed(**options).startswith("$.options")


def test_shapes__two_to_six_seats() -> None:
    for seats in (1, 7):
        assert malformed(seats=seats) == "$.seats"
    for seats in range(2, 7):
        accepted(seats=seats)


def test_shapes__jokers_by_their_code_where_they_are_held_or_thrown() -> None:
    accepted(deal("XX"), draw(1, "XX"), throw(1, "XX"))
