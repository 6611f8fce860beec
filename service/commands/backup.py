"""`carnet backup`: write everything into the folder of the backups, and keep the newest ones.

Promises: the same file that `carnet export` writes and `carnet import` takes, whole under its name
or not there at all. Exit status 0; 1: everything was written, but a chain is not whole.
"""

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from service.app import time_of_day
from service.commands.storage import open_database
from service.errors import SettingsError
from service.settings import settings_of_process
from service.store.backups_made import BackupsMade
from service.store.records import DEFAULT_CLUB
from service.transfer.backups import BackupFolder
from service.transfer.everything import Everything


def run(arguments: Namespace) -> int:
    """Make a backup; return the exit status.

    Raises: SettingsError (no folder is named)
    """
    settings = settings_of_process()
    given = Path(arguments.folder).absolute() if arguments.folder else settings.backup_dir
    if given is None:
        raise SettingsError("CARNET_BACKUP_DIR", "nothing", "a folder, or one as DIR")
    return asyncio.run(_made(BackupFolder(given, settings.backups_kept, time_of_day)))


async def _made(folder: BackupFolder) -> int:
    async with open_database() as database:
        path, written = await folder.make(Everything(database.url, database.pool))
        await BackupsMade(database.pool, DEFAULT_CLUB).note("folder", written.games)
    sys.stdout.write(f"{path}: {written.games} games, {written.players} people\n")
    if written.broken:
        sys.stderr.write(f"{written.broken} games are not whole: `carnet verify` names them\n")
    return 1 if written.broken else 0
