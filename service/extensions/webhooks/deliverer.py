"""Delivery of webhooks: queued from the feed, called, repeated, given up.

Promises: every entry that a webhook subscribes to is sent at least once, always with the same id,
and each game in order; a failed call is repeated for a day, then the webhook is disabled and its
owner notified. Every process delivers: a call is claimed for `CLAIM_SECONDS`, so that a dead
process blocks nothing. Assumes one event loop.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeAlias
from uuid import UUID

import structlog
from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge

from service.errors import NotFound, StoreUnavailable
from service.extensions.webhooks.addresses import Resolve, check_callable, resolve
from service.extensions.webhooks.calls import CallLimits, CallResult, call
from service.extensions.webhooks.payloads import WebhookContent, webhook_payload
from service.extensions.webhooks.records import CallOutcome, ClaimedDelivery, NewWebhook
from service.extensions.webhooks.signatures import message_id, sign_call
from service.extensions.webhooks.store import Webhooks
from service.feed.sequencer import Sequencer
from service.tasks import cancel_and_wait

# Delays before a failed call is repeated: a day in total.
AGAIN = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000)
)
CALLS_AT_ONCE = 8
WEBHOOKS_MAX = 20
# How long calls are also signed with the previous secret.
SECRETS_OVERLAP = timedelta(days=1)
CALLS_LISTED_MAX = 200
CLAIM_SECONDS = 60.0
# How long a change by another process may be unknown here.
LOOK_SECONDS = 5.0
# How often a call requested by hand is checked for completion elsewhere.
SETTLED_SECONDS = 0.05
GONE = 410

Compose: TypeAlias = Callable[[ClaimedDelivery], Awaitable[WebhookContent]]

log = structlog.get_logger(__name__)


class TooManyWebhooks(Exception):  # noqa: N818 -- named by its fact
    pass


class CallMetrics:
    """Metrics of webhook deliveries, of all clubs together."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.calls = Counter(
            "carnet_webhook_calls",
            "Calls to webhooks, by how they went",
            ["outcome"],
            registry=registry,
        )
        for outcome in ("delivered", "failed", "given_up"):
            self.calls.labels(outcome)
        self.off = Gauge(
            "carnet_webhooks_given_up",
            "Webhooks that were turned off because calls failed",
            registry=registry,
        )


class Calling(Struct, frozen=True, kw_only=True):
    """Settings of calls: allowed networks, resolver, clock."""

    limits: CallLimits
    now: Callable[[], datetime]
    measured: CallMetrics
    resolved: Resolve = resolve


class Deliverer:
    def __init__(self, webhooks: Webhooks, compose: Compose, calling: Calling) -> None:
        self._webhooks = webhooks
        self._compose = compose
        self._calling = calling
        self._metrics = calling.measured
        self._woken = asyncio.Event()
        self._has_webhooks = True
        # Disabled webhooks as last seen, for the owner's notice.
        self.given_up = 0

    async def add(self, webhook: NewWebhook) -> None:
        """Add a webhook for entries recorded from now on.

        Raises: BadUrl, AddressRefused, TooManyWebhooks, NotFound (the game does not exist)
        """
        await self.check_url(webhook.url)
        if len(await self._webhooks.all()) >= WEBHOOKS_MAX:
            raise TooManyWebhooks
        await self._webhooks.create(webhook)
        self.wake()

    async def check_url(self, url: str) -> None:
        await check_callable(url, self._calling.limits.allowed, self._calling.resolved)

    def wake(self) -> None:
        self._has_webhooks = True
        self._woken.set()

    async def run(self, sequencer: Sequencer) -> None:
        answered = True
        while True:
            self._woken.clear()
            # Clear it before the query, so that a signal in between is not lost.
            awaited = [
                asyncio.ensure_future(event) for event in (self._woken.wait(), sequencer.moved())
            ]
            try:
                await self.deliver_due()
                answered = True
                if not self._has_webhooks:
                    # Without webhooks, recorded entries cost nothing here.
                    await self._woken.wait()
                    continue
                await asyncio.wait(
                    awaited, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
            except StoreUnavailable as error:
                if answered:
                    log.warning("webhooks.database_unavailable", reason=str(error))
                answered = False
                await asyncio.sleep(LOOK_SECONDS)
            finally:
                await cancel_and_wait(*awaited)

    async def deliver_due(self) -> None:
        """Queue new entries, and make every due call."""
        while True:
            dealt = await self._webhooks.queue_new()
            self._has_webhooks = dealt.hooks > 0
            self._metrics.off.inc(dealt.failed - self.given_up)
            self.given_up = dealt.failed
            claimed = (
                await self._webhooks.claim(CALLS_AT_ONCE, CLAIM_SECONDS) if dealt.hooks else []
            )
            if claimed:
                await asyncio.gather(*map(self._deliver, claimed))
            elif not dealt.behind:
                return

    async def finish_manual_calls(self, webhook_id: UUID) -> None:
        """Make calls requested by hand, or wait for the process that is making them."""
        await self.deliver_due()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._calling.limits.seconds):
                while await self._webhooks.is_pending(webhook_id):  # noqa: ASYNC110 -- another process
                    await asyncio.sleep(SETTLED_SECONDS)

    async def _deliver(self, claimed: ClaimedDelivery) -> None:
        answered = await self._call(claimed)
        delivered = answered.error is None
        gone = answered.status == GONE
        retried = not delivered and not claimed.by_hand
        given_up = retried and (gone or claimed.attempts > len(AGAIN))
        again = AGAIN[claimed.attempts - 1] if retried and not given_up else None
        outcome = CallOutcome(
            delivered=delivered, status=answered.status, error=answered.error, again=again
        )
        await self._webhooks.record_outcome(claimed, outcome)
        failure = "given_up" if given_up else "failed"
        self._metrics.calls.labels("delivered" if delivered else failure).inc()
        if given_up:
            await self._webhooks.turn_off(claimed.webhook_id, "gone" if gone else "failed")
            log.warning(
                "webhook.delivery_abandoned", webhook=str(claimed.webhook_id), why=answered.error
            )

    async def _call(self, claimed: ClaimedDelivery) -> CallResult:
        try:
            content = await self._compose(claimed)
        except NotFound:
            return CallResult(error="unknown-entry")
        headers, body = webhook_payload(content, claimed.form)
        name = message_id(claimed.webhook_id, claimed.position)
        seconds = int(self._calling.now().timestamp())
        secrets = [secret for secret in (claimed.secret, claimed.old_secret) if secret is not None]
        headers = headers | sign_call(secrets, name, seconds, body)
        return await call(claimed.url, headers, body, self._calling.limits, self._calling.resolved)
