from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from service.store.club.backups import BackupsMade
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from service.store.server.filelock import hold
from service.transfer.backups import BackupFolder, Backups
from service.transfer.everything import Everything
from tests.service.stored_club import Club, played

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path, clock: Clock) -> BackupFolder:
    return BackupFolder(tmp_path / "backups", 2, clock)


def backups_of(club: Club, folder: BackupFolder) -> Backups:
    made = BackupsMade(club.pool, DEFAULT_CLUB)
    return Backups(Everything(club.url, club.pool, None, DEFAULT_CLUB), made, folder)


async def test_a_nightly_backup_restored_elsewhere_is_whole(
    here: Club, elsewhere: Club, folder: BackupFolder
) -> None:
    await here.record(played())
    made = await backups_of(here, folder).if_due(folder)
    assert made is not None
    assert made.stat().st_mode & 0o077 == 0
    assert elsewhere.carnet("import", str(made)).stdout == "1 games and 2 people imported\n"
    assert elsewhere.carnet("verify").stdout.endswith("all hash chains are intact\n")
    logs = [
        [link async for link in EventStore(club.pool, DEFAULT_CLUB).walk()]
        for club in (here, elsewhere)
    ]
    assert logs[0] == logs[1] != []


async def test_a_restore_that_was_stopped_is_run_again(
    here: Club, elsewhere: Club, folder: BackupFolder
) -> None:
    for _ in range(3):
        await here.record(played())
    made = await backups_of(here, folder).if_due(folder)
    assert made is not None
    everything = Everything(elsewhere.url, elsewhere.pool, None, DEFAULT_CLUB)

    def stop(_done: int, _of: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        await everything.restore_from(made, stop)
    taken = await everything.restore_from(made, lambda _done, _of: None)
    assert (taken.new_games + taken.here, taken.failed) == (3, ())
    logs = [
        [link async for link in EventStore(club.pool, DEFAULT_CLUB).walk()]
        for club in (here, elsewhere)
    ]
    assert logs[0] == logs[1] != []


async def test_a_night_has_one_backup_and_the_newest_are_kept(
    here: Club, folder: BackupFolder, clock: Clock
) -> None:
    backups = backups_of(here, folder)
    (folder.folder).mkdir()
    (folder.folder / "carnet-mine.jsonl").touch()
    for _ in range(3):
        assert await backups.if_due(folder) is not None
        assert await backups.if_due(folder) is None
        clock.now += timedelta(days=1)
    days = [file.made_at.date().day for file in folder.files()]
    assert days == [22, 21]
    assert (folder.folder / "carnet-mine.jsonl").exists()


async def test_of_two_processes_one_makes_the_nights_backup(
    here: Club, folder: BackupFolder
) -> None:
    folder.folder.mkdir()
    lock = hold(folder.folder / ".lock")
    try:
        assert await backups_of(here, folder).if_due(folder) is None
    finally:
        lock.release()


async def test_a_backup_that_was_made_is_remembered(here: Club, folder: BackupFolder) -> None:
    await here.record(played())
    backups = backups_of(here, folder)
    assert await backups.last() is None
    await backups.if_due(folder)
    last = await backups.last()
    assert last is not None
    assert (last.place, last.games) == ("folder", 1)


async def test_what_cannot_be_written_leaves_the_backups_that_are_there(
    here: Club, folder: BackupFolder, clock: Clock
) -> None:
    backups = backups_of(here, folder)
    first = await backups.if_due(folder)
    clock.now += timedelta(days=1)
    gone = Everything("postgresql://nowhere", here.pool, None, DEFAULT_CLUB)
    await here.pool.close()
    with pytest.raises(Exception):  # noqa: B017, PT011 -- any error of a closed pool
        await Backups(gone, BackupsMade(here.pool, DEFAULT_CLUB), folder).if_due(folder)
    assert [file.path for file in folder.files()] == [first]


async def test_the_command_writes_into_the_folder_it_is_given(here: Club, tmp_path: Path) -> None:
    await here.record(played())
    done = here.carnet("backup", str(tmp_path / "kept"))
    (file,) = (tmp_path / "kept").iterdir()
    assert (done.returncode, done.stdout) == (0, f"{file}: 1 games, 2 people\n")


async def test_the_command_needs_a_folder(here: Club) -> None:
    done = here.carnet("backup")
    assert done.returncode == 2
    assert "CARNET_BACKUP_DIR" in done.stderr
