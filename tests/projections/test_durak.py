from typing import Any

import msgspec

from domain.replay import ReplayedRecord, opening, replay
from domain.table.history import History
from projections.games import sheet_of
from projections.rami import RamiFacts
from projections.score_sheet import DealRow
from schemas import durak, dutch
from schemas.rami import Detail
from service.export.game.forms import sheet_csv
from service.language.texts import texts

LOST = {"type": "result", "places": [[2], [0], [1]], "durak": 1, "dealer": 0}
DRAWN = {"type": "result", "places": [[0], [1, 2]], "durak": None}


def _history(seats: int, *log: dict[str, Any], **options: object) -> History:
    said = durak.complete_options(durak.Options(**options), seats)  # type: ignore[arg-type] # some of its fields
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


COUNTERED = {"type": "result", "caller": 0, "counter": 1, "totals": [5, 9, 3], "dealer": 2}
EMPTIED = {"type": "result", "caller": None, "counter": None, "totals": [7, 0, 12]}


def _dutch_history(*log: dict[str, Any]) -> History:
    entries = msgspec.convert(log, tuple[dutch.Submitted, ...])
    replayed = replay(opening("dutch", dutch.Options(), 3), entries)
    assert isinstance(replayed, ReplayedRecord), replayed
    return replayed.history


def test_deal__tells_caller_counter_and_rows_before_doubling() -> None:
    row = sheet_of(_dutch_history(COUNTERED)).rows[0]
    assert isinstance(row, DealRow)
    assert row.facts == {"caller": 0, "counter": 1, "rows": (5, 9, 3)}
    assert (row.dealer, row.points) == (2, (0, 18, 3))


def test_deal_ended_by_an_empty_row__has_no_caller() -> None:
    row = sheet_of(_dutch_history(EMPTIED)).rows[0]
    assert isinstance(row, DealRow)
    assert row.facts == {"caller": None, "counter": None, "rows": (7, 0, 12)}


def test_sheet__the_fewest_points_lead_and_nothing_else_names_a_winner() -> None:
    sheet = sheet_of(_dutch_history(COUNTERED, EMPTIED))
    assert (sheet.totals, sheet.ranking, sheet.leader) == ((7, 18, 15), ((0,), (2,), (1,)), 0)
    assert sheet.standings == {}


def test_deal__tells_who_was_out_and_who_had_opened() -> None:
    facts = RamiFacts().facts(Detail(winner=1, dry=False, opened=(True, True, False)))
    assert facts == {"winner": 1, "went": "usual", "opened": (1, 1, 0)}


def test_deal__in_which_no_loser_had_opened_is_dry() -> None:
    facts = RamiFacts().facts(Detail(winner=0, dry=True, opened=(True, False)))
    assert facts == {"winner": 0, "went": "dry", "opened": (1, 0)}


def test_facts__are_one_for_each_column() -> None:
    facts = RamiFacts().facts(Detail(winner=0, dry=True, opened=(True, False)))
    assert [column.name for column in RamiFacts.columns] == list(facts)
