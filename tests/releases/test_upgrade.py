"""A database of an earlier release is upgraded in place, beside services that still write."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest

from service.store.server.migrate import (
    BACKWARD_COMPATIBLE_MARKER,
    Schema,
    SqlFile,
    migrate,
    packaged_schema,
)
from tests.carnet_process import ROOT
from tests.http.club import LOST_RESULT, Game, client_with_key
from tests.http.test_new_machine import Household, Machine, check_that_all_go_on, rows_of
from tests.postgres import Cluster
from tests.releases.dumps import FOLDER, dump, fill, restore, schema_of
from tests.service_process import PLAIN_TLS, free_port

START = "from service.cli import main; raise SystemExit(main())"
START_SECONDS_MAX = 240.0
PAUSE_SECONDS = 0.05
COLUMN = b"    note      text NOT NULL DEFAULT '',\n"
INDEX = b"CREATE INDEX season_by_day ON carnet.season (club_id, first_day);\n"
STEP = SqlFile(
    name="migrations/999_note_of_season.sql",
    sql=BACKWARD_COMPATIBLE_MARKER
    + b"ALTER TABLE carnet.season ADD COLUMN note text NOT NULL DEFAULT '';\n"
    + INDEX,
)


def later_schema() -> Schema:
    """Return the schema of a release after this one: a column, an index, and their migration."""
    now = packaged_schema()
    changed = [
        SqlFile(name=one.name, sql=one.sql.replace(b"    PRIMARY", COLUMN + b"    PRIMARY"))
        if one.name == "schema/season.sql"
        else one
        for one in now.objects
    ]
    added = SqlFile(name="schema/season_by_day.sql", sql=INDEX)
    return Schema(objects=(*changed, added), migrations=(*now.migrations, STEP))


class LaterRelease:
    """This program with the schema of a release after it, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        store = ROOT / "service" / "store"
        sql = folder / "service" / "store" / "sql"
        shutil.copytree(store / "sql", sql)
        for source in (ROOT / "service", store):
            for path in source.iterdir():
                target = folder / path.relative_to(ROOT)
                if not target.exists():
                    target.symlink_to(path)
        schema = later_schema()
        (sql / "migrations").mkdir(exist_ok=True)
        for file in (*schema.objects, *schema.migrations):
            (sql / file.name).write_bytes(file.sql)
        names = [one.name.removeprefix("schema/").removesuffix(".sql") for one in schema.objects]
        (sql / "schema" / "order").write_text("\n".join(names))

    def carnet(self, machine: Machine, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", START, *arguments],
            env=self._environment(machine),
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def serving(self, machine: Machine) -> Generator[str]:
        """Serve; the value is the address."""
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        log = self._folder / "log"
        with log.open("wb") as out:
            service = subprocess.Popen(
                [sys.executable, "-c", START, "serve"],
                env={**self._environment(machine), "CARNET_PORT": str(port)},
                cwd=self._folder,
                stdout=out,
                stderr=out,
            )
        deadline = time.monotonic() + START_SECONDS_MAX
        try:
            while not is_ready(url):
                assert service.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(PAUSE_SECONDS)
            yield url
        finally:
            service.terminate()
            assert service.wait(60) == 0, log.read_text()

    def _environment(self, machine: Machine) -> dict[str, str]:
        return {**os.environ, **machine.environment, "PYTHONPATH": str(self._folder)}


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", verify=PLAIN_TLS).is_success
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def first(embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with embedded_cluster.database() as url:
        yield Machine(url, tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
async def home(first: Machine) -> Household:
    return await fill(first)


@pytest.fixture(scope="module")
def made(first: Machine, home: Household, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the dump that a release of this version would have."""
    assert home.key
    file = tmp_path_factory.mktemp("dump") / "now.dump"
    dump(first.url, file)
    return file


@pytest.fixture
def empty(embedded_cluster: Cluster, tmp_path: Path) -> Iterator[Machine]:
    with embedded_cluster.database() as url:
        yield Machine(url, tmp_path)


def hashes(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as conn:
        query = "SELECT game_id, version, hash FROM carnet.entry ORDER BY game_id, version"
        return conn.execute(query).fetchall()


def check_the_log(machine: Machine) -> None:
    assert machine.carnet("verify", "--all-clubs").count("all hash chains are intact\n") == 2
    audited = machine.carnet("audit", "--all-clubs")
    assert audited.count("none differs") == 2, audited


@pytest.mark.parametrize("name", ["now", *sorted(path.stem for path in FOLDER.glob("*.dump"))])
async def test_the_dump_of_a_release_is_upgraded_in_place(
    name: str, made: Path, empty: Machine
) -> None:
    restore(made if name == "now" else FOLDER / f"{name}.dump", empty.url)
    before = hashes(empty.url)
    assert len(before) > 1_000
    await migrate(empty.url)
    assert hashes(empty.url) == before
    check_the_log(empty)


async def test_an_upgraded_database_has_the_schema_of_a_new_one(
    made: Path, empty: Machine, embedded_cluster: Cluster
) -> None:
    restore(made, empty.url)
    assert (await migrate(empty.url, later_schema())).applied == (STEP.name,)
    with embedded_cluster.database() as new:
        await migrate(new, later_schema())
        assert schema_of(empty.url) == schema_of(new)


async def test_phones_go_on_while_one_of_two_services_is_upgraded_and_back_by_the_backup(
    first: Machine, home: Household, empty: Machine, tmp_path: Path
) -> None:
    later = LaterRelease(tmp_path / "later")
    backup, rows = first.backup(), rows_of(first.url)
    with first.serving() as old:
        async with client_with_key(old.url, home.token) as phone:
            game = Game(phone, (await phone.get(f"/api/games/{home.game_id}")).json())
            lost = ({"type": "note", "text": "the answer to this was lost"}, str(uuid4()))
            waiting, key = LOST_RESULT, str(uuid4())
            stored = await game.send(lost[0], key=lost[1])
            with later.serving(first) as url:
                async with client_with_key(url, home.token) as upgraded:
                    there = Game(upgraded, await game.view() | {"version": game.version})
                    again = await there.send(lost[0], key=lost[1])
                    assert (again.status_code, again.json()) == (201, stored.json())
                    there.version = stored.json()["version"]
                    sent = await there.send(waiting, key=key)
                    assert sent.status_code == 201, sent.text
                    game.version = sent.json()["version"]
                    await game.record({"type": "note", "text": "by the old service"})
                    async with client_with_key(old.url, home.key) as owner:
                        season = {"name": "S", "first_day": "2027-01-01", "last_day": "2027-02-01"}
                        assert (await owner.post("/api/seasons", json=season)).is_success
                    assert is_ready(old.url)
                    assert str(await there.log()).count(lost[0]["text"]) == 1
        old.stop()
        old.start()
        await check_that_all_go_on(old, home)
    assert later.carnet(first, "verify").endswith("all hash chains are intact\n")
    assert "none differs" in later.carnet(first, "audit")
    with psycopg.connect(first.url) as conn:
        assert conn.execute("SELECT note FROM carnet.season WHERE name = 'S'").fetchone() == ("",)
    empty.carnet("restore", str(backup))
    restored = rows_of(empty.url)["entry"]
    club, _, _ = restored[0].partition(",")
    # Sample games are in no backup.
    assert restored == [row for row in rows["entry"] if row.startswith(club)]
    with empty.serving() as back:
        await check_that_all_go_on(back, home)
