"""`carnet key`: show the link of the owner again, or make a new key."""

import asyncio
import sys
from argparse import Namespace

from service.access.secrets import token_hash
from service.commands.support.every_club import open_storage, selected_club
from service.commands.support.link import EVERYWHERE, owner_link, reachable_host, show_link
from service.commands.support.owner_key import store_key, stored_key
from service.nondeterminism import new_key
from service.settings import Settings, settings_of_process
from service.store.access.grants import Grants
from service.store.club.clubs import ClubRows
from service.store.records import DEFAULT_CLUB

_OTHER_CLUB = "only the key of the first club is stored here; --new makes a new one"
_NOT_HERE = "the owner's key is not stored on this machine; --new makes a new one"


def run(arguments: Namespace) -> int:
    settings = settings_of_process()
    if settings.owner_key_hash is not None and arguments.club is None:
        return _refuse("the key is set by CARNET_OWNER_KEY: read or change it there")
    if arguments.new:
        key = asyncio.run(_replace_key(settings, arguments.club))
        heading = "The owner's new link; the old link no longer works:"
    else:
        if arguments.club is not None:
            return _refuse(_OTHER_CLUB)
        valid_key = asyncio.run(_valid_key(settings))
        if valid_key is None:
            return _refuse(_NOT_HERE)
        key, heading = valid_key, "The owner's link; anyone who has it is the owner:"
    host = reachable_host(EVERYWHERE if arguments.lan else settings.host)
    show_link(heading, owner_link(host, settings.port, key, settings.scheme))
    return 0


def _refuse(message: str) -> int:
    sys.stderr.write(f"carnet key: {message}\n")
    return 1


async def _valid_key(settings: Settings) -> str | None:
    """Return the stored key, None if it was replaced or there is none."""
    key = stored_key(settings.data_dir)
    if key is None:
        return None
    async with open_storage() as pool:
        club_id = (await selected_club(ClubRows(pool), None)).club_id
        valid = await Grants(pool, club_id).owner_key_hash()
    return key if valid == token_hash(key) else None


async def _replace_key(settings: Settings, club: str | None) -> str:
    async with open_storage() as pool:
        club_id = (await selected_club(ClubRows(pool), club)).club_id
        key = new_key(club_id)
        await Grants(pool, club_id).replace_owner_key(token_hash(key))
    if club_id == DEFAULT_CLUB:
        store_key(settings.data_dir, key)
    return key
