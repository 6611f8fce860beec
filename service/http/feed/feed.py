"""The feed: paged, by long polling, or as a stream."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.response import Stream
from msgspec import UNSET, Meta, Raw, Struct

from service.dependencies import Answer, TheFeed, TheSequencer
from service.errors import StoreUnavailable, TooManyRequests, Unauthorized
from service.feed.sequencer import Sequencer
from service.http.documentation.openapi import Documented
from service.http.games.live import (
    HEARTBEAT_SECONDS,
    RECONNECT_MILLISECONDS,
    STREAMS_MAX,
    Streams,
    count_stream,
)
from service.http.inputs import HttpRequest, best_offer, read_last_event_id, read_query, read_wait
from service.http.parameters import LineFormat
from service.store.feed.positions import POSITION_MAX, Feed, FeedEntryRow
from service.tasks import cancel_and_wait, run_shielded
from service.tenancy.club_services import services_of

PAGE_ENTRIES = 1_000
PAGE_ENTRIES_MAX = 10_000
# Pages that streams read at once, of ten database sessions. A read completes when its client has
# left; without a limit, clients that come and go would take every session.
STREAM_READS_MAX = 4
WAIT_SECONDS_MAX = 60
_JSON, _NDJSON, _EVENTS = "application/json", "application/x-ndjson", "text/event-stream"


class FeedQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Page and format of the feed."""

    after: Annotated[
        int,
        Meta(
            ge=0,
            le=POSITION_MAX,
            description="Only entries after this position; 0 by default.",
        ),
    ] = 0
    limit: Annotated[
        int,
        Meta(
            ge=1,
            le=PAGE_ENTRIES_MAX,
            description=f"The page size, 1 to {PAGE_ENTRIES_MAX}; {PAGE_ENTRIES} by default."
            " Streams ignore it.",
        ),
    ] = PAGE_ENTRIES
    format: LineFormat = UNSET


class FeedEntry(Struct, frozen=True, kw_only=True):
    """An entry with its position in the feed; `hash` in hexadecimal.

    `data`: the entry as it is hashed (schema: `/schema/entries/{ruleset}/{type}/{schema_version}`).
    In `schema_version` 2 it has a digest in place of free text; the game's log shows the text until
    it is erased.
    """

    position: int
    game_id: UUID
    version: int
    type: str
    schema_version: int
    data: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
    recorded_at: datetime
    recorded_by: UUID | None
    hash: str


class FeedView(Struct, frozen=True, kw_only=True):
    """A page of the feed; the last one is shorter than the limit."""

    entries: tuple[FeedEntry, ...]


@get(
    "/feed",
    opt={
        "exclude_from_compression": True,
        "documented": Documented(
            query=FeedQuery,
            answer=FeedView,
            formats=(_NDJSON, _EVENTS),
            headers=("?Prefer", "?Last-Event-ID"),
        ),
    },
)
async def show_feed(
    request: HttpRequest, state: State, feed: TheFeed, sequencer: TheSequencer
) -> Answer | Stream:
    """List all entries of the club in one gap-free order, by pages or as a stream.

    `Prefer: wait=25` waits up to 25 seconds for a next entry (long polling). As `text/event-
    stream`, the response does not end, and `id:` is the position.
    """
    query = read_query(request, FeedQuery)
    offered = best_offer(request, (_JSON, _NDJSON, _EVENTS))
    if query.format is UNSET and offered == _EVENTS:
        seen = read_last_event_id(request, "a position")
        return _stream(request, state, feed, sequencer, query.after if seen is None else seen)
    entries = await feed.page(query.after, query.limit)
    headers = {"Vary": "Accept, Prefer"}
    seconds = read_wait(request, WAIT_SECONDS_MAX)
    if seconds:
        headers["Preference-Applied"] = f"wait={seconds}"
        if not entries and await _wait_for_entry(state, sequencer, query.after, seconds):
            identities = services_of(request).identities
            if not await identities.still(request.user, None):
                raise Unauthorized
            entries = await feed.page(query.after, query.limit)
    if query.format == "ndjson" or (query.format is UNSET and offered == _NDJSON):
        lines = msgspec.json.Encoder().encode_lines(views(entries))
        return Response(lines, media_type=_NDJSON, headers=headers)
    shown = msgspec.json.encode(FeedView(entries=tuple(views(entries))))
    return Response(shown, media_type=_JSON, headers=headers)


def _stream(
    request: HttpRequest, state: State, feed: Feed, sequencer: Sequencer, after: int
) -> Stream:
    streams: Streams = state["streams"]
    if streams[request.user.token_hash] >= STREAMS_MAX:
        raise TooManyRequests(int(HEARTBEAT_SECONDS))
    events = _events(request, state, feed, sequencer, after)
    return Stream(count_stream(streams, request.user, events), media_type=_EVENTS)


async def _events(
    request: HttpRequest, state: State, feed: Feed, sequencer: Sequencer, after: int
) -> AsyncGenerator[bytes]:
    identities, who = services_of(request).identities, request.user
    stopping: asyncio.Event = state["stopping"]
    reads: asyncio.Semaphore = state["feed_reads"]
    yield f"retry: {RECONNECT_MILLISECONDS}\n\n".encode()
    # If the client has disconnected, skip the query.
    await asyncio.sleep(0)
    try:
        while not stopping.is_set():
            entries = await _read_page(reads, feed, after)
            if not entries:
                moved = await _wait_for_entry(state, sequencer, after, HEARTBEAT_SECONDS)
                entries = await _read_page(reads, feed, after) if moved else []
            if not await run_shielded(identities.still(who, None)):
                return
            if entries:
                after = entries[-1].position
            yield b"".join(map(_event, views(entries))) or b": still here\n\n"
    except StoreUnavailable:
        # The client reconnects with Last-Event-ID and misses nothing.
        return


async def _read_page(reads: asyncio.Semaphore, feed: Feed, after: int) -> list[FeedEntryRow]:
    await reads.acquire()

    async def read() -> list[FeedEntryRow]:
        try:
            return await feed.page(after, PAGE_ENTRIES)
        finally:
            reads.release()

    return await run_shielded(read())


async def _wait_for_entry(state: State, sequencer: Sequencer, after: int, seconds: float) -> bool:
    stopping: asyncio.Event = state["stopping"]
    stop = asyncio.ensure_future(stopping.wait())
    moved = asyncio.ensure_future(sequencer.wait_beyond(after, seconds))
    try:
        await asyncio.wait((stop, moved), return_when=asyncio.FIRST_COMPLETED)
        return moved.done() and moved.result()
    finally:
        await cancel_and_wait(stop, moved)


def views(entries: Sequence[FeedEntryRow]) -> list[FeedEntry]:
    return [
        FeedEntry(
            position=entry.position,
            game_id=entry.game_id,
            version=entry.version,
            type=entry.type,
            schema_version=entry.schema_version,
            data=Raw(entry.data),
            recorded_at=entry.recorded_at,
            recorded_by=entry.recorded_by,
            hash=entry.hash.hex(),
        )
        for entry in entries
    ]


def _event(entry: FeedEntry) -> bytes:
    # JSON contains no line break, so one `data:` line suffices.
    return b"id: %d\ndata: %b\n\n" % (entry.position, msgspec.json.encode(entry))
