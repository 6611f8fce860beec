"""Runs long work on games in threads, without collections in between."""

import asyncio
import gc
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from domain.table.rules import Game

WORKERS = 2  # more would only wait for one another
SWITCH_SECONDS = 0.0005

Found = TypeVar("Found")


def may_take_long(game: Game) -> bool:
    """Return whether judging may need a search: unknown cards have moved.

    Otherwise any answer takes at most a few milliseconds.
    """
    known = getattr(game.deal, "knowledge", None)
    return known is not None and bool(known.forked)


class Workers:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="judging")

    async def run(self, work: Callable[[], Found], *, long: bool) -> Found:
        """Run work: here, or in a thread if it is `long`."""
        if not long:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)


@contextmanager
def collector_paused() -> Generator[None]:
    """Pause collection in this context, and freeze the objects that exist at its end.

    Reentrant: the outermost context resumes it.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()
