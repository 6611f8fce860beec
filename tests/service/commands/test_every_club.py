"""`--all-clubs`: a failed club stops no other, and an interrupted run is resumed."""

import asyncio
from argparse import Namespace
from pathlib import Path
from uuid import uuid4

import pytest

from service.commands.support.every_club import for_clubs
from service.errors import CarnetError
from service.store.club.clubs import ClubRow


@pytest.fixture
def rows() -> list[ClubRow]:
    names = ("", "Acacia", "Birch", "Cedar")
    return [ClubRow(club_id=uuid4(), is_first=not name, name=name) for name in names]


@pytest.fixture
def checkpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CARNET_DATA_DIR", str(tmp_path))
    return tmp_path / "all-clubs-verify.done"


def asked(*, resume: bool = False) -> Namespace:
    return Namespace(command="verify", jobs=3, resume=resume, all_clubs=True, club=None)


def test_a_failed_club_stops_no_other(
    rows: list[ClubRow], checkpoint: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[tuple[int, str | None]] = []

    async def work(jobs: int, club: str | None) -> int:
        done.append((jobs, club))
        if club == str(rows[1].club_id):
            raise CarnetError("not today")
        if club == str(rows[2].club_id):
            raise ZeroDivisionError
        return 0

    assert asyncio.run(for_clubs(asked(), rows, work)) == 1
    assert done == [(3, str(row.club_id)) for row in rows]
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        f"{rows[0].club_id}:",
        f"{rows[1].club_id} Acacia:",
        "failed: not today",
        f"{rows[2].club_id} Birch:",
        "failed: a fault in Carnet: ZeroDivisionError",
        f"{rows[3].club_id} Cedar:",
        "4 clubs: 2 failed",
    ]
    assert "Traceback" in captured.err
    assert not checkpoint.exists()


def test_a_resumed_run_leaves_out_finished_clubs(
    rows: list[ClubRow], checkpoint: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint.write_text(f"{rows[0].club_id}\n{rows[3].club_id}\n{rows[1].club_id}", "ascii")
    done: list[str | None] = []

    async def work(jobs: int, club: str | None) -> int:
        del jobs
        done.append(club)
        return 0

    assert asyncio.run(for_clubs(asked(resume=True), rows, work)) == 0
    assert done == [str(rows[1].club_id), str(rows[2].club_id)]
    assert capsys.readouterr().out.startswith("2 clubs were finished by ")
    assert not checkpoint.exists()


def test_an_interrupted_run_leaves_its_checkpoint(rows: list[ClubRow], checkpoint: Path) -> None:
    async def work(jobs: int, club: str | None) -> int:
        del jobs
        if club == str(rows[2].club_id):
            raise KeyboardInterrupt
        return 0

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(for_clubs(asked(), rows, work))
    assert checkpoint.read_text("ascii").split() == [str(row.club_id) for row in rows[:2]]
