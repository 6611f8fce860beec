import asyncio
import re
import subprocess
from argparse import Namespace
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from service.access.secrets import club_of_secret
from service.commands.support.every_club import for_clubs
from service.errors import CarnetError
from service.store.club.clubs import ClubRow, ClubRows
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB, ChainedEntry
from tests.service.stored_club import Club, played


def add_club(club: Club, name: str) -> UUID:
    done = club.carnet("club", "add", name)
    assert done.returncode == 0, done.stderr
    (key,) = set(re.findall(r"login\?key=(\S+)", done.stdout + done.stderr))
    found = club_of_secret(key)
    assert found is not None
    return found


async def played_in(club: Club, club_id: UUID) -> None:
    await Club(club.url, club.pool, club_id).record(played())


async def log_of(club: Club, club_id: UUID) -> list[ChainedEntry]:
    return [link async for link in EventStore(club.pool, club_id).walk()]


def output_of(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout + done.stderr


async def test_clubs_are_added_listed_renamed_suspended_and_resumed(here: Club) -> None:
    club_id = add_club(here, "Acacia")
    await played_in(here, club_id)
    assert here.carnet("club", "add", "Acacia").returncode == 1
    assert here.carnet("club", "rename", "Acacia", "Birch").returncode == 0
    assert here.carnet("club", "suspend", "Birch").returncode == 0
    first, birch = here.carnet("club", "list").stdout.splitlines()
    assert first.startswith(f"{DEFAULT_CLUB}\t(first)\t0 games")
    assert birch.startswith(f"{club_id}\tBirch\t1 games")
    assert birch.endswith("suspended")
    assert here.carnet("club", "resume", str(club_id)).returncode == 0
    rows = await ClubRows(here.pool).all()
    assert [row.suspended_at for row in rows] == [None, None]
    assert here.carnet("club", "suspend", "Cedar").returncode == 2


async def test_a_club_goes_whole_into_a_fresh_database_with_the_same_hashes(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    acacia, birch = add_club(here, "Acacia"), add_club(here, "Birch")
    for club_id in (acacia, birch):
        await played_in(here, club_id)
    file = str(tmp_path / "acacia.jsonl")
    assert here.carnet("export", file, "--club", "Acacia").returncode == 0
    done = elsewhere.carnet("import", file)
    assert done.returncode == 0, output_of(done)
    there = await log_of(elsewhere, acacia)
    assert [one.entry.hash for one in there] == [
        one.entry.hash for one in await log_of(here, acacia)
    ]
    assert (await ClubRows(elsewhere.pool).first()).club_id == acacia
    assert "1 games" in elsewhere.carnet("verify").stdout
    assert "1 games" in here.carnet("verify", "--club", "Birch").stdout
    # An export of another club is refused by a club with data.
    other = str(tmp_path / "birch.jsonl")
    assert here.carnet("export", other, "--club", str(birch)).returncode == 0
    assert "another club" in output_of(elsewhere.carnet("import", other))


async def test_a_club_is_removed_after_its_name_is_typed_and_its_export_written(
    here: Club, tmp_path: Path
) -> None:
    acacia, birch = add_club(here, "Acacia"), add_club(here, "Birch")
    for club_id in (acacia, birch):
        await played_in(here, club_id)
    file = tmp_path / "acacia.jsonl"
    asked = ("club", "remove", "Acacia", "--export", str(file))
    assert here.carnet(*asked, typed="Birch\n").returncode == 1
    assert not file.exists()
    done = here.carnet(*asked, typed="Acacia\n")
    assert done.returncode == 0, output_of(done)
    assert '"line":"game"' in file.read_text()
    assert await log_of(here, acacia) == []
    assert len(await log_of(here, birch)) > 0
    with psycopg.connect(here.url) as conn:
        tables = [
            row[0]
            for row in conn.execute(
                "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
                " WHERE a.attname = 'club_id' AND c.relkind = 'r'"
                " AND c.relnamespace = 'carnet'::regnamespace"
            )
        ]
        for table in tables:
            query = f"SELECT FROM carnet.{table} WHERE club_id = %s"
            rows = conn.execute(query.encode(), [acacia])
            assert rows.fetchone() is None, table
    assert here.carnet("club", "remove", str(DEFAULT_CLUB), typed="(first)\n").returncode == 1


async def test_limits_are_set_told_and_taken_away(here: Club) -> None:
    add_club(here, "Acacia")
    done = here.carnet("club", "limit", "Acacia", "--games", "7", "--stored-bytes", "1000")
    assert done.stdout == "Acacia: at most 7 games, at most 1000 stored bytes\n"
    done = here.carnet("club", "limit", "Acacia", "--games", "none", "--entries-a-day", "0")
    assert done.stdout == "Acacia: at most 0 entries a day, at most 1000 stored bytes\n"
    first, acacia = here.carnet("club", "list").stdout.splitlines()
    assert "at most" not in first
    assert acacia.endswith("at most 0 entries a day, at most 1000 stored bytes")
    assert (await ClubRows(here.pool).all())[1].games_max is None
    assert here.carnet("club", "limit", "Acacia", "--people", "-1").returncode == 2
    assert here.carnet("club", "limit", "Cedar").returncode == 2


def falsify(url: str, club_id: UUID) -> None:
    with psycopg.connect(url) as conn:
        conn.execute("ALTER TABLE carnet.entry DISABLE TRIGGER entry_keeps_rows")
        conn.execute(
            "UPDATE carnet.entry SET data = convert_to('{}', 'UTF8')"
            " WHERE version = 5 AND club_id = %s",
            [club_id],
        )


async def test_every_club_is_gone_through_and_one_that_fails_is_named(
    here: Club, tmp_path: Path
) -> None:
    acacia, birch = add_club(here, "Acacia"), add_club(here, "Birch")
    for club_id in (DEFAULT_CLUB, acacia, birch):
        await played_in(here, club_id)
    backups = tmp_path / "backups"
    # Some at once, each in a process of its own, which takes as long as a hundred small clubs do;
    # others one after another.
    for command in (
        ("rebuild", "--jobs", "2"),
        ("verify",),
        ("audit", "--jobs", "1"),
        ("export", str(tmp_path), "--jobs", "2"),
        ("backup", str(backups), "--jobs", "1"),
    ):
        done = here.carnet(*command, "--all-clubs")
        assert done.returncode == 0, output_of(done)
        lines = done.stdout.splitlines()
        assert [line for line in lines if line.endswith(":")] == [
            f"{DEFAULT_CLUB}:",
            f"{acacia} Acacia:",
            f"{birch} Birch:",
        ]
        assert lines[-1] == "3 clubs: none failed"
    for club_id in (DEFAULT_CLUB, acacia, birch):
        assert '"line":"game"' in (tmp_path / f"{club_id}.jsonl").read_text()
    assert len(list(backups.glob("*.jsonl*"))) == 1
    assert len(list(backups.glob("clubs/*/*.jsonl*"))) == 2
    falsify(here.url, acacia)
    done = here.carnet("verify", "--all-clubs")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "bad link at entry 5" in lines[lines.index(f"{acacia} Acacia:") + 1]
    assert lines[-2].endswith("all hash chains are intact")
    assert lines[-1] == "3 clubs: 1 failed"
    assert here.carnet("export", "--all-clubs").returncode == 2
    assert here.carnet("verify", "--all-clubs", "--club", "Birch").returncode == 2


async def test_every_club_goes_into_another_installation_with_the_same_hashes(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    acacia, birch = add_club(here, "Acacia"), add_club(here, "Birch")
    clubs = (DEFAULT_CLUB, acacia, birch)
    for club_id in clubs:
        await played_in(here, club_id)
    assert here.carnet("export", "--all-clubs", str(tmp_path)).returncode == 0
    whole = (tmp_path / f"{acacia}.jsonl").read_bytes()
    (tmp_path / f"{acacia}.jsonl").write_bytes(whole[:-50])
    done = elsewhere.carnet("import", "--all-clubs", str(tmp_path))
    assert done.returncode == 1, output_of(done)
    assert done.stdout.splitlines()[-1] == "3 clubs: 1 failed"
    for club_id in (acacia, birch):
        assert f"carnet key --new --club {club_id}" in done.stdout
    (tmp_path / f"{acacia}.jsonl").write_bytes(whole)
    done = elsewhere.carnet("import", "--all-clubs", str(tmp_path))
    assert done.returncode == 0, output_of(done)
    assert done.stdout.splitlines()[-1] == "3 clubs: none failed"
    for club_id in clubs:
        hashes = [one.entry.hash for one in await log_of(elsewhere, club_id)]
        assert hashes
        assert hashes == [one.entry.hash for one in await log_of(here, club_id)]
    first, *others = await ClubRows(elsewhere.pool).all()
    assert first.club_id == DEFAULT_CLUB
    assert {row.club_id for row in others} == {acacia, birch}
    (tmp_path / "again.jsonl").write_bytes(whole)
    done = elsewhere.carnet("import", "--all-clubs", str(tmp_path))
    assert (done.returncode, "belong to the same club" in done.stderr) == (2, True)
    assert elsewhere.carnet("import", "--all-clubs").returncode == 2
    assert elsewhere.carnet("import", "--resume", str(tmp_path)).returncode == 2


async def test_an_interrupted_run_through_every_club_is_resumed(here: Club, tmp_path: Path) -> None:
    acacia, birch = add_club(here, "Acacia"), add_club(here, "Birch")

    def gone_through(*arguments: str) -> list[str]:
        done = here.carnet("verify", *arguments, CARNET_DATA_DIR=str(tmp_path))
        assert done.returncode == 0, output_of(done)
        return done.stdout.splitlines()

    noted = tmp_path / "all-clubs-verify.done"
    noted.write_text(f"{DEFAULT_CLUB}\n{birch}\n{str(acacia)[:9]}", "ascii")
    lines = gone_through("--all-clubs", "--resume")
    assert lines[0].startswith("2 clubs were finished in an earlier run")
    assert [line for line in lines if line.endswith(":")] == [f"{acacia} Acacia:"]
    assert lines[-1] == "3 clubs: none failed"
    assert not noted.exists()
    noted.write_text(f"{DEFAULT_CLUB}\n", "ascii")
    lines = gone_through("--all-clubs")
    assert len([line for line in lines if line.endswith(":")]) == 3
    assert here.carnet("verify", "--resume").returncode == 2


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
        "failed: an internal error of Carnet: ZeroDivisionError",
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
    assert capsys.readouterr().out.startswith("2 clubs were finished in an earlier run")
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
