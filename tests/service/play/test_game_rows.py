"""The rows of a log, kept once for all its versions."""

from datetime import UTC, datetime
from uuid import UUID

from service.play.game_rows import Rows
from service.store.records import StoredEntry

ANN, BOB, EVE = UUID(int=1), UUID(int=2), UUID(int=3)


def row(version: int, command_id: UUID, ordinal: int = 0) -> StoredEntry:
    return StoredEntry(
        version=version,
        type="note",
        schema_version=1,
        data=b"{}",
        recorded_at=datetime(2026, 11, 22, tzinfo=UTC),
        recorded_by=None,
        hash=bytes(32),
        ordinal=ordinal,
        command_id=command_id,
    )


STARTED = row(1, ANN)
TWO = (row(2, BOB), row(3, BOB, 1))
ROWS = Rows.of([STARTED, *TWO])


def test_they_read_as_a_sequence() -> None:
    assert (tuple(ROWS), len(ROWS), ROWS[-1], ROWS[1:]) == ((STARTED, *TWO), 3, TWO[1], TWO)


def test_what_grows_leaves_the_shorter_as_they_were() -> None:
    first = Rows.of([STARTED])
    assert tuple(first.extend(TWO)) == (STARTED, *TWO)
    assert tuple(first) == (STARTED,)
    assert first.of_command(BOB) == ()


def test_two_that_grow_from_one_place_know_nothing_of_each_other() -> None:
    first = Rows.of([STARTED])
    one, other = first.extend([row(2, BOB)]), first.extend([row(2, EVE)])
    assert (one[1].command_id, other[1].command_id) == (BOB, EVE)
    assert (one.of_command(EVE), other.of_command(BOB)) == ((), ())


def test_an_earlier_version_is_what_a_later_one_begins_with() -> None:
    assert tuple(ROWS.until(2)) == ROWS[:2]


def test_what_a_command_wrote_is_found() -> None:
    assert ROWS.of_command(BOB) == TWO
    assert ROWS.of_command(EVE) == ()


def test_what_came_later_is_not_found_at_an_earlier_version() -> None:
    assert ROWS.until(1).of_command(BOB) == ()
