"""A server that lost data is restored to a point in time; the signed head proves it.

Executes the commands of docs/operating/backup.md (base backup, WAL archive, recovery target) on a
separate server.
"""

import os
import re
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from deploy.development.running import VENV
from service.store.server.embedded import EmbeddedServer, wheel_programs
from tests.http.club import DEAL, Game, client_with_key
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

PROGRAMS = wheel_programs()
PAPER = Path(__file__).parents[2] / "docs" / "operating" / "backup.md"
ARCHIVED_SECONDS_MAX = 60.0
NOTE = {"type": "note", "text": "after the moment"}


class Operator:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blocks = re.findall(
            r"^```sh\n(.*?)^```$", PAPER.read_text("utf-8"), re.DOTALL | re.MULTILINE
        )

    def types(self, word: str, url: str, moment: str = "") -> None:
        (block,) = (one for one in self.blocks if word in one)
        typed = re.sub(r"(?<=recovery_target_time = ')[^']*", moment, block)
        typed = typed.replace("/srv/", f"{self.folder}/")
        path = f"{PROGRAMS}:{os.environ['PATH']}"
        environ = {**os.environ, "PATH": path, "CARNET_DATABASE_URL": url}
        command = ["/bin/bash", "-eu", "-c", typed]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def carnet(self, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `carnet` on a database."""
        environ = {"CARNET_DATABASE_URL": url, "CARNET_DATA_DIR": str(self.folder / "keys")}
        command = [str(VENV / "bin" / "carnet"), *arguments]
        return subprocess.run(
            command, env={**os.environ, **environ}, capture_output=True, text=True, check=False
        )


def archive(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as owner:
        (last,) = owner.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone() or ("",)
        deadline = time.monotonic() + time_limit(ARCHIVED_SECONDS_MAX)
        query = "SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver"
        while (owner.execute(query).fetchone() or ("",))[0] < last:
            assert time.monotonic() < deadline, "the log is not archived"
            time.sleep(0.1)


@pytest.mark.timeout(1_200)
async def test_what_comes_back_is_what_was_there_at_that_moment(
    tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    operator = Operator(tmp_path)
    (tmp_path / "wal").mkdir()
    (tmp_path / "wal").chmod(0o777)  # the server's account may be another one than ours
    with EmbeddedServer(tmp_path / "first", PROGRAMS) as server:
        operator.types("archive_command", server.url)
        server.stop()
        url = server.start()
        with ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as service:
            async with client_with_key(service.url, KEY) as http:
                await (await Game.start(http)).record(*DEAL)
                operator.types("pg_basebackup", url)
                game = await Game.start(http)
                await game.record(*DEAL)
                before = operator.carnet(url, "head")
                moment = datetime.now(UTC).isoformat()
                await game.record(NOTE)
                after = operator.carnet(url, "head")
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("DROP SCHEMA carnet CASCADE")
        archive(url)
    operator.types("recovery.signal", url, moment)
    # Where the embedded server looks, and its account's, as its own cluster is.
    (tmp_path / "second").mkdir()
    (tmp_path / "restored").rename(tmp_path / "second" / "postgres")
    owned_as(tmp_path / "first" / "postgres", tmp_path / "second" / "postgres")
    with EmbeddedServer(tmp_path / "second", PROGRAMS) as again:
        promote(again.url)
        assert (before.returncode, after.returncode) == (0, 0), before.stderr + after.stderr
        (tmp_path / "before").write_text(before.stdout)
        (tmp_path / "after").write_text(after.stdout)
        held = operator.carnet(again.url, "verify", "--head", str(tmp_path / "before"))
        assert held.returncode == 0, held.stdout + held.stderr
        assert re.search(r"(?m)^2 games, .* all hash chains are intact$", held.stdout)
        gone = operator.carnet(again.url, "verify", "--head", str(tmp_path / "after"))
        assert (gone.returncode, "does not match" in gone.stdout) == (1, True)
    record_property("brought back", 1)


def owned_as(pattern: Path, folder: Path) -> None:
    owner = pattern.stat()
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    folder.chmod(0o700)


def promote(url: str) -> None:
    deadline = time.monotonic() + time_limit(ARCHIVED_SECONDS_MAX)
    with psycopg.connect(url, autocommit=True) as owner:
        while (owner.execute("SELECT pg_is_in_recovery()").fetchone() or (True,))[0]:
            assert time.monotonic() < deadline, "the server goes on recovering"
            time.sleep(0.1)
