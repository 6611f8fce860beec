import os
import pwd
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from service.errors import StartupError
from service.store.server.account import Account
from service.store.server.embedded import EmbeddedServer, wheel_programs
from tests.postgres import data_folder
from tests.prepared_clusters import PreparedClusters

# A process that uses the server, prints its URL and waits to be killed.
USER = """
import sys, time
from pathlib import Path
from service.store.server.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]))
print(server.start(), flush=True)
time.sleep(600)
"""


@pytest.fixture
def used_folder(tmp_path: Path, prepared_clusters: PreparedClusters) -> Iterator[Path]:
    with data_folder(tmp_path) as folder:
        yield prepared_clusters.copy_to(folder)


@pytest.fixture
def server(used_folder: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(used_folder) as started:
        yield started


def answers(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def setting(url: str, name: str) -> str:
    with psycopg.connect(url) as conn:
        row = conn.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def kill(server: EmbeddedServer) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)


def test_a_started_server_answers(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        assert answers(server.url)


def test_a_stopped_server_does_not_answer(used_folder: Path) -> None:
    with EmbeddedServer(used_folder) as server:
        url = server.url
    assert not answers(url)


def test_starting_again_changes_nothing(server: EmbeddedServer) -> None:
    pid = server.pid
    server.start()
    assert server.pid == pid


def test_what_was_stored_is_there_after_a_restart(used_folder: Path) -> None:
    with (
        EmbeddedServer(used_folder) as server,
        psycopg.connect(server.url, autocommit=True) as conn,
    ):
        conn.execute("CREATE TABLE kept AS SELECT 7 AS n")
    with EmbeddedServer(used_folder) as server, psycopg.connect(server.url) as conn:
        assert conn.execute("SELECT n FROM kept").fetchall() == [(7,)]


def test_a_killed_server_is_started_again(server: EmbeddedServer) -> None:
    kill(server)
    server.start()
    assert answers(server.url)


def test_a_server_killed_as_soon_as_it_stands_is_started_again(used_folder: Path) -> None:
    programs = used_folder / "programs"
    programs.mkdir()
    programs.chmod(0o755)  # whatever the umask is
    for program in ("initdb", "postgres"):
        (programs / program).symlink_to(wheel_programs() / program)
    pid_file, killed = used_folder / "postgres" / "postmaster.pid", used_folder / "postgres/killed"
    (programs / "pg_ctl").write_text(
        f"""#!/bin/sh
        {wheel_programs()}/pg_ctl "$@" || exit
        [ $1 = start ] && [ ! -e {killed} ] || exit 0
        kill -KILL $(head -n 1 {pid_file}) && touch {killed}
        """
    )
    (programs / "pg_ctl").chmod(0o755)
    with EmbeddedServer(used_folder, programs) as server:
        assert killed.exists()
        assert answers(server.url)


def test_a_recorded_process_that_is_now_another_does_not_keep_it_from_starting(
    used_folder: Path,
) -> None:
    with EmbeddedServer(used_folder) as server:
        pid_file = used_folder / "postgres" / "postmaster.pid"
        recorded = pid_file.read_text().splitlines()
    with subprocess.Popen(["/bin/sleep", "600"]) as other:
        pid_file.write_text("\n".join([str(other.pid), *recorded[1:], ""]))
        with EmbeddedServer(used_folder) as server:
            assert server.pid != other.pid
            assert answers(server.url)
        other.kill()


@pytest.mark.parametrize("name", ["fsync", "full_page_writes", "synchronous_commit"])
def test_no_file_turns_durability_off(name: str, used_folder: Path) -> None:
    with (
        EmbeddedServer(used_folder) as server,
        psycopg.connect(server.url, autocommit=True) as conn,
    ):
        conn.execute(f"ALTER SYSTEM SET {name} = off".encode())
    with EmbeddedServer(used_folder) as server:
        assert setting(server.url, name) == "on"


def test_nothing_listens_on_the_network(server: EmbeddedServer) -> None:
    assert setting(server.url, "listen_addresses") == ""


def test_only_its_account_can_enter_where_the_socket_is(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path):
        assert (tmp_path / "postgres" / ".s.PGSQL.5432").is_socket()
        assert stat.S_IMODE((tmp_path / "postgres").stat().st_mode) == stat.S_IRWXU


def test_a_path_too_long_for_a_socket_is_no_obstacle(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / ("long" * 30)) as server:
        assert answers(server.url)


def test_a_cluster_that_was_half_made_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "postgres.new").mkdir()
    (tmp_path / "postgres.new" / "PG_VERSION").write_text("18\n")
    with EmbeddedServer(tmp_path) as server:
        assert answers(server.url)


def test_a_cluster_of_another_version_stops_the_start(used_folder: Path) -> None:
    (used_folder / "postgres" / "PG_VERSION").write_text("12\n")
    with pytest.raises(StartupError, match="PostgreSQL 12"):
        EmbeddedServer(used_folder).start()


def test_a_data_directory_that_is_a_file_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartupError, match="cannot be used"):
        EmbeddedServer(tmp_path / "file").start()


def test_a_home_is_not_opened_to_everybody_for_its_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "root"
    (home / "data").mkdir(parents=True)
    home.chmod(0o700)
    entry = pwd.struct_passwd(("root", "x", 0, 0, "", str(home), "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwall", lambda: [entry])
    server = Account(uid=65_534, gid=65_534, is_other=True)
    with pytest.raises(StartupError, match="the home of root") as refused:
        server.make_passable(home / "data" / "postgres", data=True)
    assert "/var/lib/carnet" in str(refused.value.__dict__)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_the_first_user_starts_it_and_the_last_one_stops_it(used_folder: Path) -> None:
    with EmbeddedServer(used_folder) as first:
        second = EmbeddedServer(used_folder)
        second.start()
        assert second.pid == first.pid
        url = second.url
    assert answers(url)
    second.stop()
    assert not answers(url)


def test_of_many_at_once_one_starts_it(tmp_path: Path) -> None:
    servers = [EmbeddedServer(tmp_path) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(EmbeddedServer.start, servers))
    assert len({server.pid for server in servers}) == 1
    for server in servers:
        server.stop()
    assert servers[0].pid is None


def test_a_user_that_was_killed_is_not_waited_for(used_folder: Path) -> None:
    command = [sys.executable, "-c", USER, str(used_folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as user:
        assert user.stdout is not None
        line = ""
        while not line.startswith("postgresql://"):
            line = user.stdout.readline()
        user.kill()
    url = line.strip()
    assert answers(url)
    with EmbeddedServer(used_folder) as server:
        assert server.url == url
    assert not answers(url)


def test_an_operators_variables_are_meant_for_other_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "6543")
    monkeypatch.setenv("PGDATA", "/nowhere")
    monkeypatch.setenv("PGUSER", "nobody")
    with EmbeddedServer(tmp_path) as server:
        assert answers(server.url)


def test_a_start_that_failed_does_not_count_as_a_user(used_folder: Path) -> None:
    failing = EmbeddedServer(used_folder, used_folder / "none")
    with EmbeddedServer(used_folder) as server:
        with pytest.raises(StartupError):
            failing.start()
        url = server.url
    assert not answers(url)


def test_missing_programs_stop_the_start(tmp_path: Path) -> None:
    with pytest.raises(StartupError):
        EmbeddedServer(tmp_path, tmp_path / "none").start()
