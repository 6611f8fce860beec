"""The clubs of a process, created at their first request."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

from msgspec import Struct

from service.access.secrets import club_of_secret, token_hash
from service.access.throttle import FailedLogins
from service.errors import StoreUnavailable
from service.store.club.clubs import ClubRows
from service.tasks import start_for_all
from service.tenancy.club_services import ClubServices

IDLE_CLUBS_MAX = 500

Make = Callable[[UUID, AsyncExitStack], Coroutine[Any, Any, ClubServices]]


class _ClubEntry(Struct, frozen=True, kw_only=True):
    services: ClubServices
    ending: AsyncExitStack


class Clubs:
    """The clubs of a process. `make` creates the services of one with its background tasks."""

    def __init__(
        self, first: ClubServices, rows: ClubRows, failed_logins: FailedLogins, make: Make
    ) -> None:
        self.first = first
        self.rows = rows
        self._failed_logins = failed_logins
        self._make = make
        self._kept: OrderedDict[UUID, _ClubEntry] = OrderedDict()
        self._making = asyncio.Lock()

    @property
    def active(self) -> list[ClubServices]:
        return [self.first, *(entry.services for entry in self._kept.values())]

    async def find_by_secret(self, secret: str, client: str) -> ClubServices:
        """Return the club that a secret names, the first one if it names none."""
        club_id = club_of_secret(secret)
        if club_id is None or club_id == self.first.club_id:
            return self.first
        if self.first.identities.is_configured_key(token_hash(secret)):
            return self.first
        services = self._cached_services(club_id)
        if services is None:
            async with self._failed_logins.checking(client):
                services = await self.of(club_id)
        return services or self.first

    async def of(self, club_id: UUID) -> ClubServices | None:
        if club_id == self.first.club_id:
            return self.first
        async with self._making:
            if (cached := self._cached_services(club_id)) is not None:
                return cached
            if await self.rows.find(club_id) is None:
                return None
            ending = AsyncExitStack()
            try:
                # Its background tasks stay after the request of whoever opened it.
                services = await start_for_all(self._make(club_id, ending))
            except BaseException:
                await ending.aclose()
                raise
            self._kept[club_id] = _ClubEntry(services=services, ending=ending)
            await self._make_room()
            return services

    async def end_one(self, club_id: UUID) -> None:
        """Stop the services of a club that is removed."""
        services = self._kept.pop(club_id, None)
        if services is not None:
            await services.ending.aclose()

    async def ids(self, *, samples: bool = True) -> list[UUID]:
        """List all clubs of the installation; only the first one while the store is unavailable.

        `samples`: those of sample games too.
        """
        try:
            rows = await self.rows.all()
            return [row.club_id for row in rows if samples or row.sample_of is None]
        except StoreUnavailable:
            return [self.first.club_id]

    async def end(self) -> None:
        while self._kept:
            await self._kept.popitem()[1].ending.aclose()

    def _cached_services(self, club_id: UUID) -> ClubServices | None:
        services = self._kept.get(club_id)
        if services is None:
            return None
        self._kept.move_to_end(club_id)
        return services.services

    async def _make_room(self) -> None:
        idle = [club_id for club_id, services in self._kept.items() if not services.services.busy][
            :-1
        ]
        for club_id in idle[: max(0, len(self._kept) - IDLE_CLUBS_MAX)]:
            await self._kept.pop(club_id).ending.aclose()
