"""Prints PDFs in subprocesses: few at once, one at a time per reader."""

import asyncio
from collections import Counter, OrderedDict, defaultdict
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager
from hashlib import sha256

import msgspec

from service.errors import NotPrintable, TooManyRequests
from service.export.formats.typesetter import PrintJob
from service.subprocesses import run_python

JOBS_AT_ONCE = 2
"""In all; as many as two cores can do."""
JOBS_A_READER = 4
"""Waiting or in work; who asks for more is told to come again."""
RETRY_AFTER_SECONDS = 5
KEPT_BYTES_MAX = 32 * 1024 * 1024

_COMMAND = ("-m", "service.export.formats.typesetter")


class PdfQueue:
    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._at_once = asyncio.Semaphore(JOBS_AT_ONCE)
        self._unfinished: Counter[Hashable] = Counter()
        self._lines: defaultdict[Hashable, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def print_job(self, job: PrintJob, reader: Hashable) -> bytes:
        """Run a print job, or return its cached result.

        Raises: TooManyRequests (the reader has `JOBS_A_READER` jobs in the queue), NotPrintable
        """
        encoded_job = msgspec.json.encode(job)
        key = sha256(encoded_job).digest()
        if (pdf := self._find(key)) is not None:
            return pdf
        async with self._in_line(reader):
            if (pdf := self._find(key)) is not None:  # asked twice at the same moment
                return pdf
            async with self._at_once:
                content = await _print(encoded_job)
        self._kept_bytes += len(content) - len(self._kept.pop(key, b""))
        self._kept[key] = content
        while self._kept_bytes > KEPT_BYTES_MAX:
            _, dropped = self._kept.popitem(last=False)
            self._kept_bytes -= len(dropped)
        return content

    @asynccontextmanager
    async def _in_line(self, reader: Hashable) -> AsyncGenerator[None]:
        if self._unfinished[reader] >= JOBS_A_READER:
            raise TooManyRequests(RETRY_AFTER_SECONDS)
        self._unfinished[reader] += 1
        try:
            async with self._lines[reader]:
                yield
        finally:
            self._unfinished[reader] -= 1
            if not self._unfinished[reader]:
                del self._unfinished[reader], self._lines[reader]

    def _find(self, key: bytes) -> bytes | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)


async def _print(encoded_job: bytes) -> bytes:
    code, content = await run_python(_COMMAND, encoded_job)
    if code:
        raise NotPrintable(code)
    return content
