"""Backups in a folder: made nightly or on request; old ones are removed."""

import asyncio
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from msgspec import Struct

from service.errors import CarnetError
from service.store.club.backups import BackupDestination, BackupMade, BackupsMade
from service.store.server.filelock import try_hold
from service.transfer.everything import Everything, ExportSummary

NIGHT_HOUR = 3  # where this machine is
_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700
_STAMP = "%Y-%m-%dT%H%M%SZ"
_NAME = re.compile(r"carnet-(\d{4}-\d{2}-\d{2}T\d{6}Z)\.jsonl")

log = structlog.get_logger(__name__)


class BackupFile(Struct, frozen=True, kw_only=True):
    path: Path
    made_at: datetime
    size: int


class BackupFolder:
    def __init__(self, folder: Path, kept: int, now: Callable[[], datetime]) -> None:
        self.folder = folder
        self.kept = kept
        self._now = now

    def files(self) -> list[BackupFile]:
        backups: list[BackupFile] = []
        for path in self.folder.glob("carnet-*.jsonl"):
            named = _NAME.fullmatch(path.name)
            if named is not None:
                made_at = datetime.strptime(named[1], _STAMP).replace(tzinfo=UTC)
                backups.append(BackupFile(path=path, made_at=made_at, size=path.stat().st_size))
        return sorted(backups, key=lambda backup: backup.made_at, reverse=True)

    async def make(self, everything: Everything) -> tuple[Path, ExportSummary]:
        """Write a backup and remove the surplus.

        Raises: CarnetError (the folder cannot be written)
        """
        try:
            self.folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
            path = self.folder / f"carnet-{self._now().astimezone(UTC).strftime(_STAMP)}.jsonl"
            written = await _write_backup(path, everything)
            for old in self.files()[self.kept :]:
                old.path.unlink(missing_ok=True)
        except OSError as error:
            why = error.strerror or str(error)
            raise CarnetError(f"{self.folder} cannot be written: {why}") from error
        return path, written

    def is_due(self) -> bool:
        """Return whether there is no backup since last night at `NIGHT_HOUR`, machine time."""
        now = self._now().astimezone()
        night = now.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
        if night > now:
            night -= timedelta(days=1)
        newest = next(iter(self.files()), None)
        return newest is None or newest.made_at < night


async def _write_backup(path: Path, everything: Everything) -> ExportSummary:
    part = path.with_name(f"{path.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as out:
            written = await everything.write(out)
            out.flush()
            await asyncio.to_thread(os.fsync, out.fileno())
        part.replace(path)
        return written
    finally:
        part.unlink(missing_ok=True)


class Backups:
    def __init__(
        self, everything: Everything, made: BackupsMade, folder: BackupFolder | None
    ) -> None:
        self.everything = everything
        self.folder = folder
        self._made = made

    async def last(self) -> BackupMade | None:
        return await self._made.last()

    async def note(self, place: BackupDestination, written: ExportSummary) -> None:
        await self._made.note(place, written.games)

    async def if_due(self, folder: BackupFolder) -> Path | None:
        """Make the nightly backup unless it exists or another process holds the lock."""
        if not folder.is_due():
            return None
        folder.folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
        lock = try_hold(folder.folder / ".lock")
        if lock is None:
            return None
        try:
            path, written = await folder.make(self.everything)
        finally:
            lock.release()
        await self.note("folder", written)
        log.info("backup.made", file=str(path), games=written.games, broken=written.broken)
        return path
