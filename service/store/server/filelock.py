"""An exclusive lock on a file, held until it is released or its process dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self


class FileLock:
    """A lock that is held. Made by `hold` and `try_hold`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go of the file, which stays."""
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
    """Take the lock, waiting for whoever has it. Makes the file where there is none."""
    descriptor = _open(path)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return FileLock(path, descriptor)


def try_hold(path: Path) -> FileLock | None:
    """Take the lock if nobody has it."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return FileLock(path, descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
