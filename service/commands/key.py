"""`carnet key`: show the owner's link again, or make a new one."""

import asyncio
import sys
from argparse import Namespace

from service.access.secrets import token_hash
from service.commands.support.club_chosen import chosen
from service.commands.support.link import owner_link, reachable_host, show_link
from service.commands.support.storage import open_storage
from service.nondeterminism import new_key
from service.settings import Settings, settings_of_process
from service.store.access.owner_key import OwnerKey
from service.store.club.clubs import ClubRows


def run(arguments: Namespace) -> int:
    """Show the owner's link; return 1 where there is none to show."""
    settings = settings_of_process()
    if settings.owner_key is not None and arguments.club is None:
        if arguments.new:
            _say("the key is set by CARNET_OWNER_KEY: change it there, and start the service again")
            return 1
        _show(settings, settings.owner_key, "The owner's link, with the key of CARNET_OWNER_KEY:")
        return 0
    if not arguments.new:
        _say("of the owner's key only a hash is kept; --new makes another key that replaces it")
        return 1
    key = asyncio.run(_replaced(arguments.club))
    _show(settings, key, "The new owner's link, shown only once; the old one lets nobody in now:")
    return 0


def _say(message: str) -> None:
    sys.stderr.write(f"carnet key: {message}\n")


def _show(settings: Settings, key: str, sentence: str) -> None:
    host = reachable_host(settings.host)
    show_link(sentence, owner_link(host, settings.port, key, settings.scheme))


async def _replaced(club: str | None) -> str:
    async with open_storage() as pool:
        club_id = (await chosen(ClubRows(pool), club)).club_id
        key = new_key(club_id)
        await OwnerKey(pool, club_id).replace(token_hash(key))
        return key
