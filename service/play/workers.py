"""Runs long work on games in threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
