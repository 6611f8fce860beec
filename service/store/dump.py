"""Gives everything of a club out, as it stood at one moment: people, who sat where, every entry.

Promises: the moment of the transaction, whatever is recorded meanwhile; one game in memory at a
time, and who sits where in its slice; what `restore` takes back. Links and the owner's key stay:
they let people in here, and not elsewhere.
"""

from collections.abc import AsyncIterator
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row

from service.store.pool import Connection
from service.store.records import ChainedEntry, Player
from service.store.snapshot import EVERY_GAME, Slice, Snapshot

_PEOPLE = """
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = %s ORDER BY created_at, player_id
"""

_SEATS = """
    SELECT game_id, array_agg(player_id ORDER BY seat) FROM carnet.seat
    WHERE club_id = %s AND game_id BETWEEN %s AND %s GROUP BY game_id
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
        self.snapshot = Snapshot(conn, club_id)

    async def people(self) -> AsyncIterator[Player]:
        """Stream everybody, the forgotten included, in the order they were added."""
        async with self._conn.cursor("people", row_factory=class_row(Player)) as cursor:
            cursor.itersize = _PEOPLE_ROWS
            await cursor.execute(_PEOPLE, [self._club_id], binary=True)
            async for player in cursor:
                yield player

    async def games(self, within: Slice = EVERY_GAME) -> AsyncIterator[DumpedGame]:
        """Stream games, in the order of their ids."""
        asked = [self._club_id, within.first, within.last]
        rows = await self._conn.execute(_SEATS, asked, binary=True)
        seats = {game_id: tuple(players) async for game_id, players in rows}
        async for links in self.snapshot.games(within):
            game_id = links[0].game_id
            yield DumpedGame(game_id=game_id, players=seats.get(game_id, ()), links=tuple(links))
