"""Starts, cancels or completes background tasks."""

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, TypeVar

T = TypeVar("T")

# Cancel again a task that continues after this time.
AGAIN_SECONDS = 2.0


def start_for_all(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start work that serves several requests, or outlives the one that starts it.

    It gets an empty context: in that of a request it would fail once the request's client has hung
    up (`service.store.connection.clients`).
    """
    return asyncio.get_running_loop().create_task(work, context=Context())


async def cancel_and_wait(*tasks: asyncio.Future[Any]) -> None:
    """Cancel tasks until they have ended; ignore their results.

    One cancel may get lost: before Python 3.12, `asyncio.wait_for` swallows it if its result
    arrives at the same time (python/cpython#86296).
    """
    going = set(tasks)
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=AGAIN_SECONDS)
    # Retrieve the exceptions, which asyncio would otherwise log.
    await asyncio.gather(*tasks, return_exceptions=True)


async def run_shielded(work: Coroutine[Any, Any, T]) -> T:
    """Await short work that completes even if the waiter is cancelled.

    A cancelled query would cost its database session.
    """
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)
