"""Gives what is recorded its place in the feed, and wakes those who wait for it.

Promises: an entry that this process stored is in the feed some hundredths of a second later; one
whose writer died at once after it, within `LOOK_SECONDS` and whatever process is left. Every
process of the service is a sequencer: who does the work is settled anew each time, by a lock that
lasts as long as one statement, so that none that died or stands still is waited for. A store that
does not answer is asked again. Assumes one event loop, and a pool of its own: it takes no
connection from those who record.
"""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from service.errors import StoreUnavailable
from service.feed.call_metrics import CallMetrics
from service.store.feed.positions import Feed

# How long what was stored elsewhere may be unknown here: to nobody in particular, and to followers.
LOOK_SECONDS = 2.0
FOLLOWED_SECONDS = 0.5
# What is stored within this time gets its places together.
GATHER_SECONDS = 0.05

log = structlog.get_logger(__name__)


class FeedMetrics:
    """What Prometheus is told of the feed, and of the calls to webhooks that follow it."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.calls = CallMetrics(registry)
        self.entries = Counter(
            "carnet_feed_entries", "Entries given their place in the feed", registry=registry
        )
        self.lag = Histogram(
            "carnet_feed_lag_seconds",
            "From an entry's being recorded to its place in the feed, the oldest of each call",
            buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 3600),
            registry=registry,
        )


class Sequencer:
    """Extends one club's feed for as long as it runs."""

    def __init__(self, feed: Feed, measured: FeedMetrics, now: Callable[[], datetime]) -> None:
        self._feed = feed
        self._measured = measured
        self._now = now
        self._stored = asyncio.Event()
        self._moved = asyncio.Event()
        self._followers = 0
        self._head = 0

    def ring(self) -> None:
        """Look soon: something was stored."""
        self._stored.set()

    def heard(self) -> None:
        """Look soon where somebody waits: another process stored something."""
        if self._followers:
            self._stored.set()

    async def run(self) -> None:
        """Extend the feed until cancelled."""
        answered = True
        while True:
            try:
                await self.look()
                answered = True
            except StoreUnavailable as error:
                if answered:
                    log.warning("feed.waits", reason=str(error))
                answered = False
            await self._pause()

    async def look(self) -> None:
        """Give places to what has none, and wake whoever waits for them."""
        extended = await self._feed.extend()
        if extended.added is None:
            # Who is at it may have looked before what we were rung for.
            self._stored.set()
        elif extended.added and extended.oldest is not None:
            self._measured.entries.inc(extended.added)
            lag = (self._now() - extended.oldest).total_seconds()
            self._measured.lag.observe(max(0.0, lag))
        # Less than before: somebody put an older database in this one's place.
        if extended.head != self._head:
            self._head = extended.head
            moved, self._moved = self._moved, asyncio.Event()
            moved.set()

    async def beyond(self, position: int, seconds_max: float) -> bool:
        """Wait until the feed goes beyond a position; False: it did not within `seconds_max`."""
        self._followers += 1
        try:
            # Whoever comes first makes it look more often from now on.
            if self._followers == 1:
                self._stored.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds_max):
                    while self._head <= position:
                        await self._moved.wait()
        finally:
            self._followers -= 1
        return self._head > position

    @property
    def followed(self) -> bool:
        """Whether somebody waits for what comes."""
        return self._followers > 0

    async def moved(self) -> None:
        """Wait until the feed is seen to go on."""
        await self._moved.wait()

    async def _pause(self) -> None:
        seconds = FOLLOWED_SECONDS if self._followers else LOOK_SECONDS
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stored.wait()
        await asyncio.sleep(GATHER_SECONDS)
        self._stored.clear()
