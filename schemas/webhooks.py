"""What a webhook is told, as it leaves Carnet (Standard Webhooks): the body of a call."""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from schemas.entries import Instant
from schemas.history import Id

# What a webhook is told of an entry, and what it may ask for.
EntryEvent = Literal[
    "game.started",
    "deal.ended",
    "game.ended",
    "game.corrected",
    "game.set_aside",
    "entry.recorded",
]
WebhookEvent = Literal[EntryEvent, "head.signed"]
EVERY_ENTRY: EntryEvent = "entry.recorded"
HEAD: Literal["head.signed"] = "head.signed"
TEST: Literal["webhook.test"] = "webhook.test"
# What an entry of a type is told as, where that is asked for.
EVENT_OF: dict[str, EntryEvent] = {
    "started": "game.started",
    "deal_ended": "deal.ended",
    "game_ended": "game.ended",
    "take_back": "game.corrected",
    "amend": "game.corrected",
    "splice": "game.corrected",
    "set_aside": "game.set_aside",
}


class ToldPlayer(Struct, frozen=True, kw_only=True):
    """Somebody who plays; `name` null: forgotten on request."""

    id: Id
    name: str | None


class ToldEntry(Struct, frozen=True, kw_only=True):
    """An entry of the feed, and the game that it is of.

    `position`, `version`, `hash` (in hexadecimal) and `data` are those of the feed
    (`GET /api/feed`); `players` by seat, seat 0 first; `link`: the page of the game. A webhook is
    told what readers of the game see: a card that one seat alone was shown is left out of `data`
    until readers see it, and `hash`, which covers it, is null.
    """

    position: Annotated[int, Meta(ge=1)]
    game_id: Id
    version: Annotated[int, Meta(ge=1)]
    ruleset: str
    players: tuple[ToldPlayer, ...]
    link: str
    schema_version: int
    data: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
    recorded_at: Instant
    recorded_by: Id | None
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None


class WebhookMessage(Struct, frozen=True, kw_only=True):
    """The body of a call. `timestamp`: when what it tells was recorded.

    One call an entry: `type` is the narrowest event that the webhook asks for.
    """

    type: EntryEvent
    timestamp: Instant
    data: ToldEntry


class ToldHead(Struct, frozen=True, kw_only=True):
    """The signed head of the club's feed (C2SP tlog-checkpoint), for somebody else to keep.

    `note`: what `carnet verify --head` and `deploy/verify_head.py` take; `size`: of how many
    entries. What it is signed by is told by `GET /api/heads`.
    """

    size: Annotated[int, Meta(ge=1)]
    note: str


class HeadMessage(Struct, frozen=True, kw_only=True):
    """The body of a call that hands on a signed head: one an hour at most, each of more.

    `timestamp`: when it was handed to the webhook, which is soon after it was signed.
    """

    type: Literal["head.signed"]
    timestamp: Instant
    data: ToldHead


class TestData(Struct, frozen=True, kw_only=True):
    """Nothing: it only shows that calls arrive."""


class TestMessage(Struct, frozen=True, kw_only=True):
    """The body of a call that an owner asked for to try a webhook."""

    type: Literal["webhook.test"]
    timestamp: Instant
    data: TestData


def event_of(entry_type: str, asked: tuple[str, ...] | list[str]) -> EntryEvent | None:
    """Say as which event an entry is told to who asks for some; None: not at all."""
    narrow = EVENT_OF.get(entry_type)
    if narrow in asked:
        return narrow
    return EVERY_ENTRY if EVERY_ENTRY in asked else None


def types_of(asked: tuple[str, ...] | list[str]) -> list[str] | None:
    """List the entry types that are told to who asks for some events; None: all, []: heads only."""
    if EVERY_ENTRY in asked:
        return None
    return [kind for kind, event in EVENT_OF.items() if event in asked]
