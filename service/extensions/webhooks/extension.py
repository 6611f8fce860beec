"""The webhooks of a process."""

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from typing import ClassVar
from uuid import UUID

import structlog

from schemas.webhooks import EVENT_OF, HEAD, TEST, HeadMessage, TestMessage, WebhookMessage
from service.errors import CarnetError, StoreUnavailable
from service.extension import Extension
from service.extensions.webhooks import api, pages
from service.extensions.webhooks.calls import CallLimits
from service.extensions.webhooks.deliverer import Calling, CallMetrics, Deliverer
from service.extensions.webhooks.messages import WebhookMessages
from service.extensions.webhooks.store import Webhooks, clubs_to_notify
from service.extensions.witness.extension import club_heads
from service.extensions.witness.signing import HOUR_SECONDS
from service.http.feed.asyncapi import Channel, SentMessage
from service.tasks import cancel_and_wait
from service.tenancy.club_services import ClubServices, SharedServices
from service.tenancy.clubs import Clubs

LOOK_SECONDS = 60.0

log = structlog.get_logger(__name__)

_HEADERS = {
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


class WebhookExtension(Extension):
    tags: ClassVar = {
        "webhooks": "Who is told by itself what is recorded, and what was sent to them"
    }
    api: ClassVar = {
        "webhooks": (
            api.add_webhook,
            api.list_webhooks,
            api.show_webhook,
            api.change_webhook,
            api.remove_webhook,
            api.renew_secret,
            api.list_deliveries,
            api.try_webhook,
            api.repeat_delivery,
        )
    }
    pages: ClassVar = (
        pages.show_webhooks,
        pages.show_calls,
        pages.make_webhook,
        pages.change_webhook_page,
    )
    channels: ClassVar = (
        Channel(
            name="webhook",
            operation="call",
            description="POST to the address of a webhook (Standard Webhooks): at least once, in"
            " order within a game. Any 2xx takes it in; 410 turns the webhook off.",
            messages={
                "webhookCall": SentMessage(
                    f"One of {', '.join([*EVENT_OF.values()])} or entry.recorded",
                    WebhookMessage,
                    _HEADERS,
                ),
                "webhookHead": SentMessage(
                    f"{HEAD}: the signed head of the feed, each hour in which it grew",
                    HeadMessage,
                    _HEADERS,
                ),
                "webhookTest": SentMessage(f"{TEST}: asked for by an owner", TestMessage, _HEADERS),
            },
        ),
    )
    dependencies: ClassVar = ("webhooks", "deliverer")

    def __init__(self, shared: SharedServices) -> None:
        super().__init__(shared)
        self._calling = Calling(
            limits=CallLimits(allowed=shared.settings.webhook_networks),
            now=shared.now,
            measured=CallMetrics(shared.registry),
        )

    def open_club(self, club: ClubServices, ending: AsyncExitStack) -> None:
        viewers_know = self.shared.settings.viewers_know
        games = club.games.as_seen(lambda _: viewers_know)
        compose = WebhookMessages(games, club.feed, self.shared.now).compose
        webhooks = Webhooks(self.shared.pool, club.club_id)
        deliverer = Deliverer(webhooks, compose, self._calling)
        club.extensions.update(webhooks=webhooks, deliverer=deliverer)
        delivering = asyncio.ensure_future(deliverer.run(club.sequencer))
        ending.push_async_callback(cancel_and_wait, delivering)

    def jobs(self, clubs: Clubs) -> Iterable[Awaitable[None]]:
        return self._ring_clubs(clubs), self._queue_heads(clubs)

    async def _ring_clubs(self, clubs: Clubs) -> None:
        """Wake deliverers: a webhook may have been added on another process."""
        while True:
            try:
                for club_id in await clubs_to_notify(self.shared.pool):
                    await _ring(clubs, club_id)
            except StoreUnavailable as error:
                log.warning("webhooks.database_unavailable", reason=str(error))
            await asyncio.sleep(LOOK_SECONDS)

    async def _queue_heads(self, clubs: Clubs) -> None:
        """Sign the head of each club with a subscriber, each hour."""
        while True:
            for club_id in await clubs.ids():
                webhooks = Webhooks(self.shared.pool, club_id)
                try:
                    if not await webhooks.head_subscribers():
                        continue
                    note = await club_heads(self.shared, club_id).note()
                    if note is not None and await webhooks.queue_head(note):
                        await _ring(clubs, club_id)
                except (CarnetError, OSError) as error:
                    log.warning("heads.not_queued", reason=str(error), club=str(club_id))
            await asyncio.sleep(HOUR_SECONDS)


async def _ring(clubs: Clubs, club_id: UUID) -> None:
    if (services := await clubs.of(club_id)) is not None:
        services.extensions["deliverer"].wake()
