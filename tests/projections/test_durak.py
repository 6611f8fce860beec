"""What a Durak score sheet tells: places, durak, and the three ways to name a winner."""

from typing import Any

import msgspec

from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import History
from projections.games import sheet_of
from projections.score_sheet import DealRow
from schemas import durak
from service.export.game.forms import sheet_csv
from service.language.texts import texts

LOST = {"type": "result", "places": [[2], [0], [1]], "durak": 1, "dealer": 0}
DRAWN = {"type": "result", "places": [[0], [1, 2]], "durak": None}


def _history(seats: int, *log: dict[str, Any], **options: object) -> History:
    said = durak.settled(durak.Options(**options), seats)  # type: ignore[arg-type] # some of its fields
    entries = msgspec.convert(log, tuple[durak.Submitted, ...])
    replayed = replay(opening("durak", said, seats), entries)
    assert isinstance(replayed, ReplayedRecord), replayed
    return replayed.history


def test_deal__tells_the_durak_and_everybodys_place() -> None:
    row = sheet_of(_history(3, LOST, rules="fr")).rows[0]
    assert isinstance(row, DealRow)
    assert (row.facts, row.points) == ({"durak": 1, "places": (2, 3, 1)}, (0, 1, 0))


def test_drawn_deal__has_no_durak_and_a_shared_place() -> None:
    row = sheet_of(_history(3, LOST, DRAWN, rules="fr")).rows[1]
    assert isinstance(row, DealRow)
    assert (row.facts, row.points) == ({"durak": None, "places": (1, 2, 2)}, (0, 0, 0))


def test_standings__sum_places_and_count_each_place_and_duraks() -> None:
    assert sheet_of(_history(3, LOST, DRAWN, rules="fr")).standings == {
        "place_sums": (3, 5, 3),
        "firsts": (1, 0, 1),
        "seconds": (1, 1, 1),
        "thirds": (0, 1, 0),
        "duraks": (0, 1, 0),
    }


def test_teams__both_losers_share_the_point_and_one_is_durak() -> None:
    lost = {"type": "result", "places": [[0], [2], [1, 3]], "durak": 3}
    sheet = sheet_of(_history(4, lost, rules="fr"))
    assert (sheet.totals, sheet.standings["duraks"]) == ((0, 1, 0, 1), (0, 0, 0, 1))


def test_csv__has_places_per_player_and_the_three_ways_as_rows() -> None:
    sheet = sheet_of(_history(3, LOST, rules="fr"))
    written = sheet_csv(sheet, ("A", "B", "C"), "en", texts()).split("\r\n")
    assert written[1] == '1,"deal","A","B",2,3,1,0,1,0,0,1,0,""'
    assert [line.split(",")[1] for line in written[2:7]] == [
        '"Sum of places"',
        '"1st places"',
        '"2nd places"',
        '"3rd places"',
        '"Times durak"',
    ]
