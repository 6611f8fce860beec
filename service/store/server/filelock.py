"""An exclusive file lock, held until it is released or its process dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self


class FileLock:
    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def release(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


def hold(path: Path) -> FileLock:
    """Acquire the lock, waiting for its holder. Creates the file."""
    descriptor = _open(path)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return FileLock(path, descriptor)


def try_hold(path: Path) -> FileLock | None:
    """Acquire the lock if it is free."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return FileLock(path, descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
