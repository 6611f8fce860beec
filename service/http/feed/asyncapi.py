"""AsyncAPI 3.0 at `/schema/asyncapi`: the live stream, the feed and webhooks."""

from functools import cache
from typing import Any

import msgspec
from litestar import Response, get
from msgspec import Struct

from schemas.catalogue import SHAPES
from schemas.webhooks import EVENT_OF, HEAD, TEST, HeadMessage, TestMessage, WebhookMessage
from service.http.documentation.openapi import Documented, components_of
from service.http.feed.feed import FeedEntry
from service.http.games.live import LiveEvent

ADDRESS = "/schema/asyncapi"
_EVENTS = "text/event-stream"
_JSON = "application/json"
_ID = {"type": "string", "format": "uuid", "description": "The game."}
_DATA = (
    "The entry as it is hashed. Its JSON Schema: /schema/entries/{ruleset}/{type}/{schema_version},"
    f" of the rulesets {', '.join(SHAPES)}; the ruleset of a game stands in its `started`."
)
_HEADERS: dict[str, Any] = {
    "type": "object",
    "required": ["webhook-id", "webhook-timestamp", "webhook-signature"],
    "properties": {
        "webhook-id": {
            "type": "string",
            "description": "Unchanged when a call is repeated, so that duplicates are recognised.",
        },
        "webhook-timestamp": {
            "type": "string",
            "pattern": "^[0-9]+$",
            "description": "When the call was made, in seconds since 1970 (UTC).",
        },
        "webhook-signature": {
            "type": "string",
            "pattern": "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$",
            "description": "HMAC-SHA256 of `id.timestamp.body` in base64, for each secret that"
            " counts: while one is renewed, of the new one and of the old one.",
        },
    },
}


@cache
def asyncapi() -> dict[str, Any]:
    shapes: list[type[Struct]] = [LiveEvent, FeedEntry, WebhookMessage, HeadMessage, TestMessage]
    (live, fed, told, head, test), schemas = components_of(shapes)
    for name in ("FeedEntry", "ToldEntry"):
        schemas[name]["properties"]["data"] = {"type": "object", "description": _DATA}
    messages = {
        "entryLive": _message("An entry of one game, with the game after it", live),
        "entryFed": _message("An entry of the club's feed", fed),
        "webhookCall": {
            **_message(f"One of {', '.join([*EVENT_OF.values()])} or entry.recorded", told),
            "headers": _HEADERS,
        },
        "webhookHead": {
            **_message(f"{HEAD}: the signed head of the feed, each hour in which it grew", head),
            "headers": _HEADERS,
        },
        "webhookTest": {**_message(f"{TEST}: asked for by an owner", test), "headers": _HEADERS},
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Carnet",
            "version": "1",
            "description": "What Carnet tells by itself. What is asked of it stands at /schema.",
        },
        "defaultContentType": _JSON,
        "channels": _channels(),
        "operations": {
            name: {"action": "send", "channel": {"$ref": f"#/channels/{channel}"}}
            for name, channel in (("follow", "live"), ("feed", "feed"), ("call", "webhook"))
        },
        "components": {
            "messages": messages,
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def published_bytes() -> bytes:
    return msgspec.json.format(msgspec.json.encode(asyncapi()), indent=2) + b"\n"


@get(
    "/asyncapi",
    opt={"exclude_from_compression": True, "documented": Documented(file=_JSON)},
)
async def show_asyncapi() -> Response[bytes]:
    """Describe the live stream, the feed and webhooks as AsyncAPI 3.0."""
    return Response(published_bytes(), media_type=_JSON)


def _channels() -> dict[str, Any]:
    return {
        "live": _stream(
            "/api/games/{gameId}/live",
            "Server-sent events of one game: `id:` is the version.",
            "entryLive",
            gameId=_ID,
        ),
        "feed": _stream(
            "/api/feed",
            "Server-sent events of the club, gap-free: `id:` is the position. Also by pages,"
            " as JSON or application/x-ndjson.",
            "entryFed",
        ),
        "webhook": {
            "address": None,
            "description": "POST to the address of a webhook (Standard Webhooks): at least"
            " once, in order within a game. Any 2xx takes it in; 410 turns the webhook off.",
            "messages": {name: _of(name) for name in ("webhookCall", "webhookHead", "webhookTest")},
        },
    }


def _message(summary: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"summary": summary, "contentType": _JSON, "payload": payload}


def _of(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/messages/{name}"}


def _stream(address: str, said: str, message: str, **parameters: dict[str, Any]) -> dict[str, Any]:
    named = {name: {"description": one["description"]} for name, one in parameters.items()}
    return {
        "address": address,
        "description": f"{said} ({_EVENTS})",
        "messages": {message: _of(message)},
        **({"parameters": named} if named else {}),
    }
