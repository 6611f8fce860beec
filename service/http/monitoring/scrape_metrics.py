"""Metrics computed at each scrape: age of the last backup, free disk space."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge

from service.errors import StoreUnavailable
from service.settings import Settings
from service.store.club.backups import BackupMade
from service.tasks import start_for_all

ANSWER_SECONDS_MAX = 1.0


class ScrapeMetrics:
    def __init__(self, registry: CollectorRegistry, settings: Settings) -> None:
        self._folders = {"data": settings.data_dir, "backups": settings.backup_dir}
        self._free = Gauge(
            "carnet_disk_free_bytes",
            "Free bytes where Carnet writes: the data directory, the backups",
            ["folder"],
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._full = Gauge(
            "carnet_database_full",
            "1: the database's disk was full a moment ago, and nothing can be recorded",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._backup = Gauge(
            "carnet_backup_last_timestamp_seconds",
            "Time of the last complete backup, Unix time; 0: never",
            multiprocess_mode="mostrecent",
            registry=registry,
        )
        self._query_task: asyncio.Task[BackupMade | None] | None = None

    async def update(self, *, full: bool, last: Callable[[], Awaitable[BackupMade | None]]) -> None:
        """Update the gauges. `full`: the database's disk is; `last` queries the newest backup."""
        self._full.set(full)
        for name, folder in self._folders.items():
            if folder is not None:
                with suppress(OSError):
                    self._free.labels(name).set(await asyncio.to_thread(free_bytes, folder))
        if self._query_task is None or self._query_task.done():
            self._query_task = start_for_all(_query(last))
        done, _ = await asyncio.wait([self._query_task], timeout=ANSWER_SECONDS_MAX)
        with suppress(StoreUnavailable):
            if done:
                made = self._query_task.result()
                self._backup.set(made.made_at.timestamp() if made else 0)


async def _query(last: Callable[[], Awaitable[BackupMade | None]]) -> BackupMade | None:
    return await last()


def free_bytes(folder: Path) -> int:
    """Return the bytes this account can write in a folder, which may not exist yet.

    Raises: OSError
    """
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free
