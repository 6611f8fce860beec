from msgspec import json

from domain.table.history import History
from projections.games import FACTS, sheet_of
from projections.score_sheet import (
    AdjustmentRow,
    DealRow,
    FactValue,
    FinishRow,
    NoteRow,
    VoidRow,
)
from schemas.catalogue import SHAPES
from schemas.entries import DealEnded, GameEnded
from schemas.euchre import Detail, Result
from tests.service.refused import DEAL, HEARTS, ROUND_TWO, Log, history, play

MARCH = {"type": "result", "maker": 1, "tricks": 5}
FINE = {"type": "adjust", "seat": 0, "points": -1, "reason": "a card shown"}
MISDEAL = {"type": "void", "reason": "six cards"}


def facts(log: Log) -> dict[str, FactValue]:
    row = sheet_of(history(log)).rows[-1]
    assert isinstance(row, DealRow)
    return dict(row.facts)


def test_deal__is_a_row_with_dealer_facts_points_and_running_totals() -> None:
    sheet = sheet_of(history([*HEARTS, MARCH]))
    assert sheet.rows == (
        DealRow(
            version=7,
            number=1,
            dealer=0,
            facts={"maker": 1, "trump": "H", "tricks": (0, 5), "went": "march"},
            points=(0, 2),
            totals=(0, 2),
        ),
    )


def test_deal__three_tricks_are_made() -> None:
    made = facts([{"type": "result", "maker": 0, "tricks": 3}])
    assert made == {"maker": 0, "trump": None, "tricks": (3, 2), "went": "made"}


def test_deal__two_tricks_are_euchred() -> None:
    assert facts([{"type": "result", "maker": 0, "tricks": 2}])["went"] == "euchred"


def test_deal__passed_out_has_neither_maker_nor_tricks() -> None:
    passes: Log = [{"type": "pass", "seat": seat} for seat in (1, 0)]
    assert facts([*ROUND_TWO, *passes]) == {
        "maker": None,
        "trump": None,
        "tricks": None,
        "went": "passed_out",
    }


def test_dealer__of_a_result_is_who_it_names_else_the_rotation_else_nobody() -> None:
    unnamed = {"type": "result", "maker": 0, "tricks": 3}
    named = {**unnamed, "dealer": 1}
    rows = sheet_of(history([unnamed, named, unnamed])).rows
    assert [row.dealer for row in rows if isinstance(row, DealRow)] == [None, 1, 0]


def test_adjustments_and_notes__stand_in_place_with_the_totals_after_them() -> None:
    note = {"type": "note", "text": "tea"}
    rows = sheet_of(history([FINE, *HEARTS, note, MARCH])).rows
    assert [type(row) for row in rows] == [AdjustmentRow, NoteRow, DealRow]
    assert [row.totals for row in rows] == [(-1, 0), (-1, 0), (-1, 2)]


def test_void__is_a_row_and_gives_its_number_to_the_next_deal() -> None:
    rows = sheet_of(history([DEAL, MISDEAL, *HEARTS, MARCH])).rows
    assert rows[0] == VoidRow(version=3, number=1, dealer=0, reason="six cards", totals=(0, 0))
    assert isinstance(rows[1], DealRow)
    assert rows[1].number == 1


def test_finish__is_the_last_row_and_the_game_is_finished() -> None:
    sheet = sheet_of(history([*HEARTS, MARCH, {"type": "finish", "reason": "late"}]))
    assert sheet.rows[-1] == FinishRow(version=8, reason="late", totals=(0, 2))
    assert (sheet.status, sheet.ranking, sheet.leader) == ("finished", ((1,), (0,)), 1)


def test_leader__is_nobody_while_totals_are_equal() -> None:
    sheet = sheet_of(history([]))
    assert (sheet.leader, sheet.ranking, sheet.status) == (None, ((0, 1),), "open")


def test_deal_in_progress__is_no_row() -> None:
    sheet = sheet_of(history([*HEARTS, play(1, "AS")]))
    assert (sheet.rows, sheet.deals) == ((), 0)


def test_correction__changes_the_sheet_as_if_it_had_been_recorded_right() -> None:
    wrong = history([*HEARTS, MARCH, FINE, {"type": "amend", "version": 6, "move": _make(3)}])
    right = history([*HEARTS, _make(3), FINE])
    assert [(type(row), row.totals) for row in sheet_of(wrong).rows] == [
        (type(row), row.totals) for row in sheet_of(right).rows
    ]


def _make(tricks: int) -> dict[str, object]:
    return {"type": "result", "maker": 1, "tricks": tricks}


def test_take_back__takes_the_row_off_the_sheet() -> None:
    assert sheet_of(history([*HEARTS, MARCH, {"type": "take_back", "to": 5}])).rows == ()


def test_points__are_those_stored_on_the_day_never_computed_anew() -> None:
    detail = Detail(maker=0, trump=None, tricks=(3, 2), euchred=False)
    stored = History(history([]).opening)
    stored.restore([Result(maker=0, tricks=3), DealEnded(deal=1, points=(4, 0), detail=detail)])
    sheet = sheet_of(stored)
    assert sheet.totals == (4, 0)
    assert isinstance(sheet.rows[0], DealRow)
    assert sheet.rows[0].points == (4, 0)


def test_ranking__of_an_ended_game_is_the_stored_one() -> None:
    detail = Detail(maker=0, trump=None, tricks=(5, 0), euchred=False)
    stored = History(history([], {"target": 2}).opening)
    stored.restore(
        [
            Result(maker=0, tricks=5),
            DealEnded(deal=1, points=(2, 0), detail=detail),
            GameEnded(totals=(2, 0), ranking=((1,), (0,))),
        ]
    )
    assert sheet_of(stored).ranking == ((1,), (0,))


def test_json__rows_are_told_apart_by_a_word() -> None:
    sheet = json.decode(json.encode(sheet_of(history([DEAL, MISDEAL, *HEARTS, MARCH, FINE]))))
    assert [row["row"] for row in sheet["rows"]] == ["void", "deal", "adjustment"]
    assert sheet["columns"][0] == {"name": "maker", "kind": "seat"}


def test_registry__every_game_has_a_sheet() -> None:
    assert set(FACTS) == set(SHAPES)
