"""A stream that signs an open page out when its rights end."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated
from uuid import UUID

from litestar import get
from litestar.datastructures import State
from litestar.response import Stream
from msgspec import Meta, Struct

from service.access.admission import Access
from service.access.principal import Principal
from service.access.watch import SIGNED_OUT, Watch
from service.errors import NotFound, TooManyRequests
from service.http.documentation.openapi import Documented
from service.http.games.live import (
    HEARTBEAT_SECONDS,
    RECONNECT_MILLISECONDS,
    STREAMS_MAX,
    Streams,
    count_stream,
)
from service.http.inputs import HttpRequest, read_query
from service.tasks import cancel_and_wait
from service.tenancy.club_services import services_of

_EVENTS = "text/event-stream"


class SignedInQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game of the page."""

    game: Annotated[
        UUID | None,
        Meta(
            description="The `id` of the game on the page. By default the club, or the games of"
            " the caller's links."
        ),
    ] = None


@get(
    "/signed-in",
    opt={
        "access": Access.KNOWN,
        "exclude_from_compression": True,
        "documented": Documented(query=SignedInQuery, file=_EVENTS),
    },
)
async def stay_signed_in(request: HttpRequest, state: State) -> Stream:
    """Send the event `signed-out` when the caller may not read the page any more."""
    game_id = read_query(request, SignedInQuery).game
    if game_id is not None and not request.user.may_read(game_id):
        raise NotFound("game", game_id)
    streams: Streams = state["streams"]
    if streams[request.user.token_hash] >= STREAMS_MAX:
        raise TooManyRequests(int(HEARTBEAT_SECONDS))
    events = _events(services_of(request).watch, request.user, game_id, state["stopping"])
    return Stream(count_stream(streams, request.user, events), media_type=_EVENTS)


async def _events(
    watch: Watch, who: Principal, game_id: UUID | None, stopping: asyncio.Event
) -> AsyncGenerator[bytes]:
    yield f"retry: {RECONNECT_MILLISECONDS}\n\n".encode()
    with watch.connection(who, game_id) as gone:
        ends = [asyncio.ensure_future(event.wait()) for event in (gone, stopping)]
        try:
            while not stopping.is_set():
                await asyncio.wait(
                    ends, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if gone.is_set():
                    yield SIGNED_OUT
                    return
                yield b": still here\n\n"
        finally:
            await cancel_and_wait(*ends)
