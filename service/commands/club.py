"""`carnet club`: manage the clubs of an installation."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path

from msgspec import Struct

from service.access.secrets import token_hash
from service.commands.support.every_club import open_database, selected_club
from service.commands.support.link import owner_link, reachable_host, show_link
from service.errors import StartupError
from service.extensions.witness.exporting import heads_in_export
from service.nondeterminism import new_id, new_key, time_of_day
from service.settings import settings_of_process
from service.store.club.changes import ClubChanges
from service.store.club.clubs import ClubRow, ClubRows, usage
from service.store.connection.pool import owner_session
from service.store.server.opening import Database
from service.transfer.everything import Everything

# Names of limits on the command line, and their columns.
_LIMITS = {
    "games": "games_max",
    "entries_a_day": "entries_a_day_max",
    "people": "people_max",
    "stored_bytes": "bytes_max",
}


class _Desk(Struct, frozen=True, kw_only=True):
    """The database, and the operations on its clubs."""

    database: Database
    changes: ClubChanges
    rows: ClubRows


def run(arguments: Namespace) -> int:
    done: dict[str, Callable[[_Desk, Namespace], Awaitable[int]]] = {
        "add": _add,
        "list": _list,
        "rename": _rename,
        "suspend": _suspend,
        "resume": _resume,
        "limit": _limit,
        "remove": _remove,
    }

    async def do() -> int:
        async with _open_desk() as desk:
            return await done[arguments.what](desk, arguments)

    return asyncio.run(do())


@asynccontextmanager
async def _open_desk() -> AsyncGenerator[_Desk]:
    async with open_database() as database:
        owner = database.reached.owner
        if owner is None:
            raise StartupError(
                "Only the database's owner changes clubs", "Set CARNET_DATABASE_OWNER_URL"
            )
        async with owner_session(owner) as conn:
            yield _Desk(database=database, changes=ClubChanges(conn), rows=ClubRows(database.pool))


async def _add(desk: _Desk, arguments: Namespace) -> int:
    name = arguments.name.strip()
    if any(row.name == name for row in await desk.rows.all()):
        sys.stderr.write(f"carnet club: a club named {name} exists already\n")
        return 1
    club_id = new_id()
    key = new_key(club_id)
    await desk.changes.add(club_id, name, token_hash(key))
    settings = settings_of_process()
    link = owner_link(reachable_host(settings.host), settings.port, key, settings.scheme)
    show_link(f"The link of the owner of {name}, shown only once:", link)
    return 0


async def _list(desk: _Desk, arguments: Namespace) -> int:
    del arguments
    for row in await desk.rows.all():
        held = await usage(desk.database.pool, row.club_id)
        state = "\tsuspended" if row.suspended_at is not None else ""
        samples = "\tsample games" if row.sample_of is not None else ""
        limits = f"\t{_limits_of(row)}" if row.limited else ""
        sys.stdout.write(
            f"{row.club_id}\t{_name_of(row)}\t{held.games} games\t{held.people} people"
            f"\t{held.entries} entries\t{held.stored_bytes} bytes{limits}{state}{samples}\n"
        )
    return 0


async def _rename(desk: _Desk, arguments: Namespace) -> int:
    row = await selected_club(desk.rows, arguments.club)
    await desk.changes.rename(row.club_id, arguments.name.strip())
    return 0


async def _suspend(desk: _Desk, arguments: Namespace) -> int:
    row = await selected_club(desk.rows, arguments.club)
    if row.is_first:
        sys.stderr.write("carnet club: the first club is not suspended: stop the service\n")
        return 1
    await desk.changes.suspend(row.club_id)
    return 0


async def _resume(desk: _Desk, arguments: Namespace) -> int:
    await desk.changes.resume((await selected_club(desk.rows, arguments.club)).club_id)
    return 0


async def _limit(desk: _Desk, arguments: Namespace) -> int:
    row = await selected_club(desk.rows, arguments.club)
    given = {
        column: most if most >= 0 else None
        for name, column in _LIMITS.items()
        if (most := getattr(arguments, name)) is not None
    }
    if given:
        await desk.changes.limit(row.club_id, **given)
        row = await selected_club(desk.rows, str(row.club_id))
    sys.stdout.write(f"{_name_of(row)}: {_limits_of(row) if row.limited else 'no limits'}\n")
    return 0


async def _remove(desk: _Desk, arguments: Namespace) -> int:
    row = await selected_club(desk.rows, arguments.club)
    if row.is_first:
        sys.stderr.write("carnet club: the first club is not removed: remove the database\n")
        return 1
    sys.stderr.write(f"This removes everything of {_name_of(row)}. Type its name to confirm: ")
    sys.stderr.flush()
    if (await asyncio.to_thread(sys.stdin.readline)).strip() != _name_of(row):
        sys.stderr.write("carnet club: the name does not match; nothing was removed\n")
        return 1
    heads = heads_in_export(settings_of_process().data_dir)
    stamp = time_of_day().astimezone(UTC).strftime("%Y-%m-%dT%H%M%SZ")
    path = Path(arguments.export or f"{row.club_id}-{stamp}.jsonl")
    everything = Everything(None, desk.database.pool, heads, row.club_id)
    with await asyncio.to_thread(path.open, "xb") as out:
        written = await everything.write(out)
    sys.stdout.write(f"{path}: {written.games} games, {written.players} people\n")
    if written.broken:
        sys.stderr.write(
            f"carnet club: {written.broken} hash chains are broken; the club was not removed\n"
        )
        return 1
    await desk.changes.remove(row.club_id)
    return 0


def _limits_of(row: ClubRow) -> str:
    limits = {name: getattr(row, column) for name, column in _LIMITS.items()}
    return ", ".join(
        f"at most {most} {name.replace('_', ' ')}"
        for name, most in limits.items()
        if most is not None
    )


def _name_of(row: ClubRow) -> str:
    return row.name or ("(first)" if row.is_first else str(row.club_id))
