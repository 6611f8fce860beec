"""`carnet rebuild`: recompute projections from the log."""

import asyncio
import sys
from argparse import Namespace

from msgspec import Struct

from projections.person import CHECKPOINT_VERSION
from service.commands.support.every_club import for_each_club
from service.commands.support.process_pool import Desk, process_pool
from service.commands.support.progress import Progress
from service.errors import VersionConflict
from service.play.reprojection import compute_projection
from service.store.connection.pool import Connection, connection
from service.store.log.events import EventStore
from service.store.log.snapshot import Slice, slices
from service.store.read_models.rebuilding import Projection, asynchronous_commit, differing, project
from service.store.read_models.stored_checkpoints import StoredCheckpoints

_MUCH = 10_000  # entries
_REGROUP = "SELECT carnet.regroup(%s)"


class Rebuilt(Struct, frozen=True):
    """The result for a slice: numbers of games and entries, and how many projections were wrong."""

    games: int
    entries: int
    written: int


def run(arguments: Namespace) -> int:
    return asyncio.run(for_each_club(arguments, _rebuild))


async def _rebuild(jobs: int, club: str | None) -> int:
    games = written = 0
    async with (
        process_pool(jobs, fixed=False, club=club) as (shared, desk),
        connection(desk.pool, desk.club_id) as conn,
    ):
        row = await (await conn.execute(_REGROUP, [desk.club_id])).fetchone()
        await StoredCheckpoints(desk.pool, desk.club_id, CHECKPOINT_VERSION).clear()
        async with EventStore(desk.pool, desk.club_id).snapshot() as snapshot:
            entries = await snapshot.entries()
        with Progress("rebuilding", entries, much=_MUCH) as progress:
            async for rebuilt in shared.over(rebuild_games, slices(conn, desk.club_id)):
                games += rebuilt.games
                written += rebuilt.written
                progress.advance(rebuilt.entries)
    if row and row[0]:
        sys.stdout.write(f"{row[0]} merges of people and titles did not lead to their end\n")
    sys.stdout.write(f"{games} games rebuilt from their log; {written} differed from it\n")
    return 0


async def rebuild_games(desk: Desk, within: Slice) -> Rebuilt:
    store = EventStore(desk.pool, desk.club_id)
    wanted: list[Projection] = []
    async with store.snapshot() as snapshot:
        async for links in snapshot.games(within):
            rows = [link.entry for link in links]
            wanted.append(compute_projection(links[0].game_id, rows))
    async with connection(desk.pool, desk.club_id) as conn:
        different = await differing(conn, desk.club_id, wanted)
        async with asynchronous_commit(conn):
            for game_id in different[:-1]:
                await _project_latest(conn, store, game_id)
        for game_id in different[-1:]:  # this commit flushes all earlier ones
            await _project_latest(conn, store, game_id)
    return Rebuilt(len(wanted), sum(game.version for game in wanted), len(different))


async def _project_latest(conn: Connection, store: EventStore, wanted: Projection) -> None:
    while True:
        try:
            return await project(conn, store.club_id, wanted)
        except VersionConflict:
            log = await store.read(wanted.game_id)
            wanted = compute_projection(wanted.game_id, log)
