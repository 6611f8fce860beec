"""Reveals, results and points, clause by clause."""

from domain.dutch.score import values
from tests.domain.dutch.entries import (
    accepted,
    refused,
    result,
)

# --- table.result


def test_table_result__a_row_may_hold_every_card_of_the_pack_and_no_more() -> None:
    most = sum(values("hearts"))
    accepted(result(0, most, 0, 0))
    refused(result(0, most, 1, 0), by="table.result")
