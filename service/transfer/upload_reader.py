"""Reads uploads in a subprocess with limits on memory and time; both ends are here."""

import asyncio
import os
import pickle
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from importlib import import_module
from signal import SIGHUP, SIGINT, SIGKILL, SIGTERM
from typing import IO, Any

import msgspec

from service.errors import ReaderKilled, StoreFull, UploadTooLarge, as_store_full
from service.subprocesses import limit_process, run_python
from service.transfer.upload_jobs import Job, RecordJob, join_assessment
from service.transfer.uploads import Assessed, Format, assess

CPU_SECONDS = 30
MEMORY_BYTES = 80 * 1024 * 1024
WAIT_SECONDS = 120.0
# Most records are shorter: to judge them here costs less than to start Python.
SHORT_RECORD_BYTES = 16 * 1024

_COMMAND = ("-m", "service.transfer.upload_reader")
_REFUSED, _DISK_FULL = 3, 4
_NICENESS = 10
# By the system or an operator. Its own limits end it by other signals, a timeout by TIMED_OUT.
_KILLED = frozenset({-SIGKILL, -SIGTERM, -SIGHUP, -SIGINT})


class UploadReader:
    """Starts one process at a time. `now`: the time of day."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.now = now
        self._one = asyncio.Semaphore(1)

    @asynccontextmanager
    async def run(self, job: Job) -> AsyncIterator[AsyncIterator[Any]]:
        with tempfile.TemporaryFile() as out:
            async with self._one:
                encoded = await asyncio.to_thread(msgspec.json.encode, job)
                command = (*_COMMAND, type(job).__module__, type(job).__name__)
                code, _ = await run_python(command, encoded, out, WAIT_SECONDS)
            if code in _KILLED:
                raise ReaderKilled
            if code == _DISK_FULL:
                raise StoreFull("no room for what was read of an upload")
            if code:
                raise UploadTooLarge(code)
            out.seek(0)
            yield _answers(out)

    async def run_single(self, job: Job) -> Any:  # noqa: ANN401 -- named where the job is
        async with self.run(job) as answers:
            return await anext(answers)

    async def assess(
        self, data: bytes, form: Format | None = None, *, sheet: bool = False
    ) -> Assessed:
        """Judge a record; `form` None: JSON if it begins with an object. Raises: UploadTooLarge."""
        now = self.now()
        if len(data) <= SHORT_RECORD_BYTES:
            return await asyncio.to_thread(assess, data, now, form, sheet=sheet)
        job = RecordJob(data=data, now=now, form=form, sheet=sheet)
        async with self.run(job) as answers:
            assessed = await anext(answers)
            return join_assessment(assessed, [entry async for part in answers for entry in part])


async def _answers(out: IO[bytes]) -> AsyncIterator[Any]:
    while True:
        try:
            yield await asyncio.to_thread(pickle.load, out)
        except EOFError:
            return


def main() -> None:
    """Run the job on standard input, of the module and class given; pickle its results."""
    module, name = sys.argv[1:]
    shape: type[Job] = getattr(import_module(module), name)
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=shape)
    os.nice(_NICENESS)
    limit_process(CPU_SECONDS, MEMORY_BYTES)
    try:
        for value in job.results():
            pickle.dump(value, sys.stdout.buffer)
        sys.stdout.flush()
    except MemoryError:
        sys.exit(_REFUSED)
    except OSError as error:
        if not isinstance(as_store_full(error), StoreFull):
            raise
        # At its exit Python would flush again, fail again, and answer another status.
        os._exit(_DISK_FULL)


if __name__ == "__main__":
    main()
