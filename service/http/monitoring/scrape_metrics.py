"""What is looked up when Prometheus asks: how old the last backup is, how much room is left."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge

from service.errors import StoreUnavailable
from service.settings import Settings
from service.store.club.backups import BackupMade

ANSWER_SECONDS_MAX = 1.0


class ScrapeMetrics:
    """What is looked up, and what Prometheus is told of it."""

    def __init__(self, registry: CollectorRegistry, settings: Settings) -> None:
        self._folders = {"data": settings.data_dir, "backups": settings.backup_dir}
        self._free = Gauge(
            "carnet_disk_free_bytes",
            "Room left where Carnet writes: the data directory, the backups",
            ["folder"],
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._full = Gauge(
            "carnet_database_full",
            "1: the database found no room a moment ago, and nothing is recorded",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._backup = Gauge(
            "carnet_backup_last_timestamp_seconds",
            "When everything was last written out whole, Unix time; 0: never",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._asked: asyncio.Task[BackupMade | None] | None = None

    async def look(self, *, full: bool, last: Callable[[], Awaitable[BackupMade | None]]) -> None:
        """Look again. `full`: whether the database is; `last` asks it for the newest backup."""
        self._full.set(full)
        for name, folder in self._folders.items():
            if folder is not None:
                with suppress(OSError):
                    self._free.labels(name).set(await asyncio.to_thread(room_left, folder))
        if self._asked is None or self._asked.done():
            self._asked = asyncio.create_task(_told(last))
        done, _ = await asyncio.wait([self._asked], timeout=ANSWER_SECONDS_MAX)
        with suppress(StoreUnavailable):
            if done:
                made = self._asked.result()
                self._backup.set(made.made_at.timestamp() if made else 0)


async def _told(last: Callable[[], Awaitable[BackupMade | None]]) -> BackupMade | None:
    return await last()


def room_left(folder: Path) -> int:
    """Count the bytes that this account may still write where a folder is, or would be made.

    Raises: OSError
    """
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free
