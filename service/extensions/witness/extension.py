"""The signed heads of a process."""

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import ClassVar
from uuid import UUID

import structlog

from service.errors import CarnetError
from service.extension import Extension
from service.extensions.witness import api
from service.extensions.witness.exporting import heads_in_export
from service.extensions.witness.heads import FeedHeads
from service.extensions.witness.keys import HeadKeys
from service.extensions.witness.signing import HOUR_SECONDS, feed_heads, keep
from service.tenancy.club_services import ClubServices, SharedServices
from service.tenancy.clubs import Clubs

log = structlog.get_logger(__name__)


def club_heads(shared: SharedServices, club_id: UUID) -> FeedHeads:
    return feed_heads(shared.pool, shared.settings.data_dir, club_id, shared.new_seed)


class WitnessExtension(Extension):
    """Sign heads from the first request for one on; that request creates the key."""

    tags: ClassVar = {"heads": "What the feed came to, signed, and proofs of what it holds"}
    api: ClassVar = {"heads": (api.show_head, api.show_consistency, api.show_inclusion)}
    dependencies: ClassVar = ("heads",)

    def __init__(self, shared: SharedServices) -> None:
        super().__init__(shared)
        self.export_part = heads_in_export(shared.settings.data_dir)

    def open_club(self, club: ClubServices, ending: AsyncExitStack) -> None:
        del ending
        club.extensions["heads"] = club_heads(self.shared, club.club_id)

    def jobs(self, clubs: Clubs) -> Iterable[Awaitable[None]]:
        return (self._sign(clubs),)

    async def _sign(self, clubs: Clubs) -> None:
        """Sign the head of every club, each hour."""
        settings = self.shared.settings
        keys = HeadKeys(settings.data_dir, self.shared.new_seed)
        while True:
            wanted = keys.made or settings.heads_file is not None
            for club_id in await clubs.ids() if wanted else ():
                file = self._file(club_id, clubs.first.club_id)
                try:
                    await keep(club_heads(self.shared, club_id), file)
                except (CarnetError, OSError) as error:
                    log.warning("heads.not_saved", reason=str(error), club=str(club_id))
            await asyncio.sleep(HOUR_SECONDS)

    def _file(self, club_id: UUID, first: UUID) -> Path | None:
        file = self.shared.settings.heads_file
        if file is None or club_id == first:
            return file
        return file.with_name(f"{file.stem}-{club_id}{file.suffix}")
