"""Long work of a page: one answer at the end, or events of its progress for the script."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

import msgspec
import structlog
from litestar.response import Redirect, Stream

from service.dependencies import PageRequest, see_other
from service.errors import CarnetError

EVENTS = "text/event-stream"
# Takes the number of parts done and of all parts; 0: unknown.
Advance = Callable[[int, int], object]
# Work takes `Advance` and returns the address of its result.
Work = Callable[[Advance], Awaitable[str]]
_Event = tuple[str, object]

log = structlog.get_logger(__name__)


class _Stopped(Exception):  # noqa: N818 -- no error
    pass


async def answer_long_work(request: PageRequest, work: Work) -> Redirect | Stream:
    """Run the work; when the client leaves its events, stop it where it next tells its progress.

    Parts that were done until then stay done.
    """
    if EVENTS not in request.headers.get("accept", ""):
        return see_other(await work(lambda _done, _of: None))
    return Stream(
        _events(work, request.app.state["stopping"]),
        media_type=EVENTS,
        headers={"Cache-Control": "no-store"},
    )


async def _events(work: Work, stopping: asyncio.Event) -> AsyncGenerator[bytes]:
    events: asyncio.Queue[_Event | None] = asyncio.Queue()
    left = asyncio.Event()

    def advance(done: int, of: int) -> None:
        if left.is_set() or stopping.is_set():
            raise _Stopped
        events.put_nowait(("progress", {"done": done, "of": of}))

    # A cancelled query would cost its session and leave a part half done: the work ends by itself.
    working = asyncio.ensure_future(_run(work, advance, events))
    try:
        while (event := await events.get()) is not None:
            name, data = event
            # Encoded JSON has no line break, so one `data:` line suffices.
            yield b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))
        await working
    finally:
        left.set()
        working.add_done_callback(lambda done: done.cancelled() or done.exception())


async def _run(work: Work, advance: Advance, events: asyncio.Queue[_Event | None]) -> None:
    try:
        events.put_nowait(("ready", {"address": await work(advance)}))
    except _Stopped:
        pass
    except (CarnetError, OSError) as error:
        log.warning("work.failed", reason=str(error))
        events.put_nowait(("failed", {}))
    finally:
        events.put_nowait(None)
