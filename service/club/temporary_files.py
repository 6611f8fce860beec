"""Temporary files: finished exports to download, and uploads to confirm."""

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from errno import ESTALE
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from service.errors import NotFound
from service.store.server.filelock import FileLock, hold, try_hold
from service.tasks import cancel_and_wait

LIFE_SECONDS = 540.0
_LOOK_SECONDS = 30.0
_PRIVATE = 0o700
_LOCK = "lock"
_BESIDE = ".told"
_NAME = re.compile(r"[\w-]+")


class StoredFile(Struct, frozen=True, kw_only=True):
    path: Path
    media_type: str
    disposition: str
    until: float


class _FileMetadata(Struct, frozen=True, kw_only=True):
    """The metadata stored beside a file, for other processes."""

    media_type: str
    disposition: str
    until: float


class UnfinishedFile(Struct, kw_only=True):
    path: Path
    out: BinaryIO
    kept: bool = False


class TemporaryFiles:
    """The temporary files of a club. `seconds`: a monotonic clock; `new_file_name`: unguessable."""

    def __init__(
        self,
        folder: Path,
        seconds: Callable[[], float],
        new_file_name: Callable[[], str],
        life_seconds: float = LIFE_SECONDS,
    ) -> None:
        self._folder = folder
        self._seconds = seconds
        self._new_file_name = new_file_name
        self._life_seconds = life_seconds
        self._own: Path | None = None
        self._lock: FileLock | None = None
        self._files: dict[str, StoredFile] = {}

    @asynccontextmanager
    async def cleaning(self) -> AsyncGenerator[None]:
        """Remove old files at the start, periodically, and at the end of this context."""
        await asyncio.to_thread(self._remove_orphans)
        looking = asyncio.ensure_future(self._remove_old_periodically())
        try:
            yield
        finally:
            await cancel_and_wait(looking)
            self._files.clear()
            if self._own is not None and self._lock is not None:
                shutil.rmtree(self._own, ignore_errors=True)
                self._lock.release()
                self._own = self._lock = None

    @contextmanager
    def draft(self) -> Generator[UnfinishedFile]:
        path = self._own_folder() / self._new_file_name()
        with path.open("xb") as out:
            draft = UnfinishedFile(path=path, out=out)
            try:
                yield draft
            finally:
                if not draft.kept:
                    path.unlink(missing_ok=True)

    def keep(self, draft: UnfinishedFile, media_type: str, disposition: str) -> str:
        """Publish a complete file; return its name.

        Raises: OSError (all files were dropped meanwhile, or it cannot be written)
        """
        draft.out.flush()
        told = _FileMetadata(
            media_type=media_type,
            disposition=disposition,
            until=self._seconds() + self._life_seconds,
        )
        _metadata_path(draft.path).write_bytes(msgspec.json.encode(told))
        if not draft.path.exists():  # `drop` was called meanwhile
            _remove(draft.path)
            raise OSError(ESTALE, "what it tells was forgotten meanwhile")
        draft.kept = True
        self._files[draft.path.name] = _stored_file(draft.path, told)
        return draft.path.name

    def store(self, content: bytes, media_type: str = "application/json") -> str:
        with self.draft() as draft:
            draft.out.write(content)
            return self.keep(draft, media_type, "")

    def find(self, name: str) -> StoredFile:
        self.remove_old()
        found = self._files.get(name) or self._find_in_other_folders(name)
        if found is None or not found.path.exists():
            raise NotFound("export", None)
        return found

    def _find_in_other_folders(self, name: str) -> StoredFile | None:
        if not _NAME.fullmatch(name):
            return None
        for beside in self._folder.glob(f"*/{name}{_BESIDE}"):
            with suppress(OSError):  # it was just removed
                told = msgspec.json.decode(beside.read_bytes(), type=_FileMetadata)
                if told.until > self._seconds():
                    return _stored_file(beside.with_name(name), told)
        return None

    def drop(self) -> None:
        """Remove all files of all processes, including unfinished ones.

        They may contain an erased name or text.
        """
        for path in self._folder.glob("*/*"):
            if path.name != _LOCK:
                path.unlink(missing_ok=True)
        self._files.clear()

    def remove_old(self) -> None:
        now = self._seconds()
        for name in [name for name, file in self._files.items() if file.until <= now]:
            _remove(self._files.pop(name).path)

    async def _remove_old_periodically(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.remove_old()

    def _own_folder(self) -> Path:
        if self._own is None:
            own = self._folder / self._new_file_name()
            own.mkdir(mode=_PRIVATE, parents=True)
            self._lock = hold(own / _LOCK)
            self._own = own
        return self._own

    def _remove_orphans(self) -> None:
        with suppress(OSError):  # there is no folder, or no permission
            for path in self._folder.iterdir():
                lock = try_hold(path / _LOCK)
                if lock is not None:
                    shutil.rmtree(path, ignore_errors=True)
                    lock.release()


def _metadata_path(path: Path) -> Path:
    return path.with_name(path.name + _BESIDE)


def _stored_file(path: Path, told: _FileMetadata) -> StoredFile:
    return StoredFile(
        path=path, media_type=told.media_type, disposition=told.disposition, until=told.until
    )


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    _metadata_path(path).unlink(missing_ok=True)
