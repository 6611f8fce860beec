from datetime import UTC, datetime
from typing import Any

from msgspec import Raw, json

from service.play.views import EntryView
from service.web.recorder.table.board import final_entry, just_ended
from service.web.recorder.table.doubts import doubts
from service.web.recorder.table.outcome import places

ENDED: dict[str, Any] = {"type": "deal_ended", "deal": 1}
OVER: dict[str, Any] = {"type": "game_ended", "ranking": [[1], [0]]}
NAMES = ("Ann", "Bob", "Chloé", "Jürgen")


def test_deal_is_told_until_the_next_one_begins() -> None:
    assert just_ended([{"type": "play"}, ENDED]) == ENDED
    assert just_ended([ENDED, {"type": "note"}]) == ENDED
    assert just_ended([ENDED, {"type": "deal"}]) is None
    assert just_ended([{"type": "started"}]) is None


def test_end_of_a_game_is_told_with_its_last_deal() -> None:
    assert (just_ended([ENDED, OVER]), final_entry([ENDED, OVER])) == (ENDED, OVER)


def test_partners_share_a_place_and_are_named_together() -> None:
    found = places([[0, 2], [1, 3]], (1, 3, 1, 3), NAMES)
    assert [(one.place, one.names) for one in found] == [
        (1, ("Ann", "Chloé")),
        (3, ("Bob", "Jürgen")),
    ]


def test_margins_are_counted_from_the_first() -> None:
    found = places([[2], [0], [1]], (40, 75, 12), NAMES[:3])
    assert [(one.total, one.margin) for one in found] == [(12, 0), (40, 28), (75, 63)]


def test_where_totals_did_not_make_the_order_nobody_is_points_behind() -> None:
    found = places([[2], [1], [0]], (2, -1, 0), NAMES[:3])
    assert [(one.total, one.margin) for one in found] == [(0, 0), (-1, 0), (2, 0)]


SURE: dict[str, Any] = {"type": "play", "seat": 0, "card": "AS"}
UNSURE: dict[str, Any] = {**SURE, "unsure": True}
MISSED: dict[str, Any] = {"type": "note", "text": "", "unsure": True}


def deal(*entries: dict[str, Any]) -> list[EntryView]:
    return [
        EntryView(
            version=version,
            type=entry["type"],
            recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
            entry=Raw(json.encode(entry)),
        )
        for version, entry in enumerate(entries, 1)
    ]


def test_unsure_entries_of_the_deal_that_ended_are_to_complete() -> None:
    assert [one.version for one in doubts(deal(SURE, UNSURE))] == [2]


def test_saying_that_it_was_so_leaves_the_doubt_out() -> None:
    (one,) = doubts(deal(UNSURE))
    assert one.sure == {"type": "amend", "version": 1, "part": 0, "move": SURE}


def test_card_that_lay_open_and_that_nobody_saw_is_to_complete() -> None:
    row: dict[str, Any] = {"type": "reveal", "seat": 0, "cards": ["KD", "??"], "points": 12}
    (one,) = doubts(deal(row), {"reveal": ("cards",)})
    assert one.unseen


def test_card_that_lay_face_down_is_not_to_complete() -> None:
    laid: dict[str, Any] = {"type": "accept", "seat": 0, "discard": "??"}
    assert doubts(deal(laid), {"reveal": ("cards",)}) == []


def test_unsure_note_is_a_place_where_something_is_missing() -> None:
    (one,) = doubts(deal(MISSED))
    assert one.gap
