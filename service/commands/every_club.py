"""`--all-clubs`: a command goes through every club, the first one first.

Promises: each club is named before what is said of it; one that fails stops no other. Exit status
1 where any failed.
"""

import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable

from service.commands.storage import open_storage
from service.errors import CarnetError
from service.store.clubs import ClubRow, ClubRows


async def over_clubs(arguments: Namespace, one: Callable[[str | None], Awaitable[int]]) -> int:
    """Do `one` for the club that is named, or for each; return the exit status.

    Raises: what `one` raises, where it is for one club; StoreUnavailable
    """
    if not arguments.all_clubs:
        return await one(arguments.club)
    async with open_storage() as pool:
        rows = await ClubRows(pool).all()
    failed = 0
    for row in rows:
        sys.stdout.write(f"{_named(row)}:\n")
        sys.stdout.flush()
        failed += await _tried(row, one) != 0
    verdict = f"{failed} failed" if failed else "none failed"
    sys.stdout.write(f"{len(rows)} clubs: {verdict}\n")
    return 1 if failed else 0


async def _tried(row: ClubRow, one: Callable[[str | None], Awaitable[int]]) -> int:
    try:
        return await one(str(row.club_id))
    except CarnetError as error:
        sys.stdout.write(f"not done: {error}\n")
        return 1


def _named(row: ClubRow) -> str:
    return f"{row.club_id} {row.name}".rstrip()
