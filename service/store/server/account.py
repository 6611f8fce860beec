"""The system account of the embedded server."""

import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import structlog
from msgspec import Struct

from service.errors import StartupError

NAME = "pgserver"
ROOT = 0

_ENVIRONMENT = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"}

log = structlog.get_logger(__name__)


class ProgramOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    failed: bool
    output: str


class Account(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A system account. `is_other`: it is not the current one."""

    uid: int
    gid: int
    is_other: bool

    def run(self, program: Path, arguments: Sequence[str]) -> ProgramOutcome:
        """Run a program to its end. Its child processes may continue."""
        # Files, not pipes: a started server keeps a pipe open, and reading would never end.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(  # noqa: S603 -- PostgreSQL's programs, with our own arguments
                [program, *arguments],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_ENVIRONMENT,
                cwd="/",
                user=self.uid if self.is_other else None,
                group=self.gid if self.is_other else None,
                extra_groups=[] if self.is_other else None,
            )
            output.seek(0)
            text = output.read().decode(errors="replace").strip()
        return ProgramOutcome(failed=done.returncode != 0, output=text)

    def empty_folder(self, path: Path) -> Path:
        """Create an empty folder that only this account can read."""
        if path.exists():
            shutil.rmtree(path)
        path.mkdir(mode=0o700)
        os.chown(path, self.uid, self.gid)
        return path

    def own_file(self, path: Path) -> None:
        """Create a file that this account can write."""
        path.touch(mode=0o600)
        os.chown(path, self.uid, self.gid)

    def make_passable(self, path: Path, *, data: bool = False) -> None:
        """Make the parent folders of `path` passable for this account.

        Raises: StartupError (`data` lies in a home that others cannot enter)
        """
        if not self.is_other:
            return
        homes = {account.pw_dir: account.pw_name for account in pwd.getpwall()} if data else {}
        for folder in path.resolve().parents:
            status = folder.stat()
            if not status.st_mode & stat.S_IXOTH and status.st_uid != self.uid:
                if str(folder) in homes:
                    raise StartupError(
                        f"PostgreSQL runs as {NAME}, which cannot enter {folder},"
                        f" the home of {homes[str(folder)]}",
                        "Set CARNET_DATA_DIR to another folder, such as /var/lib/carnet",
                    )
                folder.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXOTH)
                log.warning("embedded.folder_made_traversable", folder=str(folder), account=NAME)


def server_account() -> Account:
    """Return the account of the server; create it if it is missing. Raises: StartupError."""
    if os.geteuid() != ROOT:
        return Account(uid=os.geteuid(), gid=os.getegid(), is_other=False)
    try:
        account = pwd.getpwnam(NAME)
    except KeyError:
        account = _make_account()
    return Account(uid=account.pw_uid, gid=account.pw_gid, is_other=True)


def _make_account() -> pwd.struct_passwd:
    ours = Account(uid=ROOT, gid=ROOT, is_other=False)
    useradd = Path(shutil.which("useradd", path=_ENVIRONMENT["PATH"]) or "useradd")
    try:
        outcome = ours.run(useradd, ["--system", "--user-group", "--no-create-home", NAME])
        log.info("embedded.account_created", account=NAME, failed=outcome.failed)
        return pwd.getpwnam(NAME)
    except (FileNotFoundError, KeyError):
        raise StartupError(
            f"PostgreSQL does not run as root, and there is no account {NAME}",
            f"Make an account {NAME}, or run Carnet as another user",
        ) from None
