"""Tasks that go on beside the requests, and how they end."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

# Whoever was asked to leave off and goes on is asked again after so long.
AGAIN_SECONDS = 2.0


async def ended(*tasks: asyncio.Future[Any]) -> None:
    """End tasks, and wait until they did, whatever they come to.

    Once is not always enough: before Python 3.12 `asyncio.wait_for` forgets that it was cancelled
    where what it waits for comes in the same moment (python/cpython#86296).
    """
    going = set(tasks)
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=AGAIN_SECONDS)
    # What they came to is asked for, or asyncio says that nobody did.
    await asyncio.gather(*tasks, return_exceptions=True)


async def completed(work: Coroutine[Any, Any, T]) -> T:
    """Wait for short work that is completed even when its waiter is cancelled.

    A cancelled query costs its session, and the database makes another in some milliseconds.
    """
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)
