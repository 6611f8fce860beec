"""`carnet check`: replay recorded games without a database."""

import signal
import sys
from argparse import Namespace
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, Self

from msgspec import UNSET, UnsetType

from service.commands.support.progress import Progress
from service.commands.support.verdict import (
    LEGAL,
    UNREADABLE,
    is_text,
    text_verdict,
    verdicts,
)

STDIN = "-"
# Available input is judged at once: records sent one by one are answered one by one.
BATCH_BYTES = 1 << 16  # as much as a pipe holds
# Starting processes pays off after so many batches that were nearly full.
_ALONE_BATCHES_MAX = 16
_WAITING_BATCHES_MAX = 8  # for each process
_MUCH = 1 << 20  # bytes worth a progress bar

Batch = tuple[list[bytes], int]


def run(arguments: Namespace) -> int:
    places: list[str] = arguments.file or [STDIN]
    if places == [STDIN] and sys.stdin.isatty():
        print_error("reading records from the keyboard, one a line; end with Ctrl-D")
    # No progress bar: the answers appear on the same terminal.
    progress = Progress("checking", _size(places), much=_MUCH, silent=sys.stdout.isatty())
    with _Judges(arguments.jobs, arguments.lang) as judges, progress:
        status = LEGAL
        for place in places:
            file = place if len(places) > 1 else UNSET
            status = max(status, _file(place, file, judges, progress))
        return max(status, judges.finish())


def print_error(message: str) -> None:
    sys.stderr.write(f"carnet check: {message}\n")


class _Judges:
    """Judges batches and prints the answers in order, in several processes if there are many."""

    def __init__(self, jobs: int, lang: str) -> None:
        self._jobs = jobs
        self._lang = lang
        self._big_batches = 0
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[Future[tuple[bytes, int]]] = deque()
        self._status = LEGAL

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def judge_text(self, data: bytes, file: str | UnsetType) -> None:
        """Judge a record in the notation, and print its answer after those before."""
        self.finish()
        self._print(text_verdict(data, self._lang, file))

    def judge(self, lines: list[bytes], size: int, file: str | UnsetType) -> None:
        """Judge one batch of `size` bytes; its answers may be printed later, but in order."""
        self._big_batches += size >= BATCH_BYTES // 2
        if self._jobs == 1 or self._big_batches <= _ALONE_BATCHES_MAX:
            self._print(verdicts(lines, self._lang, file))
            return
        if self._pool is None:
            # A fresh interpreter inherits no thread, lock or half-written buffer.
            context = get_context("spawn")
            # Ctrl-C reaches the whole process group; the parent stops its children in order.
            self._pool = ProcessPoolExecutor(
                self._jobs,
                mp_context=context,
                initializer=signal.signal,
                initargs=(signal.SIGINT, signal.SIG_IGN),
            )
        self._waiting.append(self._pool.submit(verdicts, lines, self._lang, file))
        while len(self._waiting) > self._jobs * _WAITING_BATCHES_MAX:
            self._print(self._waiting.popleft().result())

    def finish(self) -> int:
        """Print pending answers; return the highest exit status of all records."""
        while self._waiting:
            self._print(self._waiting.popleft().result())
        return self._status

    def _print(self, answered: tuple[bytes, int]) -> None:
        answers, status = answered
        sys.stdout.buffer.write(answers)
        sys.stdout.buffer.flush()
        self._status = max(self._status, status)


def _file(place: str, file: str | UnsetType, judges: _Judges, progress: Progress) -> int:
    name = "standard input" if place == STDIN else place
    try:
        with _opened(place) as stream:
            if place.endswith(".carnet") or is_text(stream.peek(BATCH_BYTES)):
                data = stream.read()
                judges.judge_text(data, file)
                progress.advance(len(data))
                return LEGAL
            for lines, size in batches(stream):
                if lines:
                    judges.judge(lines, size, file)
                progress.advance(size)
    except BrokenPipeError:
        raise
    except OSError as error:
        print_error(f"{name} cannot be read: {error.strerror or error}")
        return UNREADABLE
    return LEGAL


def _opened(place: str) -> AbstractContextManager[BufferedReader]:
    if place != STDIN:
        return Path(place).open("rb")
    stdin: BufferedReader = sys.stdin.buffer  # type: ignore[assignment] # as Python opens it
    return nullcontext(stdin)


def batches(stream: BinaryIO) -> Iterator[Batch]:
    """Yield the available input, cut at line ends, without blank lines, with its size in bytes."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    rest: list[bytes] = []
    first = True
    while data := read(BATCH_BYTES):
        if first:
            data, first = data.removeprefix(BOM_UTF8), False
        end = data.rfind(b"\n") + 1
        if not end:
            rest.append(data)
            continue
        text = b"".join((*rest, data[:end]))
        rest = [data[end:]]
        yield _records(text), len(text)
    text = b"".join(rest)
    yield _records(text), len(text)


def _records(text: bytes) -> list[bytes]:
    return [line for line in text.split(b"\n") if line.strip()]


def _size(places: list[str]) -> int | None:
    paths = [Path(place) for place in places]
    if STDIN in places or not all(path.is_file() for path in paths):
        return None
    return sum(path.stat().st_size for path in paths)
