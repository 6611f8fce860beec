"""`carnet key`: make a new owner's key; a stored or given one cannot be shown."""

import asyncio
import sys
from argparse import Namespace

from service.access.secrets import token_hash
from service.commands.support.every_club import open_storage, selected_club
from service.commands.support.link import owner_link, reachable_host, show_link
from service.nondeterminism import new_key
from service.settings import settings_of_process
from service.store.access.grants import Grants
from service.store.club.clubs import ClubRows


def run(arguments: Namespace) -> int:
    settings = settings_of_process()
    if settings.owner_key_hash is not None and arguments.club is None:
        return _refuse("the key is set by CARNET_OWNER_KEY: read or change it there")
    if not arguments.new:
        return _refuse("only a hash of the owner's key is stored; --new makes a new key")
    key = asyncio.run(_replace_key(arguments.club))
    show_link(
        "The owner's new link, shown only once; the old link no longer works:",
        owner_link(reachable_host(settings.host), settings.port, key, settings.scheme),
    )
    return 0


def _refuse(message: str) -> int:
    sys.stderr.write(f"carnet key: {message}\n")
    return 1


async def _replace_key(club: str | None) -> str:
    async with open_storage() as pool:
        club_id = (await selected_club(ClubRows(pool), club)).club_id
        key = new_key(club_id)
        await Grants(pool, club_id).replace_owner_key(token_hash(key))
        return key
