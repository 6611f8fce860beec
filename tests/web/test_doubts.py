"""What a deal left to complete, read off what stands."""

from datetime import UTC, datetime
from typing import Any

from msgspec import Raw, json

from service.play.views import EntryView
from service.web.recorder.table.doubts import doubts

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
