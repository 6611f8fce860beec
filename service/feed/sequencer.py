"""Assigns positions of the feed to new entries, and wakes followers.

Promises: an entry stored by this process is in the feed some hundredths of a second later; one
whose writer died is in it within `LOOK_SECONDS`, on whatever process is left. Every process is a
sequencer: a lock that lasts one statement decides each time, so that a dead or frozen one blocks
nothing. Assumes one event loop, and a pool of its own.
"""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from service.errors import StoreUnavailable
from service.store.feed.positions import Feed

# How long an entry stored elsewhere may be unknown here, without and with followers.
LOOK_SECONDS = 2.0
FOLLOWED_SECONDS = 0.5
# Entries stored within this time get their positions together.
GATHER_SECONDS = 0.05

log = structlog.get_logger(__name__)


class FeedMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
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
    def __init__(self, feed: Feed, measured: FeedMetrics, now: Callable[[], datetime]) -> None:
        self._feed = feed
        self._measured = measured
        self._now = now
        self._stored = asyncio.Event()
        self._moved = asyncio.Event()
        self._followers = 0
        self._head = 0

    def wake(self) -> None:
        """Wake the sequencer: an entry was stored here."""
        self._stored.set()

    def wake_for_followers(self) -> None:
        """Wake the sequencer if there are followers: another process stored an entry."""
        if self._followers:
            self._stored.set()

    async def run(self) -> None:
        """Extend the feed until cancelled."""
        answered = True
        while True:
            try:
                await self.extend_feed()
                answered = True
            except StoreUnavailable as error:
                if answered:
                    log.warning("feed.database_unavailable", reason=str(error))
                answered = False
            seconds = FOLLOWED_SECONDS if self._followers else LOOK_SECONDS
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._stored.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._stored.clear()

    async def extend_feed(self) -> None:
        """Assign positions to new entries and wake followers."""
        extended = await self._feed.extend()
        if extended.added is None:
            # The process at work may have looked before the entry that woke us.
            self._stored.set()
        elif extended.added and extended.oldest is not None:
            self._measured.entries.inc(extended.added)
            lag = (self._now() - extended.oldest).total_seconds()
            self._measured.lag.observe(max(0.0, lag))
        # It shrank: an older database replaced this one.
        if extended.head != self._head:
            self._head = extended.head
            moved, self._moved = self._moved, asyncio.Event()
            moved.set()

    async def wait_beyond(self, position: int, seconds_max: float) -> bool:
        """Wait until the feed passes a position; False if it did not within `seconds_max`."""
        self._followers += 1
        try:
            # The first follower makes the sequencer look more often.
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
        return self._followers > 0

    async def moved(self) -> None:
        await self._moved.wait()
