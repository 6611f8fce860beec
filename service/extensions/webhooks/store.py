"""Stored webhooks and deliveries.

Promises: every subscribed entry becomes exactly one delivery (sql/schema/tell_webhooks.sql); a
claimed delivery without an outcome becomes due again. Secrets are stored in clear, because calls
are signed with them. Assumes a pool of autocommit sessions.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.numeric import Float8, Int4, Int8

from schemas.webhooks import HEAD, TEST, types_of
from service.errors import NotFound
from service.extensions.webhooks.records import (
    CallOutcome,
    ClaimedDelivery,
    Delivery,
    NewWebhook,
    QueueResult,
    Webhook,
    WebhookState,
)
from service.extensions.webhooks.signatures import message_id
from service.store.connection.pool import Pool, connection, rows_as
from service.store.feed.positions import Feed

# Entries queued per webhook and call.
DEALT_MAX = 2_000
# A little less than an hour, so that hourly signing is never too early.
HEADS_APART = timedelta(minutes=50)

_CREATE = """
    INSERT INTO carnet.webhook (
        club_id, webhook_id, url, form, events, types, game_id, language, site, secret, position
    )
    SELECT %(club)s, %(webhook)s, %(url)s, %(form)s, %(events)s::text[], %(types)s::text[],
           %(game)s::uuid, %(language)s, %(site)s, %(secret)s,
           coalesce((SELECT position FROM carnet.feed_mark WHERE club_id = %(club)s), 0)
    WHERE %(game)s::uuid IS NULL OR EXISTS (
        SELECT FROM carnet.game WHERE club_id = %(club)s AND game_id = %(game)s::uuid
    )
"""

_ALL = """
    SELECT webhook_id AS id, url, form, events, game_id AS game, language, state, created_at
    FROM carnet.webhook WHERE club_id = %(club)s ORDER BY created_at, webhook_id
"""

_CHANGE = """
    UPDATE carnet.webhook SET url = %(url)s, events = %(events)s::text[], types = %(types)s::text[]
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s
"""

_TURN_ON = """
    UPDATE carnet.webhook SET state = 'on',
        position = coalesce((SELECT position FROM carnet.feed_mark WHERE club_id = %(club)s), 0)
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND state <> 'on'
"""

_TURN_OFF = """
    UPDATE carnet.webhook SET state = %(state)s
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND state = 'on'
"""

# Deliveries that are pending when a webhook is disabled are never sent.
_DROP_WAITING = """
    UPDATE carnet.webhook_delivery SET next_at = NULL
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND next_at IS NOT NULL AND NOT by_hand
"""

_RENEW = """
    UPDATE carnet.webhook
    SET old_secret = secret, old_until = now() + %(overlap)s::interval, secret = %(secret)s
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s
"""

_REMOVE_DELIVERIES = """
    DELETE FROM carnet.webhook_delivery WHERE club_id = %(club)s AND webhook_id = %(webhook)s
"""

_REMOVE = "DELETE FROM carnet.webhook WHERE club_id = %(club)s AND webhook_id = %(webhook)s"

_ADD = "SELECT carnet.add_delivery(%s, %s, %s, %s, %s)"

_HEAD_WEBHOOKS = """
    SELECT webhook_id FROM carnet.webhook
    WHERE club_id = %(club)s AND state = 'on' AND %(head)s = ANY (events)
"""

_WAITING = """
    SELECT FROM carnet.webhook_delivery
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND by_hand AND next_at IS NOT NULL
"""

_REPEAT = """
    UPDATE carnet.webhook_delivery SET by_hand = true, next_at = now()
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND position = %(position)s
      AND next_at IS NULL
"""

_DELIVERIES = """
    SELECT position, game_id, version, type, created_at, attempts, next_at, delivered_at, status,
           error
    FROM carnet.webhook_delivery
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s
    ORDER BY created_at DESC, position DESC LIMIT %(limit)s
