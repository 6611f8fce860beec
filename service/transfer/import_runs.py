"""Runs imports of uploads in the service: they outlive their page, and resume after a stop."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Literal
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct, structs

from service.club.temporary_files import TemporaryFiles
from service.errors import CarnetError, NotFound
from service.store.club.name_book import Choices
from service.store.server.filelock import try_hold
from service.tasks import cancel_and_wait, start_for_all
from service.transfer.batches import Batch, Selection, import_selected
from service.transfer.game_imports import GameImports
from service.transfer.upload_reader import UploadReader

_STATE, _LOCK, _STOP = ".run", ".run-lock", ".run-stop"
_LOOK_SECONDS = 0.2
_END_SECONDS = 5.0
State = Literal["running", "ended", "seen", "stopped", "failed", "interrupted"]

log = structlog.get_logger(__name__)


class ImportOrder(Struct, frozen=True, kw_only=True):
    """The games to import, see `Selection`. `people`: by folded name an id, or another name."""

    once: tuple[int, ...]
    again: tuple[int, ...]
    people: dict[str, tuple[UUID | None, str]]
    by: UUID | None

    @property
    def choices(self) -> Choices:
        return {name: person or other for name, (person, other) in self.people.items()}


def import_order(
    once: Iterable[int | None], again: Iterable[int | None], choices: Choices, by: UUID | None
) -> ImportOrder:
    people: dict[str, tuple[UUID | None, str]] = {
        name: (choice, "") if isinstance(choice, UUID) else (None, choice)
        for name, choice in choices.items()
    }
    return ImportOrder(
        once=tuple(number for number in once if number is not None),
        again=tuple(number for number in again if number is not None),
        people=people,
        by=by,
    )


class ImportRun(Struct, frozen=True, kw_only=True):
    """How far the import of the upload `name` is; stored in a file beside the upload.

    `result`: the upload with its imported games. "interrupted": the process that ran it has died;
    "seen": it ended, and somebody has seen its result.
    """

    name: str
    order: ImportOrder
    state: State = "running"
    done: int = 0
    of: int = 0
    result: str = ""


class _Stopped(Exception):  # noqa: N818 -- no error
    pass


class ImportRuns:
    """The imports of one club; every process sees those of all."""

    def __init__(self, uploads: TemporaryFiles, imports: GameImports, reader: UploadReader) -> None:
        self._uploads = uploads
        self._imports = imports
        self._reader = reader
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._errors: dict[str, Exception] = {}
        self._closing = False

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    @asynccontextmanager
    async def closing(self) -> AsyncGenerator[None]:
        """Interrupt imports at the end of this context; they can be gone on with."""
        try:
            yield
        finally:
            self._closing = True
            if self._tasks:
                await asyncio.wait(self._tasks.values(), timeout=_END_SECONDS)
            await cancel_and_wait(*self._tasks.values())

    def start(self, name: str, order: ImportOrder | None = None) -> None:
        """Start an import, or go on with one of this name.

        One that runs, in any process, is left alone. Raises: NotFound (there is no such upload).
        """
        path = self._uploads.find(name).path
        before = _read(path)
        if order is None:
            if before is None:
                raise NotFound("import", None)
            order = before.order
        lock = None if name in self._tasks else try_hold(_beside(path, _LOCK))
        if lock is None:
            return
        _beside(path, _STOP).unlink(missing_ok=True)
        run = ImportRun(name=name, order=order)
        _write(path, run)
        self._errors.pop(name, None)
        task = self._tasks[name] = start_for_all(self._run(path, run))

        def end(_: object) -> None:
            lock.release()
            self._tasks.pop(name, None)

        task.add_done_callback(end)

    def stop(self, name: str) -> None:
        """Ask an import to end after the games that are being stored."""
        _beside(self._uploads.find(name).path, _STOP).touch(mode=0o600)

    def find(self, name: str) -> ImportRun | None:
        path = self._uploads.find(name).path
        run = _read(path)
        if run is None or run.state != "running" or name in self._tasks:
            return run
        lock = try_hold(_beside(path, _LOCK))
        if lock is None:
            return run
        lock.release()
        # It may have ended since it was read.
        run = _read(path) or run
        return structs.replace(run, state="interrupted") if run.state == "running" else run

    def latest(self) -> list[ImportRun]:
        """List the imports that run, or whose result no page has shown yet; newest first."""
        runs: list[ImportRun] = []
        for name in self._uploads.names_beside(_STATE):
            with suppress(NotFound):
                run = self.find(name)
                runs += [run] if run is not None and run.state != "seen" else []
        return runs

    def see(self, name: str) -> None:
        """Note that somebody has seen the result of an import."""
        with suppress(NotFound, OSError):
            path = self._uploads.find(name).path
            run = _read(path)
            if run is not None and run.state == "ended":
                _write(path, structs.replace(run, state="seen"))

    async def follow(self, name: str) -> AsyncIterator[ImportRun]:
        """Yield the state of an import whenever it changes, until it ends."""
        before: ImportRun | None = None
        while (run := await asyncio.to_thread(self.find, name)) is not None:
            if run != before:
                yield run
            before = run
            if run.state != "running":
                return
            task = self._tasks.get(name)
            if task is None:
                await asyncio.sleep(_LOOK_SECONDS)
            else:
                await asyncio.wait([task], timeout=_LOOK_SECONDS)

    async def wait(self, name: str, seconds: float) -> ImportRun:
        """Wait for the end of an import, at most so long. Raises: why it failed here."""
        last: ImportRun | None = None
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for run in self.follow(name):
                    last = run
        if name in self._errors:
            raise self._errors[name]
        if last is None:
            raise NotFound("import", None)
        return last

    async def _run(self, path: Path, run: ImportRun) -> None:
        seen = 0.0

        def advance(done: int, of: int) -> None:
            nonlocal run, seen
            if self._closing:
                raise _Stopped
            now = asyncio.get_running_loop().time()
            if now - seen < _LOOK_SECONDS and done < of:
                return
            seen, run = now, structs.replace(run, done=done, of=of)
            if _beside(path, _STOP).exists():
                raise _Stopped
            _write(path, run)

        try:
            result = await self._import(run, advance)
            run = structs.replace(run, state="ended", result=result)
        except _Stopped:
            if self._closing:
                return
            run = structs.replace(run, state="stopped")
        except (CarnetError, OSError) as error:
            log.warning("work.failed", reason=str(error))
            self._errors[run.name] = error
            run = structs.replace(run, state="failed")
        with suppress(OSError):  # the upload was forgotten meanwhile
            _write(path, run)

    async def _import(self, run: ImportRun, advance: Callable[[int, int], object]) -> str:
        batch = await asyncio.to_thread(self._uploads.read, run.name, Batch)
        order = run.order
        results = await import_selected(
            self._imports,
            self._reader,
            batch,
            self._uploads.find(batch.records).path,
            Selection(once=order.once, again=order.again, choices=order.choices),
            order.by,
            run.name,
            advance,
        )
        content = await asyncio.to_thread(
            msgspec.json.encode, structs.replace(results, run=run.name)
        )
        return self._uploads.store(content)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _read(path: Path) -> ImportRun | None:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(_beside(path, _STATE).read_bytes(), type=ImportRun)
    return None


def _write(path: Path, run: ImportRun) -> None:
    state = _beside(path, _STATE)
    # Of its own name: several processes may write at once.
    with NamedTemporaryFile(dir=path.parent, prefix=f"{state.name}-", delete=False) as new:
        new.write(msgspec.json.encode(run))
    Path(new.name).replace(state)
