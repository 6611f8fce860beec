"""Webhooks, the calls to them and how those went, as rows of the store."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

WebhookForm: TypeAlias = Literal["standard", "discord", "slack", "ntfy"]
WebhookState: TypeAlias = Literal["on", "off", "failed", "gone"]


class Webhook(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who is told. `game_id` None: of all games; `state` failed, gone: it was given up."""

    webhook_id: UUID
    url: str
    form: WebhookForm
    events: list[str]
    game_id: UUID | None
    language: str
    state: WebhookState
    created_at: datetime


class NewWebhook(Struct, frozen=True, kw_only=True):
    """A webhook to be made. `site`: what links in it begin with; `secret`: 24 to 64 bytes."""

    webhook_id: UUID
    url: str
    form: WebhookForm
    events: Sequence[str]
    game_id: UUID | None
    language: str
    site: str
    secret: bytes


class Delivery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A call and how it went. `next_at` None: it is not tried again; `error`: why it failed."""

    webhook_id: UUID
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


class Claimed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A call to be made, by whoever claimed it; `type`: of the entry, or `webhook.test`.

    `note`: the signed head that it hands on.
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


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a club's webhooks stand: all, those behind the feed, those that were given up."""

    hooks: int
    behind: int
    failed: int


class CallOutcome(Struct, frozen=True, kw_only=True):
    """How a call went. `again`: after which time it is tried again; None: it is not."""

    delivered: bool
    status: int | None = None
    error: str | None = None
    again: timedelta | None = None
