"""`carnet backup`: write everything into the backup folder, and keep the newest backups."""

import asyncio
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

from service.commands.support.every_club import for_each_club, open_database, selected_club
from service.errors import SettingsError
from service.extensions.witness.exporting import heads_in_export
from service.nondeterminism import time_of_day
from service.settings import Settings, settings_of_process
from service.store.club.backups import BackupsMade
from service.store.club.clubs import ClubRows
from service.tenancy.folders import club_folder
from service.transfer.backups import BackupFolder
from service.transfer.everything import Everything


def run(arguments: Namespace) -> int:
    settings = settings_of_process()
    given = Path(arguments.folder).absolute() if arguments.folder else settings.backup_dir
    if given is None:
        raise SettingsError("CARNET_BACKUP_DIR", "nothing", "a folder, or one as DIR")
    made = partial(_make_backup, given, settings, arguments.all_clubs)
    return asyncio.run(for_each_club(arguments, made))


async def _make_backup(
    given: Path,
    settings: Settings,
    every: bool,  # noqa: FBT001 -- bound by a partial
    jobs: int,
    club: str | None,
) -> int:
    del jobs  # one club is written by one process
    async with open_database() as database:
        row = await selected_club(ClubRows(database.pool), club)
        club_id = row.club_id
        if row.sample_of is not None:
            sys.stdout.write("sample games are not backed up\n")
            return 0
        place = club_folder(given, club_id, first=row.is_first) if every else given
        folder = BackupFolder(place, settings.backups_kept, time_of_day)
        path, written = await folder.make(
            Everything(
                database.reached.owner,
                database.pool,
                heads_in_export(settings.data_dir),
                club_id,
            )
        )
        await BackupsMade(database.pool, club_id).note("folder", written.games)
    sys.stdout.write(f"{path}: {written.games} games, {written.players} people\n")
    if written.broken:
        sys.stderr.write(
            f"{written.broken} games have a broken hash chain: `carnet verify` names them\n"
        )
    return 1 if written.broken else 0
