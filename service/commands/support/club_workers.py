"""Clubs, several at a time, each whole in one of several processes."""

import asyncio
import io
import signal
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, cast

from msgspec import Struct

from service.commands.support.process_pool import end_with_the_first
from service.errors import CarnetError

# What a command does for a club. None: the first.
One = Callable[[str | None], Awaitable[int]]

_FAILED = 1
_END_SECONDS_MAX = 10.0


class ClubOutcome(Struct, frozen=True, kw_only=True):
    """What became of a club: the exit status, and what was said on both streams."""

    status: int
    out: str = ""
    err: str = ""


async def at_once(
    count: int, one: One, clubs: Iterable[str], tell: Callable[[str, ClubOutcome], object]
) -> None:
    """Do `one` for each club, `count` at a time, and tell of each when it is done.

    `one`: a function of a module, or a partial of one: other processes import it.
    """
    left = iter(clubs)
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(_one_after_another(one, left, tell))


async def tried(one: One, club: str) -> int:
    """Do `one` for a club in this process; say it where that fails, and go on."""
    try:
        return await one(club)
    except CarnetError as error:
        sys.stdout.write(f"not done: {error}\n")
    except Exception as error:  # noqa: BLE001 -- said aloud; a fault of ours costs one club, not all
        traceback.print_exc(file=sys.stderr)
        sys.stdout.write(f"not done: a fault in Carnet: {type(error).__name__}\n")
    return _FAILED


class _Process:
    """One process, which does one club after another."""

    def __init__(self, one: One) -> None:
        # A fresh interpreter inherits no thread, lock or half-written buffer.
        context = get_context("spawn")
        self._channel, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, one))
        self._process.start()
        theirs.close()  # so that the end of the process is heard

    async def do(self, club: str) -> ClubOutcome | None:
        """Have a club done; None: the process died of it."""
        with suppress(EOFError, ConnectionError):
            self._channel.send(club)
            await self._answered()
            return cast("ClubOutcome", self._channel.recv())
        return None

    async def _answered(self) -> None:
        loop = asyncio.get_running_loop()
        heard = asyncio.Event()
        loop.add_reader(self._channel.fileno(), heard.set)
        try:
            await heard.wait()
        finally:
            loop.remove_reader(self._channel.fileno())

    def end(self, *, idle: bool) -> int | None:
        """End the process, where it is not `idle` by asking it to stop; return how it ended."""
        self._channel.close()
        if not idle:
            self._process.terminate()
        self._process.join(_END_SECONDS_MAX)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        return self._process.exitcode


async def _one_after_another(
    one: One, left: Iterator[str], tell: Callable[[str, ClubOutcome], object]
) -> None:
    process: _Process | None = None
    idle = True
    try:
        for club in left:
            process = process or _Process(one)
            idle = False
            done = await process.do(club)
            idle = True
            if done is None:
                status = process.end(idle=True)
                process = None
                done = ClubOutcome(
                    status=_FAILED, out=f"not done: its process ended with {status}\n"
                )
            tell(club, done)
    finally:
        if process is not None:
            process.end(idle=idle)


# --- in the other processes -------------------------------------------------------------------


def _serve(channel: "Connection[Any, Any]", one: One) -> None:
    # Ctrl-C reaches the whole group; stopping in good order is the first process's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=end_with_the_first, daemon=True).start()
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            club: str = channel.recv()
            channel.send(_done(one, club))


def _done(one: One, club: str) -> ClubOutcome:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = asyncio.run(tried(one, club))
    return ClubOutcome(status=status, out=out.getvalue(), err=err.getvalue())
