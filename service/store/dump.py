"""Gives everything of a club out, as it stood at one moment: people, who sat where, every entry.

Promises: one snapshot, whatever is recorded meanwhile; one game in memory at a time; what
`restore` takes back. Links and the owner's key stay: they let people in here, and not elsewhere.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row

from service.store.events import Snapshot
from service.store.pool import Connection, Pool, connection
from service.store.records import ChainedEntry, Player

_PEOPLE = """
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = %s ORDER BY created_at, player_id
"""

_SEATS = """
    SELECT player_id FROM carnet.seat WHERE club_id = %s AND game_id = %s ORDER BY seat
"""

_PEOPLE_ROWS = 1_000


class DumpedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game: who plays, seat 0 first, and its entries, version 1 first."""

    game_id: UUID
    players: tuple[UUID, ...]
    links: tuple[ChainedEntry, ...]


class Dump:
    """A club at one moment."""

    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self._conn = conn
        self._club_id = club_id

    async def count(self) -> int:
        """Count the entries."""
        query = "SELECT count(*) FROM carnet.entry WHERE club_id = %s"
        (row,) = await (await self._conn.execute(query, [self._club_id])).fetchall()
        return int(row[0])

    async def people(self) -> AsyncIterator[Player]:
        """Stream everybody, the forgotten included, in the order they were added."""
        async with self._conn.cursor("people", row_factory=class_row(Player)) as cursor:
            cursor.itersize = _PEOPLE_ROWS
            await cursor.execute(_PEOPLE, [self._club_id], binary=True)
            async for player in cursor:
                yield player

    async def games(self) -> AsyncIterator[DumpedGame]:
        """Stream every game, in the order of their ids."""
        links: list[ChainedEntry] = []
        async for link in Snapshot(self._conn, self._club_id).walk():
            if links and link.game_id != links[0].game_id:
                yield await self._game(links)
                links = []
            links.append(link)
        if links:
            yield await self._game(links)

    async def _game(self, links: list[ChainedEntry]) -> DumpedGame:
        game_id = links[0].game_id
        seats = await self._conn.execute(_SEATS, [self._club_id, game_id], binary=True)
        players = tuple([row[0] async for row in seats])
        return DumpedGame(game_id=game_id, players=players, links=tuple(links))


@asynccontextmanager
async def open_dump(pool: Pool, club_id: UUID) -> AsyncGenerator[Dump]:
    """See a club at one moment.

    Raises: StoreUnavailable
    """
    async with connection(pool) as conn, conn.transaction():
        await conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield Dump(conn, club_id)