"""

# One statement for one round trip: webhooks without deliveries come with NULL.
_LISTED = """
    SELECT w.webhook_id, w.url, w.form, w.events, w.game_id, w.language, w.state, w.created_at,
           d.position, d.game_id AS of_game, d.version, d.type, d.created_at AS called_at,
           d.attempts, d.next_at, d.delivered_at, d.status, d.error
    FROM carnet.webhook w
    LEFT JOIN LATERAL (
        SELECT * FROM carnet.webhook_delivery d
        WHERE d.club_id = %(club)s AND d.webhook_id = w.webhook_id
        ORDER BY d.created_at DESC, d.position DESC LIMIT %(limit)s
    ) d ON true
    WHERE w.club_id = %(club)s
    ORDER BY w.created_at, w.webhook_id, d.created_at DESC, d.position DESC
"""

_CLUBS = "SELECT carnet.clubs_to_notify()"

_TELL = "SELECT hooks, behind, failed FROM carnet.tell_webhooks(%s, %s)"

_CLAIM = """
    SELECT webhook_id, place AS position, game_id, version, type, attempts, by_hand, url, form,
           events, language, site, secret, old_secret, note, created_at
    FROM carnet.claim_deliveries(%s, %s, %s, true)
"""

# Two, because Citus refuses now() within CASE in an UPDATE.
_FAILED = """
    UPDATE carnet.webhook_delivery
    SET next_at = now() + %(again)s::interval, by_hand = false, status = %(status)s,
        error = %(error)s
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND position = %(position)s
      AND attempts = %(attempts)s
"""

_DELIVERED = """
    UPDATE carnet.webhook_delivery
    SET next_at = now() + %(again)s::interval, by_hand = false, status = %(status)s,
        error = %(error)s, delivered_at = now()
    WHERE club_id = %(club)s AND webhook_id = %(webhook)s AND position = %(position)s
      AND attempts = %(attempts)s
