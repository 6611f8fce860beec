"""What is said of clubs that several processes do at a time, and what each of them is given."""

import asyncio
from argparse import Namespace
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.commands.support import every_club
from service.commands.support.club_workers import ClubOutcome, One
from service.commands.support.every_club import over_these
from service.store.club.clubs import ClubRow

NAMES = ("", "Acacia", "Birch", "Cedar")
FAILS = 2  # the place of the one that does


@pytest.fixture
def rows() -> list[ClubRow]:
    return [ClubRow(club_id=uuid4(), is_first=not name, name=name) for name in NAMES]


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CARNET_DATA_DIR", str(tmp_path))
    return tmp_path / "all-clubs-verify.done"


def asked(jobs: int, *, resume: bool = False) -> Namespace:
    return Namespace(command="verify", jobs=jobs, resume=resume, all_clubs=True, club=None)


async def worked(jobs: int, club: str | None) -> int:
    """Do nothing: it is for processes, whose place is taken here."""
    del jobs, club
    return 0


class Backwards:
    """Takes the place of the processes: does the last club first, and fails one."""

    def __init__(self, rows: list[ClubRow], noted: Path) -> None:
        self._fails = str(rows[FAILS].club_id)
        self._noted = noted
        self.count = 0
        self.given: tuple[object, ...] = ()
        self.before: list[str] = []

    async def at_once(
        self, count: int, one: One, clubs: Iterable[str], tell: Callable[[str, ClubOutcome], object]
    ) -> None:
        assert isinstance(one, partial)
        self.count, self.given = count, one.args
        every = list(clubs)
        for club in reversed(every):
            status = int(club == self._fails)
            tell(club, ClubOutcome(status=status, out=f"out of {club}\n", err=f"err of {club}\n"))
            if club == every[1]:
                self.before = self._noted.read_text("ascii").split()


@pytest.mark.parametrize(
    ("jobs", "shared"), [(2, (2, 1)), (4, (4, 1)), (5, (4, 1)), (9, (4, 2)), (64, (4, 16))]
)
def test_clubs_are_told_of_in_their_order_and_noted_when_they_are_done(
    jobs: int,
    shared: tuple[int, int],
    rows: list[ClubRow],
    noted: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    backwards = Backwards(rows, noted)
    monkeypatch.setattr(every_club, "at_once", backwards.at_once)
    assert asyncio.run(over_these(asked(jobs), rows, worked)) == 1
    assert (backwards.count, *backwards.given) == shared
    # Before the first club was done, nothing was said of the others; what went well was noted.
    assert backwards.before == [str(rows[3].club_id), str(rows[1].club_id)]
    told = capsys.readouterr()
    expected: list[str] = []
    for row in rows:
        expected += [f"{row.club_id} {row.name}".rstrip() + ":", f"out of {row.club_id}"]
    assert told.out.splitlines() == [*expected, "4 clubs: 1 failed"]
    assert told.err.splitlines() == [f"err of {row.club_id}" for row in rows]
    assert not noted.exists()


def test_clubs_that_went_well_before_are_given_to_nobody(
    rows: list[ClubRow], noted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted.write_text(f"{rows[0].club_id}\n{rows[3].club_id}\n", "ascii")
    given: list[UUID] = []

    async def at_once(
        count: int, one: One, clubs: Iterable[str], tell: Callable[[str, ClubOutcome], object]
    ) -> None:
        del one
        assert count == 2
        for club in clubs:
            given.append(UUID(club))
            tell(club, ClubOutcome(status=0))

    monkeypatch.setattr(every_club, "at_once", at_once)
    assert asyncio.run(over_these(asked(9, resume=True), rows, worked)) == 0
    assert given == [rows[1].club_id, rows[2].club_id]


def test_one_process_does_them_here_one_after_another(
    rows: list[ClubRow], noted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[tuple[int, str | None]] = []

    async def work(jobs: int, club: str | None) -> int:
        done.append((jobs, club))
        return 0

    assert asyncio.run(over_these(asked(1), rows, work)) == 0
    assert done == [(1, str(row.club_id)) for row in rows]
    assert capsys.readouterr().out.splitlines()[-1] == "4 clubs: none failed"
    assert not noted.exists()
