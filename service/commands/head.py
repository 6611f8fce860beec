"""`carnet head`: print the signed head of the feed."""

import asyncio
import sys
from argparse import Namespace

from service.commands.support.every_club import open_storage, selected_club
from service.extensions.witness.keys import HeadKeys
from service.extensions.witness.signing import feed_heads
from service.nondeterminism import new_seed
from service.settings import settings_of_process
from service.store.club.clubs import ClubRows
from service.store.feed.positions import Feed


def run(arguments: Namespace) -> int:
    return asyncio.run(_print(arguments.club, keys=arguments.keys, new_key=arguments.new_key))


async def _print(club: str | None, *, keys: bool, new_key: bool) -> int:
    data_dir = settings_of_process().data_dir
    async with open_storage() as pool:
        if new_key:
            HeadKeys(data_dir, new_seed).renew()
        club_id = (await selected_club(ClubRows(pool), club)).club_id
        await Feed(pool, club_id).complete()
        head = await feed_heads(pool, data_dir, club_id, new_seed).current()
    sys.stdout.write("".join(f"{key}\n" for key in head.keys) if keys else head.note)
    return 0