"""


_OF_HOOK = Webhook.__struct_fields__


class Webhooks:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id
        self._feed = Feed(pool, club_id)

    async def create(self, webhook: NewWebhook) -> None:
        """Add a webhook for entries recorded from now on.

        Raises: NotFound (its game does not exist)
        """
        # Entries recorded before are in the feed by then, and are not sent.
        await self._feed.complete()
        done = await self._do(
            _CREATE,
            webhook=webhook.webhook_id,
            url=webhook.url,
            form=webhook.form,
            events=list(webhook.events),
            types=types_of(list(webhook.events)),
            game=webhook.game_id,
            language=webhook.language,
            site=webhook.site,
            secret=webhook.secret,
        )
        if not done:
            raise NotFound("game", webhook.game_id)

    async def all(self) -> list[Webhook]:
        return await rows_as(Webhook, self._pool, self._club_id, _ALL, {"club": self._club_id})

    async def one(self, webhook_id: UUID) -> Webhook:
        for webhook in await self.all():
            if webhook.id == webhook_id:
                return webhook
        raise NotFound("webhook", webhook_id)

    async def list_with_deliveries(self, limit: int) -> list[tuple[Webhook, list[Delivery]]]:
        """List the webhooks, each with its last deliveries, the newest first."""
        by_webhook: dict[UUID, tuple[Webhook, list[Delivery]]] = {}
        for row in await self._tuples(_LISTED, limit=Int4(limit)):
            hook, call = row[: len(_OF_HOOK)], row[len(_OF_HOOK) :]
            webhook = Webhook(**dict(zip(_OF_HOOK, hook, strict=True)))
            _, calls = by_webhook.setdefault(webhook.id, (webhook, []))
            if call[0] is not None:
                calls.append(Delivery(message_id(webhook.id, call[0]), *call))
        return list(by_webhook.values())

    async def change(self, webhook_id: UUID, url: str, events: Sequence[str]) -> None:
        """Change the address and events of a webhook from the next delivery on."""
        types = types_of(list(events))
        done = await self._do(
            _CHANGE, webhook=webhook_id, url=url, events=list(events), types=types
        )
        if not done:
            raise NotFound("webhook", webhook_id)

    async def turn_on(self, webhook_id: UUID) -> None:
        """Enable a webhook for entries from now on; pending deliveries are dropped."""
        await self._feed.complete()
        if await self._do(_TURN_ON, webhook=webhook_id):
            await self._do(_DROP_WAITING, webhook=webhook_id)

    async def turn_off(self, webhook_id: UUID, state: WebhookState = "off") -> None:
        """Disable a webhook; pending deliveries are not sent."""
        if await self._do(_TURN_OFF, webhook=webhook_id, state=state):
            await self._do(_DROP_WAITING, webhook=webhook_id)

    async def renew(self, webhook_id: UUID, secret: bytes, overlap: timedelta) -> None:
        """Replace the secret; for some time calls are signed with both. Raises: NotFound."""
        if not await self._do(_RENEW, webhook=webhook_id, secret=secret, overlap=overlap):
            raise NotFound("webhook", webhook_id)

    async def remove(self, webhook_id: UUID) -> None:
        await self._do(_REMOVE, webhook=webhook_id)
        await self._do(_REMOVE_DELIVERIES, webhook=webhook_id)

    async def queue_test(self, webhook_id: UUID) -> None:
        if not await self._add_delivery(webhook_id, TEST, None):
            raise NotFound("webhook", webhook_id)

    async def head_subscribers(self) -> list[UUID]:
        return [row[0] for row in await self._tuples(_HEAD_WEBHOOKS, head=HEAD)]

    async def queue_head(self, note: str) -> int:
        """Queue a signed head for subscribed webhooks; return their number. Idempotent.

        No webhook gets two within `HEADS_APART`, however many processes sign.
        """
        told = await self.head_subscribers()
        for webhook_id in told:
            await self._add_delivery(webhook_id, HEAD, note)
        return len(told)

    async def is_pending(self, webhook_id: UUID) -> bool:
        return bool(await self._tuples(_WAITING, webhook=webhook_id))

    async def repeat(self, webhook_id: UUID, position: int) -> None:
        """Queue a delivery again unless it is pending."""
        await self._do(_REPEAT, webhook=webhook_id, position=Int8(position))

    async def deliveries(self, webhook_id: UUID, limit: int) -> list[Delivery]:
        rows = await self._tuples(_DELIVERIES, webhook=webhook_id, limit=Int4(limit))
        return [Delivery(message_id(webhook_id, row[0]), *row) for row in rows]

    async def queue_new(self) -> QueueResult:
        """Queue deliveries for new entries of the feed."""
        (dealt,) = await rows_as(
            QueueResult,
            self._pool,
            self._club_id,
            _TELL,
            [self._club_id, Int4(DEALT_MAX)],
            prepare=True,
        )
        return dealt

    async def claim(self, most: int, seconds: float) -> list[ClaimedDelivery]:
        """Claim due deliveries; without an outcome they are due again after `seconds`."""
        return await rows_as(
            ClaimedDelivery,
            self._pool,
            self._club_id,
            _CLAIM,
            [self._club_id, Int4(most), Float8(seconds)],
            prepare=True,
        )

    async def record_outcome(self, claimed: ClaimedDelivery, outcome: CallOutcome) -> None:
        await self._do(
            _DELIVERED if outcome.delivered else _FAILED,
            webhook=claimed.webhook_id,
            position=Int8(claimed.position),
            attempts=Int4(claimed.attempts),
            status=outcome.status,
            error=outcome.error,
            again=outcome.again,
        )

    async def _add_delivery(self, webhook_id: UUID, kind: str, note: str | None) -> bool:
        async with connection(self._pool, self._club_id) as conn:
            row = [self._club_id, webhook_id, kind, note, HEADS_APART]
            (added,) = await (await conn.execute(_ADD, row)).fetchall()
            return bool(added[0])

    async def _tuples(self, query: str, **parameters: object) -> list[tuple[Any, ...]]:
        async with connection(self._pool, self._club_id) as conn:
            cursor = await conn.execute(query.encode(), {"club": self._club_id, **parameters})
            return await cursor.fetchall()

    async def _do(self, query: str, **parameters: object) -> int:
        async with connection(self._pool, self._club_id) as conn:
            done = await conn.execute(query.encode(), {"club": self._club_id, **parameters})
            return done.rowcount


async def clubs_to_notify(pool: Pool) -> list[UUID]:
    async with connection(pool, None) as conn:
        rows = await conn.execute(_CLUBS)
        return [row[0] async for row in rows]
