"""Work on a game that may take long, done beside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from domain.table.rules import Game

WORKERS = 2  # more would only wait for one another
SWITCH_SECONDS = 0.0005

Found = TypeVar("Found")


def may_take_long(game: Game) -> bool:
    """Tell whether judging may have to search: cards moved, and nobody knows which.

    Where all that moved is known, any answer takes a few milliseconds at most.
    """
    known = getattr(game.deal, "knowledge", None)
    return known is not None and bool(known.forked)


class Workers:
    """Threads that judge and list what may be entered."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="judging")

    async def run(self, work: Callable[[], Found], *, long: bool) -> Found:
        """Do some work: here, or in a thread where it may be long."""
        if not long:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)
