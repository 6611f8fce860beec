"""Long work of a page: one answer at the end, or events of its progress for the script."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable

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
Event = tuple[str, object]

log = structlog.get_logger(__name__)


class _Stopped(Exception):  # noqa: N818 -- no error
    pass


async def answer_long_work(request: PageRequest, work: Work) -> Redirect | Stream:
    """Run the work; when the client leaves its events, stop it where it next tells its progress.

    Parts that were done until then stay done.
    """
    if not wants_events(request):
        return see_other(await work(lambda _done, _of: None))
    return stream_events(_events(work, request.app.state["stopping"]))


def wants_events(request: PageRequest) -> bool:
    return EVENTS in request.headers.get("accept", "")


def stream_events(events: AsyncIterable[Event]) -> Stream:
    return Stream(_encoded(events), media_type=EVENTS, headers={"Cache-Control": "no-store"})


async def _encoded(events: AsyncIterable[Event]) -> AsyncGenerator[bytes]:
    async for name, data in events:
        # Encoded JSON has no line break, so one `data:` line suffices.
        yield b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))


async def _events(work: Work, stopping: asyncio.Event) -> AsyncGenerator[Event]:
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    left = asyncio.Event()

    def advance(done: int, of: int) -> None:
        if left.is_set() or stopping.is_set():
            raise _Stopped
        events.put_nowait(("progress", {"done": done, "of": of}))

    # A cancelled query would cost its session and leave a part half done: the work ends by itself.
    working = asyncio.ensure_future(_run(work, advance, events))
    try:
        while (event := await events.get()) is not None:
            yield event
        await working
    finally:
        left.set()
        working.add_done_callback(lambda done: done.cancelled() or done.exception())


async def _run(work: Work, advance: Advance, events: asyncio.Queue[Event | None]) -> None:
    try:
        events.put_nowait(("ready", {"address": await work(advance)}))
    except _Stopped:
        pass
    except (CarnetError, OSError) as error:
        log.warning("work.failed", reason=str(error))
        events.put_nowait(("failed", {}))
    finally:
        events.put_nowait(None)
