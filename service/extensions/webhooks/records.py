"""Rows of webhooks and their deliveries."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

WebhookForm: TypeAlias = Literal["standard", "discord", "slack", "ntfy"]
WebhookState: TypeAlias = Literal["on", "off", "failed", "gone"]


class Webhook(Struct, frozen=True, kw_only=True):
    """A webhook. State `failed`: calls failed for a day; `gone`: the receiver answered 410."""

    id: UUID
    url: str
    form: WebhookForm
    events: list[str]
    game: UUID | None
    language: str
    state: WebhookState
    created_at: datetime


class NewWebhook(Struct, frozen=True, kw_only=True):
    """A webhook to create. `site`: the base address of its links; `secret`: 24 to 64 bytes."""

    webhook_id: UUID
    url: str
    form: WebhookForm
    events: Sequence[str]
    game_id: UUID | None
    language: str
    site: str
    secret: bytes


class Delivery(Struct, frozen=True):
    """A call. `id`: its `webhook-id`; `next_at` null: no retry; `error`: a code.

    A `position` below 0 is a test call, or a signed head.
    """

    id: str
    position: int
    game_id: UUID | None
    version: int | None
    type: str
    created_at: datetime
    attempts: int
    next_at: datetime | None
    delivered_at: datetime | None
    status: int | None
    error: str | None


class ClaimedDelivery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A claimed delivery; `type`: of the entry, or `webhook.test`.

    `note`: the signed head to send.
    """

    webhook_id: UUID
    position: int
    game_id: UUID | None
    version: int | None
    type: str
    attempts: int
    by_hand: bool
    url: str
    form: WebhookForm
    events: list[str]
    language: str
    site: str
    secret: bytes
    old_secret: bytes | None
    note: str | None
    created_at: datetime


class QueueResult(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Numbers of a club's webhooks: all, those behind the feed, those given up."""

    hooks: int
    behind: int
    failed: int


class CallOutcome(Struct, frozen=True, kw_only=True):
    """The outcome of a call. `again`: delay until the retry; None: no retry."""

    delivered: bool
    status: int | None = None
    error: str | None = None
    again: timedelta | None = None
