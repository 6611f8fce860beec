from datetime import UTC, datetime, timedelta

import pytest

from schemas.entries import Amend, Note, Splice
from service.play.queries import check_times

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def note(at: datetime) -> Note:
    return Note(text="", at=at)


@pytest.mark.parametrize("late", [timedelta(days=-365), timedelta(), timedelta(hours=23)])
def test_a_moment_near_today_stands(late: timedelta) -> None:
    assert check_times([note(NOW + late)], NOW, "$.entries") is None


@pytest.mark.parametrize("year", [1, 1969, 2024, 2099, 9999])
def test_a_moment_of_another_time_is_refused(year: int) -> None:
    found = check_times([Note(text=""), note(NOW.replace(year=year))], NOW, "$.entries")
    assert found is not None
    assert found.path == "$.entries[1].at"
    assert found.expected == "a moment from 2025-11-26 to 2026-11-28"


@pytest.mark.parametrize(("year", "refused"), [(1899, True), (1995, False), (2027, True)])
def test_what_a_correction_puts_in_place_may_be_old(year: int, *, refused: bool) -> None:
    move = note(NOW.replace(year=year))
    for entry, path in (
        (Amend(version=2, move=move), "$[0].move.at"),
        (Splice(version=2, drop=0, moves=(move,)), "$[0].moves[0].at"),
    ):
        found = check_times([entry], NOW, "$")
        assert (found and found.path) == (path if refused else None)
