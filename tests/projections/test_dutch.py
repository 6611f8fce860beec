"""What a Dutch score sheet tells: who called, who countered, what the rows were worth."""

from typing import Any

import msgspec

from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import History
from projections.games import sheet_of
from projections.score_sheet import DealRow
from schemas import dutch

COUNTERED = {"type": "result", "caller": 0, "counter": 1, "totals": [5, 9, 3], "dealer": 2}
EMPTIED = {"type": "result", "caller": None, "counter": None, "totals": [7, 0, 12]}


def _history(*log: dict[str, Any]) -> History:
    entries = msgspec.convert(log, tuple[dutch.Submitted, ...])
    replayed = replay(opening("dutch", dutch.Options(), 3), entries)
    assert isinstance(replayed, ReplayedRecord), replayed
    return replayed.history


def test_deal__tells_caller_counter_and_rows_before_doubling() -> None:
    row = sheet_of(_history(COUNTERED)).rows[0]
    assert isinstance(row, DealRow)
    assert row.facts == {"caller": 0, "counter": 1, "rows": (5, 9, 3)}
    assert (row.dealer, row.points) == (2, (0, 18, 3))


def test_deal_ended_by_an_empty_row__has_no_caller() -> None:
    row = sheet_of(_history(EMPTIED)).rows[0]
    assert isinstance(row, DealRow)
    assert row.facts == {"caller": None, "counter": None, "rows": (7, 0, 12)}


def test_sheet__the_fewest_points_lead_and_nothing_else_names_a_winner() -> None:
    sheet = sheet_of(_history(COUNTERED, EMPTIED))
    assert (sheet.totals, sheet.ranking, sheet.leader) == ((7, 18, 15), ((0,), (2,), (1,)), 0)
    assert sheet.standings == {}
