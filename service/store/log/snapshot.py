"""A snapshot of the whole log, walked, verified, and divided for parallel work.

Promises: every read sees the same log, whatever is appended meanwhile; memory does not grow with
the log. Assumes a transaction that has just begun (`Snapshot.taken`).
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Self
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from service.store.connection.pool import Connection
from service.store.log.chain import Chain, GameVerdict
from service.store.read_models.rebuilding import Projection, differing
from service.store.records import ChainedEntry, ContinuedGame, StoredEntry

_WALK_ROWS = 1_000
GAMES_A_SLICE = 50

_WALK = """
    SELECT e.game_id, t.version IS NOT NULL AS apart, t.salt, e.version, e.type,
           e.schema_version, e.data, e.recorded_at, e.recorded_by, e.hash, e.ordinal, e.command_id,
           t.text
    FROM carnet.entry e
    LEFT JOIN LATERAL (
        SELECT t.version, t.salt, t.text FROM carnet.free_text t
        WHERE e.schema_version = 2
          AND t.club_id = e.club_id AND t.game_id = e.game_id AND t.version = e.version
        OFFSET 0
    ) t ON true
    WHERE e.club_id = %s AND e.game_id BETWEEN %s AND %s
    ORDER BY e.game_id, e.version
"""

# Skip scan along the index: neither payloads nor the entries in between are read.
_GAMES = """
    WITH RECURSIVE one AS (
        (SELECT e.game_id FROM carnet.entry e
         WHERE e.club_id = %(club)s AND e.game_id >= %(begin)s
         ORDER BY e.game_id LIMIT 1)
        UNION ALL
        SELECT (SELECT e.game_id FROM carnet.entry e
                WHERE e.club_id = %(club)s AND e.game_id > one.game_id
                ORDER BY e.game_id LIMIT 1)
        FROM one WHERE one.game_id IS NOT NULL
    )
    SELECT game_id FROM one WHERE game_id IS NOT NULL LIMIT %(number)s
"""

_HEADS = """
    SELECT game_id, version FROM carnet.game
    WHERE club_id = %s AND game_id BETWEEN %s AND %s
"""

_SEATS = """
    SELECT game_id, array_agg(player_id ORDER BY seat) FROM carnet.seat
    WHERE club_id = %s AND game_id BETWEEN %s AND %s GROUP BY game_id
"""

_CONTINUED = """
    SELECT game_id, continues, version, dealer FROM carnet.continuation
    WHERE club_id = %s AND game_id BETWEEN %s AND %s
"""

_POSITIONS = """
    SELECT game_id, array_agg(version), array_agg(position) FROM carnet.feed
    WHERE club_id = %s AND game_id BETWEEN %s AND %s GROUP BY game_id
"""

# One index lookup per game.
_LOST = """
    SELECT g.game_id, g.version FROM carnet.game g
    WHERE g.club_id = %s AND (
        SELECT true FROM carnet.entry e
        WHERE e.club_id = g.club_id AND e.game_id = g.game_id LIMIT 1
    ) IS NULL
    ORDER BY g.game_id
