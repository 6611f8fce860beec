"""Creates the services and background tasks of a club."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from service.club.people import People
from service.club.temporary_files import TemporaryFiles
from service.feed.coordination import NoticeKind
from service.feed.sequencer import FeedMetrics, Sequencer
from service.store.club.backups import BackupsMade
from service.store.club.clubs import ClubRows
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed
from service.store.read_models.projections import GameIndex
from service.tasks import cancel_and_wait
from service.tenancy.club_services import ClubServices, ClubTasks, SharedServices, make_services
from service.tenancy.folders import club_folder
from service.transfer.backups import BackupFolder, Backups
from service.transfer.everything import Everything, ExportPart

# How long an uploaded file waits to be previewed and imported.
BROUGHT_SECONDS = 3_600.0


class ClubFactory(Struct, frozen=True, kw_only=True):
    """Creates the services of clubs.

    `owner`: the address for the database's owner, None: unknown to this process; `feed_pool`: a
    connection for sequencers only; `given_key`: the hash of the first club's owner's key from the
    settings; `extend`: adds the services of extensions to those of a club.
    """

    shared: SharedServices
    owner: str | None
    feed_pool: Pool
    measured: FeedMetrics
    first: UUID
    given_key: bytes | None
    new_file_name: Callable[[], str]
    extend: Sequence[Callable[[ClubServices, AsyncExitStack], None]]
    export_part: ExportPart | None

    async def make(self, club_id: UUID, ending: AsyncExitStack) -> ClubServices:
        first = club_id == self.first
        row = await ClubRows(self.shared.pool).find(club_id)
        tasks = ClubTasks(
            first=first,
            sample_of=row.sample_of if row is not None else None,
            subscribe=partial(self._subscribe, ending),
            given_key=self.given_key if first else None,
            sequencer=self._sequencer(club_id, ending),
            exported=await self._exports(club_id, ending),
            uploads=await self._uploads(club_id, ending),
            backups=self.backups(club_id),
        )
        services = make_services(self.shared, club_id, tasks)
        await ending.enter_async_context(services.import_runs.closing())
        await services.quota.refresh()
        for extend in self.extend:
            extend(services, ending)
        return services

    def feed(self, club_id: UUID) -> Feed:
        return Feed(self.feed_pool, club_id)

    def people(self, club_id: UUID) -> People:
        return People(GameIndex(self.shared.pool, club_id))

    def backups(self, club_id: UUID) -> Backups:
        settings, folder = self.shared.settings, None
        if settings.backup_dir is not None:
            path = self._folder(settings.backup_dir, club_id)
            folder = BackupFolder(path, settings.backups_kept, self.shared.now)
        pool = self.shared.pool
        everything = Everything(self.owner, pool, self.export_part, club_id)
        return Backups(everything, BackupsMade(pool, club_id), folder)

    def _subscribe(
        self, ending: AsyncExitStack, kind: NoticeKind, callback: Callable[[str], None]
    ) -> None:
        ending.callback(self.shared.coordination.subscribe(kind, callback))

    def _sequencer(self, club_id: UUID, ending: AsyncExitStack) -> Sequencer:
        sequencer = Sequencer(self.feed(club_id), self.measured, self.shared.now)
        ending.push_async_callback(cancel_and_wait, asyncio.ensure_future(sequencer.run()))
        return sequencer

    async def _exports(self, club_id: UUID, ending: AsyncExitStack) -> TemporaryFiles:
        folder = self._folder(self.shared.settings.data_dir, club_id) / "exports"
        files = TemporaryFiles(folder, self.shared.seconds, self.new_file_name)
        await ending.enter_async_context(files.cleaning())
        return files

    async def _uploads(self, club_id: UUID, ending: AsyncExitStack) -> TemporaryFiles:
        """Return the uploads of a club, which survive a restart: imports go on with them."""
        folder = self._folder(self.shared.settings.data_dir, club_id) / "brought"
        now = self.shared.now
        files = TemporaryFiles(
            folder, lambda: now().timestamp(), self.new_file_name, BROUGHT_SECONDS, durable=True
        )
        await ending.enter_async_context(files.cleaning())
        return files

    def _folder(self, folder: Path, club_id: UUID) -> Path:
        return club_folder(folder, club_id, first=club_id == self.first)
