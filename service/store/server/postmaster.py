"""The process and socket of the embedded server."""

import contextlib
import os
import socket
import stat
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import structlog
from msgspec import Struct

from service.errors import StartupError
from service.store.server.account import Account

# sockaddr_un holds 104 bytes on macOS, 108 on Linux; PostgreSQL adds /.s.PGSQL.5432.lock to it.
_SOCKET = ".s.PGSQL.5432"
_SOCKET_FOLDER_LENGTH_MAX = 80

log = structlog.get_logger(__name__)


class Postmaster(Struct, frozen=True, forbid_unknown_fields=True):
    cluster: Path

    @property
    def pid(self) -> int | None:
        with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
            return int(self._pid_file.read_text().splitlines()[0])
        return None

    @property
    def socket_folder(self) -> Path:
        """The cluster's folder, or a short one if its path is too long for a socket."""
        if len(os.fsencode(self.cluster)) <= _SOCKET_FOLDER_LENGTH_MAX:
            return self.cluster
        name = sha256(os.fsencode(self.cluster)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"carnet-{name}"

    def url(self, user: str, database: str) -> str:
        host = quote(str(self.socket_folder), safe="")
        return f"postgresql://{user}@/{database}?host={host}&port=5432"

    def listening(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(str(self.socket_folder / _SOCKET))
            except (FileNotFoundError, ConnectionRefusedError):
                return False
        return True

    def running(self) -> bool:
        """Return whether the server runs, without starting a process for the check."""
        pid = self.pid
        if pid is not None and Path("/proc/self").exists():
            command = _command_line(pid)
            if command is not None and str(self.cluster) in command:
                return True
        return self.listening()

    def make_socket_folder(self, account: Account) -> Path:
        """Create a folder in which only `account` can put a socket. Raises: StartupError."""
        folder = self.socket_folder
        if folder == self.cluster:
            return folder
        if not folder.is_symlink() and not folder.exists():
            return account.empty_folder(folder)
        status = folder.lstat()
        mine = stat.S_ISDIR(status.st_mode) and status.st_uid == account.uid
        if not mine or stat.S_IMODE(status.st_mode) != stat.S_IRWXU:
            raise StartupError(
                f"{folder} is somebody else's", "Set CARNET_DATA_DIR to a shorter path"
            )
        return folder

    def drop_foreign_pid(self) -> None:
        """Remove files that name another or unreaped process as the server's.

        PostgreSQL would take it for the server and refuse to start. Its second guard, the shared
        memory derived from the cluster's inode, still prevents two servers.
        """
        pid = self.pid
        if pid is None or self.listening():
            return
        command = _command_line(pid)
        if command is not None and str(self.cluster) not in command:
            log.warning("embedded.stale_pid_removed", pid=pid, command=command)
            self._pid_file.unlink(missing_ok=True)
            (self.socket_folder / f"{_SOCKET}.lock").unlink(missing_ok=True)

    @property
    def _pid_file(self) -> Path:
        return self.cluster / "postmaster.pid"


def _command_line(pid: int) -> str | None:
    if Path("/proc/self").exists():
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" "))
        except (FileNotFoundError, ProcessLookupError):
            return None
    ps = subprocess.run(  # noqa: S603 -- a number of our own
        ["/bin/ps", "-o", "command=", "-p", str(pid)], check=False, capture_output=True, text=True
    )
    return ps.stdout.strip() if ps.returncode == 0 else None
