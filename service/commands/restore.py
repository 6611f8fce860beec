"""`carnet restore`: bring a whole installation back from its backups, rights included."""

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from service.commands.importing import import_file
from service.commands.support.every_club import open_database
from service.errors import CarnetError, StartupError
from service.store.connection.pool import owner_session
from service.transfer.backup_contents import BackupContents, read_backup

_OTHERS = (
    "Here are games, people or links that are not in the backup. A backup restores an empty"
    " installation; `carnet import {file}` adds its games and people to this one."
)


def run(arguments: Namespace) -> int:
    return asyncio.run(_restore_all(_backups_in(Path(arguments.file)), arguments.jobs))


async def _restore_all(files: list[Path], jobs: int) -> int:
    # Everything is read before anything is stored.
    backups = [(file, _read(file)) for file in files]
    status = 0
    async with open_database() as database:
        if database.reached.owner is None:
            raise StartupError(
                "Only the database's owner can restore", "Set CARNET_DATABASE_OWNER_URL"
            )
        async with owner_session(database.reached.owner) as conn:
            for file, contents in backups:
                if await contents.refuses(conn):
                    raise CarnetError(_OTHERS.format(file=file))
            for _, contents in backups:
                await contents.restore_rows(conn)
        for file, contents in backups:
            if len(files) > 1:
                sys.stdout.write(f"{file}:\n")
            status |= await import_file(str(file), jobs, str(contents.club_id))
            async with owner_session(database.reached.owner) as conn:
                await contents.after_games(conn)
    sys.stdout.write(_WHAT_GOES_ON)
    return status


_WHAT_GOES_ON = (
    "Phones that were signed in, links, tokens and the owner's key work here as before, at the"
    " address that they know.\n"
)


def _read(file: Path) -> BackupContents:
    try:
        with file.open("rb") as stream:
            return read_backup(stream)
    except OSError as error:
        raise CarnetError(f"{file} cannot be read: {error.strerror or error}") from error


def _backups_in(place: Path) -> list[Path]:
    """Return the file, or the newest backup of each club in the folder."""
    if not place.is_dir():
        return [place]
    newest: dict[Path, Path] = {}
    for path in sorted(place.glob("**/carnet-*.jsonl")):
        newest[path.parent] = path  # names are times
    if not newest:
        raise CarnetError(f"{place} contains no backup (carnet-*.jsonl)")
    return list(newest.values())
