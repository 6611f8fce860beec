"""Sample games in a club of their own, so that they never mix with a household's games."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from uuid import UUID

from service.access.secrets import token_hash
from service.errors import StartupError
from service.store.club.changes import ClubChanges
from service.store.connection.pool import owner_session
from service.tenancy.club_services import ClubServices
from service.tenancy.clubs import Clubs
from service.transfer.sample_games import sample_games
from service.transfer.upload_jobs import ImportableGame


class SampleClubs:
    """Adds and removes clubs of sample games. `owner`: see `ClubFactory`."""

    def __init__(
        self,
        clubs: Clubs,
        owner: str | None,
        now: Callable[[], datetime],
        new_id: Callable[[], UUID],
        new_key: Callable[[UUID], str],
    ) -> None:
        self._clubs = clubs
        self._owner = owner
        self._now = now
        self._new_id = new_id
        self._new_key = new_key
        self._adding = asyncio.Lock()

    @property
    def offered(self) -> bool:
        return self._owner is not None

    async def open(self, of: UUID, name: str) -> ClubServices:
        """Return the sample club of a club; add and fill it if there is none.

        Raises: StartupError (this process may not add clubs)
        """
        async with self._adding:
            for row in await self._clubs.rows.all():
                if row.sample_of == of and (club := await self._clubs.of(row.club_id)) is not None:
                    return club
            return await self._add(of, name)

    async def make_key(self, of: UUID) -> str:
        """Return a new owner key of the sample club of a club; earlier ones open nothing."""
        club = await self.open(of, "Sample games")
        key = self._new_key(club.club_id)
        await club.grants.replace_owner_key(token_hash(key))
        return key

    async def remove(self, club_id: UUID) -> None:
        await self._clubs.end_one(club_id)
        async with owner_session(self._owners_url()) as conn:
            await ClubChanges(conn).remove(club_id)

    async def _add(self, of: UUID, name: str) -> ClubServices:
        club_id = self._new_id()
        key_hash = token_hash(self._new_key(club_id))
        async with owner_session(self._owners_url()) as conn:
            await ClubChanges(conn).add(club_id, name, key_hash, sample_of=of)
        club = await self._clubs.of(club_id)
        if club is None:
            raise RuntimeError("the club was removed while it was filled")
        async for _ in club.imports.import_games(self._games(club_id), None, {}):
            pass
        return club

    async def _games(self, club_id: UUID) -> AsyncIterator[ImportableGame]:
        games = sample_games(club_id, self._now())
        while (game := await asyncio.to_thread(next, games, None)) is not None:
            yield game

    def _owners_url(self) -> str:
        if self._owner is None:
            raise StartupError(
                "Only the database's owner changes clubs", "Set CARNET_DATABASE_OWNER_URL"
            )
        return self._owner
