"""Points, results and the end of the game."""

import pytest

from tests.domain.euchre.entries import (
    accepted,
    deal,
    facts,
    leaves,
    orders,
    refused,
    result,
    tricks,
)

ORDERED = [deal("9S"), orders(), leaves()]


# --- table.result


@pytest.mark.parametrize(
    ("played", "won"),
    [([], 0), (["AH 9H"], 1), (["AH 9H", "KH TH"], 2), (["9H AH"], 0), (["AH 9H", "9C AC"], 1)],
)
def test_table_result__lies_between_the_tricks_won_and_those_with_the_tricks_left(
    played: list[str], won: int
) -> None:
    log = [*ORDERED, *tricks(1, *played)]
    most = won + 5 - len(played)
    for count in range(6):
        if won <= count <= most:
            assert accepted(*log, result(1, count))["deals"]
        else:
            bounds = {"why": "tricks", "seat": 1, "least": won, "most": most}
            assert facts(*log, result(1, count)) == bounds
            refused(*log, result(1, count), by="table.result")
