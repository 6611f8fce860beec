from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec

from domain.replay import opening
from domain.table.history import History, Line
from domain.table.refusal import Refusal
from schemas.catalogue import encode, shapes, type_of
from schemas.entries import Entry
from schemas.euchre import Options
from schemas.strict_json import Malformed
from schemas.upcast import TEXT_INLINE
from service.store.records import StoredEntry
from service.web.recorder.table.board import Undo, undo_of

Raw = dict[str, Any]
TEA: Raw = {"type": "note", "text": "tea"}
RAIN: Raw = {"type": "note", "text": "rain"}
ENDS_A_DEAL: Raw = {"type": "result", "maker": 0, "tricks": 3, "dealer": 0}
AMEND: Raw = {"type": "amend", "version": 2, "move": RAIN}


def take_back_to(version: int) -> Raw:
    return {"type": "take_back", "to": version}


def decode(*entries: Raw) -> tuple[Entry, ...]:
    found = shapes("euchre").decode_submitted(msgspec.json.encode(entries))
    assert not isinstance(found, Malformed)
    return found


def play(*entries: Raw) -> tuple[History, list[StoredEntry]]:
    history = History(opening("euchre", Options(), 2))
    rows = [_row(Line(1, decode(TEA)[0]), uuid4())]  # in place of `started`, which is not read
    for entry in decode(*entries):
        written = history.judge(entry)
        assert not isinstance(written, Refusal), written
        command = uuid4()
        rows += [_row(line, command) for line in written]
    return history, rows


def _row(line: Line, command: UUID) -> StoredEntry:
    return StoredEntry(
        version=line.version,
        type=type_of(line.entry),
        schema_version=TEXT_INLINE,
        data=encode(line.entry),
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        recorded_by=None,
        hash=b"",
        ordinal=0,
        command_id=command,
    )


def undo(*entries: Raw) -> Undo | None:
    return undo_of(*play(*entries), {})


def redo(*entries: Raw) -> list[Raw]:
    history, _ = play(*entries)
    return [msgspec.to_builtins(line.entry) for line in history.undone]


def test_new_game_has_nothing_to_undo() -> None:
    assert undo() is None


def test_undo_takes_the_last_entry_back() -> None:
    assert undo(TEA, RAIN) == Undo(version=3, to=2)


def test_undo_of_the_first_entry_leads_to_the_start() -> None:
    assert undo(TEA) == Undo(version=2, to=1)


def test_undo_passes_over_what_the_service_wrote() -> None:
    assert undo(TEA, ENDS_A_DEAL) == Undo(version=3, to=2)


def test_undo_after_an_undo_goes_further_back() -> None:
    assert undo(TEA, TEA, RAIN, take_back_to(3)) == Undo(version=3, to=2)


def test_undo_takes_a_correction_back_before_what_it_corrected() -> None:
    assert undo(TEA, TEA, AMEND) == Undo(version=4, to=3)


def test_undo_of_what_followed_an_undo_keeps_the_undo() -> None:
    assert undo(TEA, TEA, take_back_to(2), RAIN) == Undo(version=5, to=4)


def test_nothing_is_left_to_undo_once_all_is_taken_back() -> None:
    assert undo(TEA, RAIN, take_back_to(1)) is None


def test_redo_enters_again_what_undo_took_back() -> None:
    assert redo(TEA, RAIN) == []
    assert redo(TEA, RAIN, take_back_to(2)) == [RAIN]


def test_redo_after_two_undos_begins_with_the_earlier_entry() -> None:
    twice = (TEA, RAIN, take_back_to(2), take_back_to(1))
    assert redo(*twice) == [TEA]
    assert redo(*twice, TEA) == [RAIN]
    assert redo(*twice, TEA, RAIN) == []


def test_redo_enters_together_what_was_taken_back_together() -> None:
    both = (TEA, RAIN, take_back_to(1))
    assert redo(*both) == [TEA, RAIN]
    assert redo(*both, TEA) == [RAIN]


def test_redo_of_many_entries_begins_with_the_first_alone() -> None:
    assert redo(TEA, RAIN, TEA, RAIN, take_back_to(1)) == [TEA]


def test_redo_is_gone_once_something_else_is_entered() -> None:
    assert redo(TEA, RAIN, take_back_to(2), AMEND) == []


def test_redo_of_a_deal_that_ended_enters_its_last_entry() -> None:
    assert redo(TEA, ENDS_A_DEAL, take_back_to(2)) == [ENDS_A_DEAL]


def test_redo_goes_on_whenever_the_same_was_entered_again() -> None:
    late = {**TEA, "at": "2026-01-01T12:00:00Z"}
    assert redo(late, RAIN, take_back_to(2), take_back_to(1), TEA) == [RAIN]


def test_undo_takes_what_an_entry_implies_back_with_it() -> None:
    history, rows = play(TEA, TEA, ENDS_A_DEAL)
    together = [
        msgspec.structs.replace(row, command_id=rows[2].command_id) if row.version > 3 else row
        for row in rows
    ]
    implied = {"result": "note"}
    assert undo_of(history, together, implied) == Undo(version=4, to=2, also=(3,))


def test_undo_leaves_what_another_command_entered() -> None:
    assert undo_of(*play(TEA, TEA, ENDS_A_DEAL), {"result": "note"}) == Undo(version=4, to=3)
