"""Bodies of webhook deliveries (Standard Webhooks)."""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from schemas.entries import Instant
from schemas.history import Id

# The events of entries that a webhook may subscribe to.
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
# The narrow event of an entry type.
EVENT_OF: dict[str, EntryEvent] = {
    "started": "game.started",
    "deal_ended": "deal.ended",
    "game_ended": "game.ended",
    "take_back": "game.corrected",
    "amend": "game.corrected",
    "splice": "game.corrected",
    "set_aside": "game.set_aside",
}


class PlayerData(Struct, frozen=True, kw_only=True):
    """A player; `name` is null if it was forgotten on request."""

    id: Id
    name: str | None


class EntryData(Struct, frozen=True, kw_only=True):
    """An entry of the feed and its game.

    `position`, `version`, `hash` (hexadecimal) and `data` are those of `GET /api/feed`; `players`
    by seat; `link`: the page of the game; `title`: its title's id, or the ruleset, which is its own
    title and has no `title_name`. Private cards are masked as for readers of the game, and then
    `hash`, which covers them, is null.
    """

    position: Annotated[int, Meta(ge=1)]
    game_id: Id
    version: Annotated[int, Meta(ge=1)]
    ruleset: str
    title: str
    title_name: str | None
    players: tuple[PlayerData, ...]
    link: str
    schema_version: int
    data: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
    recorded_at: Instant
    recorded_by: Id | None
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None


class WebhookMessage(Struct, frozen=True, kw_only=True):
    """The body of a delivery. `timestamp`: when the entry was recorded.

    One delivery per entry: `type` is the narrowest event that the webhook subscribes to.
    """

    type: EntryEvent
    timestamp: Instant
    data: EntryData


class HeadData(Struct, frozen=True, kw_only=True):
    """The signed head of the club's feed (C2SP tlog-checkpoint).

    `note`: the input of `carnet verify --head` and `deploy/verify_head.py`; `size`: its number of
    entries. The keys are at `GET /api/heads`.
    """

    size: Annotated[int, Meta(ge=1)]
    note: str


class HeadMessage(Struct, frozen=True, kw_only=True):
    """The body of a delivery of a signed head: at most one per hour.

    `timestamp`: when it was queued, soon after signing.
    """

    type: Literal["head.signed"]
    timestamp: Instant
    data: HeadData


class TestData(Struct, frozen=True, kw_only=True):
    pass


class TestMessage(Struct, frozen=True, kw_only=True):
    """The body of a test delivery."""

    type: Literal["webhook.test"]
    timestamp: Instant
    data: TestData


def event_of(entry_type: str, subscribed: tuple[str, ...] | list[str]) -> EntryEvent | None:
    """Return the event by which an entry type is delivered to a subscription, None if it is not.

    >>> event_of("deal_ended", ["entry.recorded", "deal.ended"])
    'deal.ended'
    >>> event_of("pass", ["deal.ended"]) is None
    True
    """
    narrow = EVENT_OF.get(entry_type)
    if narrow in subscribed:
        return narrow
    return EVERY_ENTRY if EVERY_ENTRY in subscribed else None


def types_of(subscribed: tuple[str, ...] | list[str]) -> list[str] | None:
    """List the entry types that a subscription receives; None: all, []: heads only.

    >>> types_of(["game.corrected"])
    ['take_back', 'amend', 'splice']
    """
    if EVERY_ENTRY in subscribed:
        return None
    return [kind for kind, event in EVENT_OF.items() if event in subscribed]
