"""AsyncAPI 3.0 at `/schema/asyncapi`: the live stream, the feed, and what extensions send."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct

from schemas.catalogue import SHAPES
from service.http.documentation.openapi import Documented, components_of
from service.http.feed.feed import FeedEntry
from service.http.games.live import LiveEvent

ADDRESS = "/schema/asyncapi"
_EVENTS = "text/event-stream"
_JSON = "application/json"
_DATA = (
    "The entry as it is hashed. Its JSON Schema: /schema/entries/{ruleset}/{type}/{schema_version},"
    f" of the rulesets {', '.join(SHAPES)}; the ruleset of a game stands in its `started`."
)


class SentMessage(Struct, frozen=True):
    """A message that Carnet sends; `headers`: their JSON Schema."""

    summary: str
    shape: type[Struct]
    headers: Mapping[str, Any] | None = None


class Channel(Struct, frozen=True, kw_only=True):
    """Where messages are sent, and the operation that sends them. `address` None: a given one."""

    name: str
    operation: str
    description: str
    messages: Mapping[str, SentMessage]
    address: str | None = None
    parameters: Mapping[str, str] = {}


CHANNELS = (
    Channel(
        name="live",
        operation="follow",
        address="/api/games/{gameId}/live",
        description=f"Server-sent events of one game: `id:` is the version. ({_EVENTS})",
        messages={
            "entryLive": SentMessage("An entry of one game, with the game after it", LiveEvent)
        },
        parameters={"gameId": "The game."},
    ),
    Channel(
        name="feed",
        operation="feed",
        address="/api/feed",
        description="Server-sent events of the club, gap-free: `id:` is the position. Also by"
        f" pages, as JSON or application/x-ndjson. ({_EVENTS})",
        messages={"entryFed": SentMessage("An entry of the club's feed", FeedEntry)},
    ),
)


def asyncapi(of_extensions: Sequence[Channel] = ()) -> dict[str, Any]:
    channels = [*CHANNELS, *of_extensions]
    sent = {name: message for channel in channels for name, message in channel.messages.items()}
    payloads, schemas = components_of([message.shape for message in sent.values()])
    for schema in schemas.values():
        if schema.get("properties", {}).get("data") == {"type": "object"}:
            schema["properties"]["data"] = {"type": "object", "description": _DATA}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Carnet",
            "version": "1",
            "description": "What Carnet tells by itself. What is asked of it stands at /schema.",
        },
        "defaultContentType": _JSON,
        "channels": {channel.name: _channel(channel) for channel in channels},
        "operations": {
            channel.operation: {"action": "send", "channel": {"$ref": f"#/channels/{channel.name}"}}
            for channel in channels
        },
        "components": {
            "messages": {
                name: {
                    "summary": message.summary,
                    "contentType": _JSON,
                    "payload": payload,
                    **({} if message.headers is None else {"headers": message.headers}),
                }
                for (name, message), payload in zip(sent.items(), payloads, strict=True)
            },
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _channel(channel: Channel) -> dict[str, Any]:
    parameters = {name: {"description": text} for name, text in channel.parameters.items()}
    return {
        "address": channel.address,
        "description": channel.description,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in channel.messages},
        **({"parameters": parameters} if parameters else {}),
    }


def published_bytes(of_extensions: Sequence[Channel]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(asyncapi(of_extensions)), indent=2) + b"\n"


@get(
    "/asyncapi",
    opt={"exclude_from_compression": True, "documented": Documented(file=_JSON)},
)
async def show_asyncapi(state: State) -> Response[bytes]:
    """Describe the live stream, the feed and webhooks as AsyncAPI 3.0."""
    return Response(published_bytes(state["channels"]), media_type=_JSON)
