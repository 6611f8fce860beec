"""What cannot be a record of Rami at all."""

import pytest

from tests.domain.rami.entries import (
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