"""


class Slice(Struct, frozen=True):
    first: UUID
    last: UUID


EVERY_GAME = Slice(UUID(int=0), UUID(int=2**128 - 1))


class Snapshot:
    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self._conn = conn
        self._club_id = club_id

    @classmethod
    async def take(cls, conn: Connection, club_id: UUID, moment: str | None = None) -> Self:
        """Take a snapshot in a new transaction, or use an exported one."""
        await conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if moment is not None:
            await conn.execute(SQL("SET TRANSACTION SNAPSHOT {}").format(moment))
        return cls(conn, club_id)

    async def export(self) -> str:
        ((name,),) = await (await self._conn.execute("SELECT pg_export_snapshot()")).fetchall()
        return str(name)

    async def entries(self) -> int:
        """Count the entries, by the versions of the games' projections."""
        query = "SELECT coalesce(sum(version), 0) FROM carnet.game WHERE club_id = %s"
        ((number,),) = await (await self._conn.execute(query, [self._club_id])).fetchall()
        return int(number)

    async def slices(self, games_at_once: int = GAMES_A_SLICE) -> AsyncIterator[Slice]:
        """Divide the games into slices by id."""
        async for batch in slices(self._conn, self._club_id, games_at_once):
            yield batch

    async def games_without_entries(self) -> dict[UUID, int]:
        rows = await self._conn.execute(_LOST, [self._club_id], binary=True)
        return {game_id: version async for game_id, version in rows}

    async def walk(self, within: Slice = EVERY_GAME) -> AsyncIterator[ChainedEntry]:
        """Stream entries, game by game, each game in the order of its versions."""
        async with self._conn.cursor("walk") as cursor:
            await cursor.execute(_WALK, [self._club_id, within.first, within.last], binary=True)
            while rows := await cursor.fetchmany(_WALK_ROWS):
                for row in rows:
                    yield _chained_entry(row)

    async def games(self, within: Slice = EVERY_GAME) -> AsyncIterator[list[ChainedEntry]]:
        links: list[ChainedEntry] = []
        async with self._conn.cursor("games") as cursor:
            await cursor.execute(_WALK, [self._club_id, within.first, within.last], binary=True)
            while rows := await cursor.fetchmany(_WALK_ROWS):
                for row in rows:
                    if links and row[0] != links[0].game_id:
                        yield links
                        links = []
                    links.append(_chained_entry(row))
        if links:
            yield links

    async def seats(self, within: Slice = EVERY_GAME) -> dict[UUID, tuple[UUID, ...]]:
        """Return the players by game and seat, seat 0 first."""
        parameters = [self._club_id, within.first, within.last]
        rows = await self._conn.execute(_SEATS, parameters, binary=True)
        return {game_id: tuple(players) async for game_id, players in rows}

    async def continued(self, within: Slice = EVERY_GAME) -> dict[UUID, ContinuedGame]:
        """Return, by game, the one from which it goes on."""
        parameters = [self._club_id, within.first, within.last]
        rows = await self._conn.execute(_CONTINUED, parameters, binary=True)
        return {
            game_id: ContinuedGame(game_id=before, version=version, dealer=dealer)
            async for game_id, before, version, dealer in rows
        }

    async def positions(self, within: Slice = EVERY_GAME) -> dict[UUID, dict[int, int]]:
        """Return positions in the feed by game and version; the last entries may have none yet."""
        parameters = [self._club_id, within.first, within.last]
        rows = await self._conn.execute(_POSITIONS, parameters, binary=True)
        return {
            game_id: dict(zip(versions, positions, strict=True))
            async for game_id, versions, positions in rows
        }

    async def differing(self, wanted: Sequence[Projection]) -> list[Projection]:
        """Return the projections that differ from the stored ones."""
        return await differing(self._conn, self._club_id, wanted)

    async def verify(self, within: Slice = EVERY_GAME) -> AsyncIterator[GameVerdict]:
        """Verify every chain; yield a verdict per game.

        Games that have only a projection come last, with 0 entries and a missing head.
        """
        known = [self._club_id, within.first, within.last]
        rows = await self._conn.execute(_HEADS, known, binary=True)
        heads = {game_id: version async for game_id, version in rows}
        seats, continued = await self.seats(within), await self.continued(within)
        async for links in self.games(within):
            game_id = links[0].game_id
            chain = Chain(self._club_id, game_id, seats.get(game_id, ()), continued.get(game_id))
            for link in links:
                chain.follow(link)
            yield chain.end(heads.get(chain.game_id))
        if within == EVERY_GAME:
            for verdict in await self.verdicts_of_lost():
                yield verdict

    async def verdicts_of_lost(self) -> list[GameVerdict]:
        """Return verdicts for games without entries."""
        lost = await self.games_without_entries()
        return [Chain(self._club_id, game_id, ()).end(head) for game_id, head in lost.items()]


async def slices(
    conn: Connection, club_id: UUID, games_at_once: int = GAMES_A_SLICE
) -> AsyncIterator[Slice]:
    """Divide the games of a club into slices by id."""
    begin = EVERY_GAME.first
    while True:
        parameters = {"club": club_id, "begin": begin, "number": games_at_once}
        game_ids = [row[0] async for row in await conn.execute(_GAMES, parameters, binary=True)]
        if game_ids:
            yield Slice(game_ids[0], game_ids[-1])
        if len(game_ids) < games_at_once or game_ids[-1] == EVERY_GAME.last:
            return
        begin = UUID(int=game_ids[-1].int + 1)


def _chained_entry(row: Sequence[Any]) -> ChainedEntry:
    game_id, apart, salt, *columns = row
    return ChainedEntry(game_id, StoredEntry(*columns), apart, salt)
