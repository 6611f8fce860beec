"""Temporary files: finished exports to download, and uploads to confirm."""

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from errno import ESTALE
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
from msgspec import Struct

from service.errors import NotFound
from service.store.server.filelock import FileLock, hold, try_hold
from service.tasks import cancel_and_wait

LIFE_SECONDS = 540.0
_LOOK_SECONDS = 30.0
_PRIVATE = 0o700

KindT = TypeVar("KindT")
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
    """The temporary files of a club.

    `seconds`: a monotonic clock, or with `durable` the time of day; `new_file_name`: unguessable.
    `durable`: files survive the process for their life time.
    """

    def __init__(
        self,
        folder: Path,
        seconds: Callable[[], float],
        new_file_name: Callable[[], str],
        life_seconds: float = LIFE_SECONDS,
        *,
        durable: bool = False,
    ) -> None:
        self._folder = folder
        self._seconds = seconds
        self._new_file_name = new_file_name
        self._life_seconds = life_seconds
        self._durable = durable
        self._own: Path | None = None
        self._lock: FileLock | None = None
        self._files: dict[str, StoredFile] = {}

    @asynccontextmanager
    async def cleaning(self) -> AsyncGenerator[None]:
        """Remove old files at the start and periodically; at the end all, if not durable."""
        await asyncio.to_thread(self._remove_orphans)
        looking = asyncio.ensure_future(self._remove_old_periodically())
        try:
            yield
        finally:
            await cancel_and_wait(looking)
            self._files.clear()
            if self._own is not None and self._lock is not None:
                if not self._durable:
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
        metadata = _FileMetadata(
            media_type=media_type,
            disposition=disposition,
            until=self._seconds() + self._life_seconds,
        )
        beside = draft.path.with_name(draft.path.name + _BESIDE)
        beside.write_bytes(msgspec.json.encode(metadata))
        if not draft.path.exists():  # `drop` was called meanwhile
            _remove(draft.path)
            raise OSError(ESTALE, "what it tells was forgotten meanwhile")
        draft.kept = True
        self._files[draft.path.name] = _stored_file(draft.path, metadata)
        return draft.path.name

    def store(self, content: bytes, media_type: str = "application/json") -> str:
        with self.draft() as draft:
            draft.out.write(content)
            return self.keep(draft, media_type, "")

    def find(self, name: str) -> StoredFile:
        self.remove_old()
        file = self._files.get(name) or self._find_in_other_folders(name)
        if file is None or not file.path.exists():
            raise NotFound("export", None)
        return file

    def read(self, name: str, kind: type[KindT]) -> KindT:
        """Decode a JSON file. Raises: NotFound (also if it is of another kind)."""
        try:
            return msgspec.json.decode(self.find(name).path.read_bytes(), type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise NotFound("export", None) from None

    def names_beside(self, suffix: str) -> list[str]:
        """List the files of all processes that have another one beside them, newest first."""
        found: list[tuple[float, str]] = []
        for path in self._folder.glob(f"*/*{suffix}"):
            with suppress(OSError):  # it was just removed
                found.append((path.stat().st_mtime, path.name.removesuffix(suffix)))
        return [name for _, name in sorted(found, reverse=True)]

    def _find_in_other_folders(self, name: str) -> StoredFile | None:
        if not _NAME.fullmatch(name):
            return None
        for beside in self._folder.glob(f"*/{name}{_BESIDE}"):
            with suppress(OSError):  # it was just removed
                metadata = msgspec.json.decode(beside.read_bytes(), type=_FileMetadata)
                if metadata.until > self._seconds():
                    return _stored_file(beside.with_name(name), metadata)
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
        """Remove files whose time is over; other threads may do so, and store, meanwhile."""
        now = self._seconds()
        for name, file in self._files.copy().items():
            if file.until <= now and self._files.pop(name, None) is not None:
                _remove(file.path)

    async def _remove_old_periodically(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.remove_old()
            if self._durable:
                await asyncio.to_thread(self._remove_orphans)

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
                    if not (self._durable and self._remove_old_in(path)):
                        shutil.rmtree(path, ignore_errors=True)
                    lock.release()

    def _remove_old_in(self, folder: Path) -> bool:
        """Remove old files of an ended process; return whether it has others."""
        left = False
        for beside in folder.glob(f"*{_BESIDE}"):
            metadata = msgspec.json.decode(beside.read_bytes(), type=_FileMetadata)
            if metadata.until > self._seconds():
                left = True
            else:
                _remove(beside.with_name(beside.name.removesuffix(_BESIDE)))
        return left


def _stored_file(path: Path, metadata: _FileMetadata) -> StoredFile:
    return StoredFile(
        path=path,
        media_type=metadata.media_type,
        disposition=metadata.disposition,
        until=metadata.until,
    )


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    for beside in path.parent.glob(f"{path.name}.*"):
        beside.unlink(missing_ok=True)
