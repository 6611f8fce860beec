"""Periodic jobs over all clubs, whether or not they are in use."""

import asyncio
import time
from collections import deque
from uuid import UUID

import structlog
from msgspec import structs

from service.errors import CarnetError, StoreUnavailable
from service.feed.sequencer import LOOK_SECONDS
from service.store.club.clubs import ClubRow, entries_since, remove_ended, usage
from service.tenancy.club_factory import ClubFactory
from service.tenancy.clubs import Clubs

BACKUP_SECONDS = 300.0
# How often expired rows are removed.
CLEAN_SECONDS = 3_600.0
# How often standings checkpoints are updated.
STANDINGS_SECONDS = 300.0
CLUBS_A_LOOK = 50
LIST_SECONDS = 60.0
# The number of clubs in metrics, and the share of time that counting may take.
CLUBS_REPORTED_MAX = 100
COUNTING_SHARE = 0.01

log = structlog.get_logger(__name__)


class ClubJobs:
    """The periodic jobs of a process."""

    def __init__(self, clubs: Clubs, factory: ClubFactory) -> None:
        self._clubs = clubs
        self._factory = factory
        self._left: deque[UUID] = deque()

    async def backups(self) -> None:
        """Make due nightly backups of all clubs; only on the leading process."""
        if self._factory.shared.settings.backup_dir is None:
            return
        for club_id in await self._clubs.ids(samples=False):
            backups = self._factory.backups(club_id)
            try:
                if backups.folder is not None:
                    await backups.if_due(backups.folder)
            except (CarnetError, OSError) as error:
                log.warning("backup.failed", reason=str(error), club=str(club_id))

    async def clean(self) -> None:
        """Remove expired rows of all clubs; only on the leading process."""
        for club_id in await self._clubs.ids():
            await remove_ended(self._factory.shared.pool, club_id)

    async def standings(self) -> None:
        """Update the standings checkpoints of all clubs; only on the leading process."""
        for club_id in await self._clubs.ids():
            here = (
                services.people for services in self._clubs.active if services.club_id == club_id
            )
            await next(here, self._factory.people(club_id)).keep()

    async def feeds(self) -> None:
        """Extend the feeds of clubs without a sequencer here, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not await self.extend_feeds() and not self._left:
                await asyncio.sleep(LIST_SECONDS)

    async def usage(self) -> None:
        """Measure the usage of clubs and refresh their limits, until cancelled."""
        while True:
            began = time.monotonic()
            try:
                await self.count(await self._clubs.rows.all())
            except StoreUnavailable as error:
                log.warning("usage.database_unavailable", reason=str(error))
            took = time.monotonic() - began
            await asyncio.sleep(max(LIST_SECONDS, took / COUNTING_SHARE))

    async def count(self, rows: list[ClubRow]) -> None:
        shared, by_id = self._factory.shared, {row.club_id: row for row in rows}
        for services in self._clubs.active:
            await services.quota.refresh(by_id.get(services.club_id))
        clubs = [row.club_id for row in rows[:CLUBS_REPORTED_MAX]]
        shared.measured.clubs.set_clubs(len(rows), frozenset(map(str, clubs)))
        for club_id in clubs:
            held = await usage(shared.pool, club_id)
            shared.measured.clubs.set_sizes(str(club_id), structs.asdict(held))
            row = by_id[club_id]
            today = None if row.entries_a_day_max is None else await self._today(club_id)
            used = {
                "games": (held.games, row.games_max),
                "people": (held.people, row.people_max),
                "stored_bytes": (held.stored_bytes, row.bytes_max),
                "entries_a_day": (today or 0, row.entries_a_day_max),
            }
            shared.measured.clubs.set_limits(str(club_id), used)

    async def _today(self, club_id: UUID) -> int:
        day = self._factory.shared.now().replace(hour=0, minute=0, second=0, microsecond=0)
        return await entries_since(self._factory.shared.pool, club_id, day)

    async def extend_feeds(self) -> int:
        """Extend the feeds of some clubs without a sequencer here; return their number."""
        here = {services.club_id for services in self._clubs.active}
        if not self._left:
            self._left.extend(await self._clubs.ids())
        looked = 0
        while self._left and looked < CLUBS_A_LOOK:
            club_id = self._left.popleft()
            if club_id in here:
                continue
            looked += 1
            try:
                await self._factory.feed(club_id).extend()
            except StoreUnavailable:
                break  # other callers report the error
        return looked
