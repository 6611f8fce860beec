"""What undo takes back, found in the raw log alone."""

from datetime import UTC, datetime
from typing import Any

from msgspec import Raw, json

from service.play.views import EntryView
from service.web.recorder.table.board import Undo, redo_of, standing, undo_of

STARTED: dict[str, Any] = {"type": "started"}
PASS: dict[str, Any] = {"type": "pass", "seat": 0}
ENDED: dict[str, Any] = {"type": "deal_ended"}
AMEND: dict[str, Any] = {"type": "amend", "version": 2, "move": PASS}


def back_to(version: int) -> dict[str, Any]:
    return {"type": "take_back", "to": version}


def log(*entries: dict[str, Any]) -> list[EntryView]:
    return [
        EntryView(
            version=version,
            type=entry["type"],
            recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
            entry=Raw(json.encode(entry)),
        )
        for version, entry in enumerate((STARTED, *entries), 1)
    ]


def test_new_game_has_nothing_to_undo() -> None:
    assert undo_of(log()) is None


def test_undo_takes_the_last_entry_back() -> None:
    assert undo_of(log(PASS, PASS)) == Undo(version=3, to=2)


def test_undo_of_the_first_entry_leads_to_the_start() -> None:
    assert undo_of(log(PASS)) == Undo(version=2, to=1)


def test_undo_passes_over_what_the_service_wrote() -> None:
    assert undo_of(log(PASS, PASS, ENDED)) == Undo(version=3, to=2)


def test_undo_after_an_undo_goes_further_back() -> None:
    assert undo_of(log(PASS, PASS, PASS, back_to(3))) == Undo(version=3, to=2)


def test_undo_takes_a_correction_back_before_what_it_corrected() -> None:
    assert undo_of(log(PASS, PASS, AMEND)) == Undo(version=4, to=3)


def test_undo_of_what_followed_an_undo_keeps_the_undo() -> None:
    assert undo_of(log(PASS, PASS, back_to(2), PASS)) == Undo(version=5, to=4)


def test_nothing_is_left_to_undo_once_all_is_taken_back() -> None:
    assert undo_of(log(PASS, PASS, back_to(1))) is None


PLAY: dict[str, Any] = {"type": "play", "seat": 1, "card": "AS"}


def test_redo_enters_again_what_undo_took_back() -> None:
    assert redo_of(log(PASS, PLAY)) == []
    assert redo_of(log(PASS, PLAY, back_to(2))) == [PLAY]


def test_redo_after_two_undos_begins_with_the_earlier_entry() -> None:
    twice = (PASS, PLAY, back_to(2), back_to(1))
    assert redo_of(log(*twice)) == [PASS]
    assert redo_of(log(*twice, PASS)) == [PLAY]
    assert redo_of(log(*twice, PASS, PLAY)) == []


def test_redo_enters_together_what_was_taken_back_together() -> None:
    both = (PASS, PLAY, back_to(1))
    assert redo_of(log(*both)) == [PASS, PLAY]
    assert redo_of(log(*both, PASS)) == [PLAY]


def test_redo_of_many_entries_begins_with_the_first_alone() -> None:
    assert redo_of(log(PASS, PLAY, PASS, PLAY, back_to(1))) == [PASS]


def test_redo_is_gone_once_something_else_is_entered() -> None:
    assert redo_of(log(PASS, PLAY, back_to(2), {**PLAY, "card": "KS"})) == []


def test_redo_of_a_deal_that_ended_enters_its_last_card() -> None:
    assert redo_of(log(PASS, PLAY, ENDED, back_to(2))) == [PLAY]


def test_redo_tells_nothing_of_when_it_happened() -> None:
    late = {**PLAY, "at": "2026-01-01T12:00:00Z"}
    assert redo_of(log(PASS, late, back_to(2))) == [PLAY]


def test_what_was_taken_back_does_not_stand() -> None:
    assert standing(log(PASS, PASS, back_to(2), PASS)) == [1, 2, 4, 5]


def test_undo_takes_what_an_entry_implies_back_with_it() -> None:
    assert undo_of(log(PASS, PASS, PASS), {3}) == Undo(version=4, to=2, also=(3,))


def test_undo_leaves_what_only_later_entries_imply() -> None:
    assert undo_of(log(PASS, PASS, PASS), {2}) == Undo(version=4, to=3)
