"""Quotas of a club, counted beside its log."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from uuid import UUID

from service.errors import CarnetError, QuotaReached, StoreUnavailable
from service.store.club.clubs import ClubRow, ClubRows, entries_since, usage
from service.store.connection.pool import Pool

# The maximal age of a count that refuses a write: people are forgotten, limits raised.
REFUSED_SECONDS = 2.0


class QuotaReservation:
    """A reserved amount. It counts until it is known that nothing was `used`."""

    def __init__(self) -> None:
        self.used = True


class Quota:
    def __init__(
        self,
        pool: Pool,
        club_id: UUID,
        seconds: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        self._pool = pool
        self._club_id = club_id
        self._seconds = seconds
        self._now = now
        self._known = False
        self._limits: dict[str, int] = {}
        self._day = date.min
        self._used: Counter[str] = Counter()
        # Amounts being stored, and those that a running count may or may not include.
        self._under_way: Counter[str] = Counter()
        self._meanwhile: Counter[str] = Counter()
        self._counting = asyncio.Lock()
        self._counted_at = -REFUSED_SECONDS

    @property
    def limited(self) -> bool:
        return bool(self._limits) or not self._known

    def invalidate(self) -> None:
        """Read changed limits before the next write."""
        self._known = False

    @asynccontextmanager
    async def reserve(self, **wanted: int) -> AsyncGenerator[QuotaReservation]:
        """Reserve games, entries, people and bytes while they are being stored."""
        if not self._known:
            await self.refresh()
        beyond = self._exceeded_limit(wanted)
        if beyond is not None and self._seconds() - self._counted_at >= REFUSED_SECONDS:
            await self.refresh()
            beyond = self._exceeded_limit(wanted)
        if beyond is not None:
            raise QuotaReached(beyond, self._limits[beyond])
        for counter in (self._used, self._under_way, self._meanwhile):
            counter.update(wanted)
        room = QuotaReservation()
        try:
            yield room
        except StoreUnavailable:
            raise  # it may be stored
        except CarnetError:
            room.used = False
            raise
        finally:
            self._under_way.subtract(wanted)
            if not room.used:
                self._used.subtract(wanted)
                self._meanwhile.subtract(wanted)

    async def refresh(self, row: ClubRow | None = None) -> None:
        """Read the limits, and count again if there are any. `row`: the club's."""
        async with self._counting:
            self._known = True
            try:
                limits = _limits(row or await ClubRows(self._pool).find(self._club_id))
                if limits:
                    self._meanwhile = self._under_way.copy()
                    counted = await self._count(a_day="entries" in limits)
                    self._used = counted + self._meanwhile
                    self._counted_at = self._seconds()
                self._limits = limits
            except BaseException:
                self._known = False
                raise

    async def _count(self, *, a_day: bool) -> Counter[str]:
        self._day = self._today()
        midnight = datetime(self._day.year, self._day.month, self._day.day, tzinfo=UTC)
        held = await usage(self._pool, self._club_id)
        return Counter(
            games=held.games,
            people=held.people,
            bytes=held.stored_bytes,
            entries=await entries_since(self._pool, self._club_id, midnight) if a_day else 0,
        )

    def _exceeded_limit(self, wanted: dict[str, int]) -> str | None:
        if self._today() != self._day:
            self._day = self._today()
            self._used["entries"] = 0
        for what, most in self._limits.items():
            if wanted.get(what) and self._used[what] + wanted[what] > most:
                return what
        return None

    def _today(self) -> date:
        return self._now().astimezone(UTC).date()


def _limits(row: ClubRow | None) -> dict[str, int]:
    if row is None:
        return {}
    limits = {
        "games": row.games_max,
        "entries": row.entries_a_day_max,
        "people": row.people_max,
        "bytes": row.bytes_max,
    }
    return {what: most for what, most in limits.items() if most is not None}
