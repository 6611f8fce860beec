"""What a deal left to complete, read off what stands."""

from datetime import UTC, datetime
from typing import Any

from msgspec import Raw, json

from service.play.views import EntryView
from service.web.recorder.table.doubts import doubts

ENDED: dict[str, Any] = {"type": "deal_ended"}
SURE: dict[str, Any] = {"type": "play", "seat": 0, "card": "AS"}
UNSURE: dict[str, Any] = {**SURE, "unsure": True}
MISSED: dict[str, Any] = {"type": "note", "text": "", "unsure": True}


def log(*entries: dict[str, Any]) -> list[EntryView]:
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
    assert [one.version for one in doubts(log(SURE, UNSURE, ENDED))] == [2]


def test_deals_before_the_last_one_are_left_alone() -> None:
    assert [one.version for one in doubts(log(UNSURE, ENDED, UNSURE, ENDED))] == [3]


def test_deal_that_goes_on_has_nothing_to_complete_yet() -> None:
    assert doubts(log(UNSURE)) == []


def test_saying_that_it_was_so_leaves_the_doubt_out() -> None:
    (one,) = doubts(log(UNSURE, ENDED))
    assert one.sure == {"type": "amend", "version": 1, "part": 0, "move": SURE}


def test_card_that_lay_open_and_that_nobody_saw_is_to_complete() -> None:
    row: dict[str, Any] = {"type": "reveal", "seat": 0, "cards": ["KD", "??"], "points": 12}
    (one,) = doubts(log(row, ENDED), {"reveal": ("cards",)})
    assert one.unseen


def test_card_that_lay_face_down_is_not_to_complete() -> None:
    laid: dict[str, Any] = {"type": "accept", "seat": 0, "discard": "??"}
    assert doubts(log(laid, ENDED), {"reveal": ("cards",)}) == []


def test_unsure_note_is_a_place_where_something_is_missing() -> None:
    (one,) = doubts(log(MISSED, ENDED))
    assert one.gap
