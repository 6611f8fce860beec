"""The live stream of a game: server-sent events (WHATWG HTML §9.2)."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Any
from uuid import UUID
from weakref import WeakKeyDictionary

import msgspec
from litestar import get
from litestar.datastructures import State
from litestar.response import Stream
from msgspec import UNSET, Meta, Struct, UnsetType

from service.access.admission import Access
from service.access.identities import Identities
from service.access.principal import Principal
from service.access.watch import SIGNED_OUT, Watch
from service.dependencies import TheGames
from service.errors import StoreUnavailable, TooManyRequests
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, or_none, read_last_event_id, read_query
from service.http.parameters import GameId
from service.metrics import WorkMetrics
from service.play.views import Change, EntryView, GameView
from service.tasks import cancel_and_wait, start_for_all
from service.tenancy.club_services import services_of

HEARTBEAT_SECONDS = 15.0
STREAMS_MAX = 60
RECONNECT_MILLISECONDS = 1_000


class LiveQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first version to send."""

    after: Annotated[
        Annotated[int, Meta(ge=0, le=2**31 - 1)] | UnsetType,
        Meta(
            description="Only entries after this version, by default the current one; `Last-"
            " Event-ID` takes precedence."
        ),
    ] = UNSET


class LiveEvent(EntryView, frozen=True, kw_only=True, omit_defaults=True):
    """An entry as stored. `state`: the game after the batch; only on the batch's last entry."""

    state: GameView | None = None


@get(
    "/games/{game_id:uuid}/live",
    opt={
        "access": Access.READER,
        "exclude_from_compression": True,
        "documented": Documented(
            query=LiveQuery, headers=("?Last-Event-ID",), file="text/event-stream"
        ),
    },
)
async def follow_game(
    request: HttpRequest, state: State, game_id: GameId, games: TheGames
) -> Stream:
    """Stream every entry of a game within a second after it was stored."""
    after = or_none(read_query(request, LiveQuery).after)
    seen = read_last_event_id(request)
    # An unknown game is a 404, not a stream that ends. The stream itself may start later: whoever
    # has the headers misses nothing that is stored then.
    version = await games.version(game_id)
    streams: Streams = state["streams"]
    if streams[request.user.token_hash] >= STREAMS_MAX:
        raise TooManyRequests(int(HEARTBEAT_SECONDS))
    after = after if seen is None else seen
    changes = games.follow(game_id, version - 1 if after is None else after)
    services = services_of(request)
    stopping: asyncio.Event = state["stopping"]
    return Stream(
        count_stream(
            streams,
            request.user,
            _until_access_ends(
                services.watch,
                _stream(
                    changes, state["told"], services.identities, request.user, game_id, stopping
                ),
                request.user,
                game_id,
            ),
        ),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )


class Broadcast:
    def __init__(self) -> None:
        self._events: WeakKeyDictionary[Change, bytes] = WeakKeyDictionary()
        self._still: WeakKeyDictionary[Change, dict[bytes, asyncio.Future[bool]]] = (
            WeakKeyDictionary()
        )

    def events(self, change: Change) -> bytes:
        encoded = self._events.get(change)
        if encoded is None:
            encoded = self._events[change] = _events(change)
        return encoded

    async def still(
        self, identities: Identities, who: Principal, game_id: UUID, change: Change
    ) -> bool:
        """Return whether a caller may still follow; one query per change and caller."""
        answers = self._still.setdefault(change, {})
        answer = answers.get(who.token_hash)
        if answer is None:
            answer = start_for_all(identities.still(who, game_id))
            answers[who.token_hash] = answer
        return await asyncio.shield(answer)


class Streams(Counter[bytes]):
    measured = WorkMetrics()


async def count_stream(
    streams: Streams, who: Principal, events: AsyncGenerator[bytes]
) -> AsyncIterator[bytes]:
    streams[who.token_hash] += 1
    streams.measured.streams.inc()
    try:
        async for event in events:
            yield event
    finally:
        streams.measured.streams.dec()
        streams[who.token_hash] -= 1
        if not streams[who.token_hash]:
            del streams[who.token_hash]
        await events.aclose()


async def _until_access_ends(
    watch: Watch, events: AsyncGenerator[bytes], who: Principal, game_id: UUID
) -> AsyncGenerator[bytes]:
    with watch.connection(who, game_id) as gone:
        left = asyncio.ensure_future(gone.wait())
        coming = asyncio.ensure_future(anext(events, None))
        try:
            while True:
                await asyncio.wait((left, coming), return_when=asyncio.FIRST_COMPLETED)
                if left.done():
                    yield SIGNED_OUT
                    return
                event = coming.result()
                if event is None:
                    return
                yield event
                coming = asyncio.ensure_future(anext(events, None))
        finally:
            await cancel_and_wait(left, coming)
            await events.aclose()


async def _stream(
    changes: AsyncGenerator[Change],
    broadcast: Broadcast,
    identities: Identities,
    who: Principal,
    game_id: UUID,
    stopping: asyncio.Event,
) -> AsyncGenerator[bytes]:
    yield f"retry: {RECONNECT_MILLISECONDS}\n\n".encode()
    stop = asyncio.ensure_future(stopping.wait())
    following = asyncio.ensure_future(anext(changes))
    try:
        while not stopping.is_set():
            done, _ = await asyncio.wait(
                (following, stop), timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if stop in done:
                return
            if following not in done:
                yield b": still here\n\n"
                continue
            change = following.result()
            if not await broadcast.still(identities, who, game_id, change):
                yield SIGNED_OUT
                return
            yield broadcast.events(change)
            following = asyncio.ensure_future(anext(changes))
    except StoreUnavailable:
        # The client reconnects with Last-Event-ID and misses nothing.
        return
    finally:
        await cancel_and_wait(stop, following)
        await changes.aclose()


def _events(change: Change) -> bytes:
    last = change.entries[-1].version
    return b"".join(
        _event(entry, change.state if entry.version == last else None) for entry in change.entries
    )


def _event(entry: EntryView, state: GameView | None) -> bytes:
    facts: dict[str, Any] = {name: getattr(entry, name) for name in entry.__struct_fields__}
    data = msgspec.json.encode(LiveEvent(**facts, state=state))
    # JSON contains no line break, so one `data:` line suffices.
    return b"id: %d\ndata: %b\n\n" % (entry.version, data)
