"""Tells webhooks what was recorded: dealt out from the feed, called, repeated, given up.

Promises: everything that a webhook asks for is sent at least once, with the same id however often,
and each game in order; what fails is tried again for a day, and then the webhook is turned off and
its owner told. Every process of the service is a deliverer: a call is claimed by one of them for
`CLAIM_SECONDS`, so that none that died is waited for longer. A store that does not answer is asked
again; one without webhooks is not asked until somebody rings. Assumes one event loop.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeAlias
from uuid import UUID

import structlog
from msgspec import Struct

from service.errors import NotFound, StoreUnavailable
from service.feed.addresses import Resolve, check_callable, resolve
from service.feed.call_metrics import CallMetrics
from service.feed.calls import Answered, CallLimits, call
from service.feed.sequencer import Sequencer
from service.feed.webhook_forms import WebhookContent, written
from service.feed.webhook_signatures import message_id, signed
from service.store.feed.webhook_records import CallOutcome, Claimed, NewWebhook
from service.store.feed.webhooks import Webhooks
from service.tasks import ended

# After how long a call that failed is made again: a day in all.
AGAIN = tuple(
    timedelta(seconds=one) for one in (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000)
)
CALLS_AT_ONCE = 8
WEBHOOKS_MAX = 20
# How long calls are signed by the secret before, too, once there is another one.
SECRETS_OVERLAP = timedelta(days=1)
CALLS_LISTED_MAX = 200
CLAIM_SECONDS = 60.0
# How long what another process noted may be unknown here.
LOOK_SECONDS = 5.0
# How often it is looked whether another process is done with what was asked for here.
SETTLED_SECONDS = 0.05
GONE = 410

Tell: TypeAlias = Callable[[Claimed], Awaitable[WebhookContent]]

log = structlog.get_logger(__name__)


class TooManyWebhooks(Exception):  # noqa: N818 -- named by its fact
    """A club has `WEBHOOKS_MAX` of them."""


class Calling(Struct, frozen=True, kw_only=True):
    """What calls are made with: where they may go, how names are resolved, the time of day."""

    limits: CallLimits
    now: Callable[[], datetime]
    measured: CallMetrics
    resolved: Resolve = resolve


class Deliverer:
    """Tells the webhooks of one club for as long as it runs."""

    def __init__(self, webhooks: Webhooks, tell: Tell, calling: Calling) -> None:
        self._webhooks = webhooks
        self._tell = tell
        self._calling = calling
        self._measured = calling.measured
        self._rung = asyncio.Event()
        self._hooks = True
        # Webhooks that were given up, as it was last seen: what an owner is told of.
        self.given_up = 0

    async def add(self, made: NewWebhook) -> None:
        """Add a webhook, told what is recorded from now on.

        Raises: BadUrl, AddressRefused, TooManyWebhooks, NotFound (the game is not there)
        """
        await self.check_url(made.url)
        if len(await self._webhooks.all()) >= WEBHOOKS_MAX:
            raise TooManyWebhooks
        await self._webhooks.create(made)
        self.ring()

    async def check_url(self, url: str) -> None:
        """Refuse an address that would never be called.

        Raises: BadUrl, AddressRefused
        """
        await check_callable(url, self._calling.limits.allowed, self._calling.resolved)

    def ring(self) -> None:
        """Look soon: there is a webhook, or something is to be sent."""
        self._hooks = True
        self._rung.set()

    async def run(self, sequencer: Sequencer) -> None:
        """Deliver until cancelled."""
        answered = True
        while True:
            self._rung.clear()
            # Begun before the look, so that nothing is missed between the two.
            awaited = [asyncio.ensure_future(one) for one in (self._rung.wait(), sequencer.moved())]
            try:
                await self.look()
                answered = True
                if not self._hooks:
                    # What is recorded costs those nothing who have nobody to tell of it.
                    await self._rung.wait()
                    continue
                await asyncio.wait(
                    awaited, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
            except StoreUnavailable as error:
                if answered:
                    log.warning("webhooks.wait", reason=str(error))
                answered = False
                await asyncio.sleep(LOOK_SECONDS)
            finally:
                await ended(*awaited)

    async def look(self) -> None:
        """Deal out what is new, and make every call that is due."""
        while True:
            dealt = await self._webhooks.tell()
            self._hooks = dealt.hooks > 0
            self._measured.off.inc(dealt.failed - self.given_up)
            self.given_up = dealt.failed
            claimed = (
                await self._webhooks.claim(CALLS_AT_ONCE, CLAIM_SECONDS) if dealt.hooks else []
            )
            if claimed:
                await asyncio.gather(*map(self._deliver, claimed))
            elif not dealt.behind:
                return

    async def settle(self, webhook_id: UUID) -> None:
        """Make the calls that were asked for by hand, or wait for whoever is making them."""
        await self.look()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._calling.limits.seconds):
                while await self._webhooks.waits(webhook_id):  # noqa: ASYNC110 -- another process
                    await asyncio.sleep(SETTLED_SECONDS)

    async def _deliver(self, claimed: Claimed) -> None:
        answered = await self._called(claimed)
        delivered = answered.error is None
        given_up = not delivered and not claimed.by_hand and self._is_last(claimed, answered)
        again = None
        if not (delivered or given_up or claimed.by_hand):
            again = AGAIN[claimed.attempts - 1]
        outcome = CallOutcome(
            delivered=delivered, status=answered.status, error=answered.error, again=again
        )
        await self._webhooks.done(claimed, outcome)
        word = "delivered" if delivered else "given_up" if given_up else "failed"
        self._measured.calls.labels(word).inc()
        if given_up:
            gone = answered.status == GONE
            await self._webhooks.turn_off(claimed.webhook_id, "gone" if gone else "failed")
            log.warning("webhook.given_up", webhook=str(claimed.webhook_id), why=answered.error)

    async def _called(self, claimed: Claimed) -> Answered:
        try:
            told = await self._tell(claimed)
        except NotFound:
            return Answered(error="unknown-entry")
        headers, body = written(told, claimed.form)
        name = message_id(claimed.webhook_id, claimed.position)
        seconds = int(self._calling.now().timestamp())
        secrets = [one for one in (claimed.secret, claimed.old_secret) if one is not None]
        headers = headers | signed(secrets, name, seconds, body)
        return await call(claimed.url, headers, body, self._calling.limits, self._calling.resolved)

    def _is_last(self, claimed: Claimed, answered: Answered) -> bool:
        return claimed.attempts > len(AGAIN) or answered.status == GONE
