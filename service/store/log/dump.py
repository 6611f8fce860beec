"""Reads everything of a club in one snapshot, for an export.

Promises: one snapshot of the transaction; one game in memory at a time; the content that `restore`
accepts. Grants and the owner's key are only in `rows`, for a backup.
"""

from collections.abc import AsyncIterator, Mapping
from uuid import UUID

from msgspec import Raw, Struct
from psycopg.rows import class_row

from service.store.connection.pool import Connection
from service.store.log.backup_rows import Table, read_rows
from service.store.log.snapshot import EVERY_GAME, Slice, Snapshot
from service.store.read_models.descriptions import SEASONS
from service.store.records import ChainedEntry, ContinuedGame, Description, Player, Season, Title

_PEOPLE = """
    SELECT player_id, name, created_at FROM carnet.player
    WHERE club_id = %s ORDER BY created_at, player_id
"""

_MERGES = """
    SELECT player_id, merged_into FROM carnet.player
    WHERE club_id = %s AND merged_into IS NOT NULL ORDER BY player_id
"""

_TITLE_MERGES = """
    SELECT title_id, merged_into FROM carnet.title
    WHERE club_id = %s AND merged_into IS NOT NULL ORDER BY title_id
"""

_DESCRIPTIONS = """
    SELECT game_id, place, tags FROM carnet.game_description
    WHERE club_id = %s AND (place <> '' OR cardinality(tags) > 0) ORDER BY game_id
"""

_TITLES = """
    SELECT t.title_id, t.name, t.options, t.hidden, t.created_at,
           ARRAY(SELECT g.game_id FROM carnet.game_title g
                 WHERE g.club_id = t.club_id AND g.title_id = t.title_id ORDER BY g.game_id)
    FROM carnet.title t WHERE t.club_id = %s ORDER BY t.created_at, t.title_id
"""

_PEOPLE_ROWS = 1_000


class DumpedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game: players by seat, its entries, version 1 first, and the game from which it goes on.

    `positions`: in the feed, by version; the last entries may have none yet.
    """

    game_id: UUID
    players: tuple[UUID, ...]
    links: tuple[ChainedEntry, ...]
    positions: Mapping[int, int]
    continues: ContinuedGame | None = None


class Dump:
    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self._conn = conn
        self.club_id = club_id
        self.snapshot = Snapshot(conn, club_id)

    async def people(self) -> AsyncIterator[Player]:
        """Stream everybody in creation order, forgotten ones included."""
        async with self._conn.cursor("people", row_factory=class_row(Player)) as cursor:
            cursor.itersize = _PEOPLE_ROWS
            await cursor.execute(_PEOPLE, [self.club_id], binary=True)
            async for player in cursor:
                yield player

    async def merges(self) -> list[tuple[UUID, UUID]]:
        rows = await self._conn.execute(_MERGES, [self.club_id], binary=True)
        return [(player_id, into) async for player_id, into in rows]

    async def seasons(self) -> list[Season]:
        async with self._conn.cursor(row_factory=class_row(Season)) as cursor:
            await cursor.execute(SEASONS.format(club=self.club_id))
            return await cursor.fetchall()

    async def titles(self) -> list[tuple[Title, tuple[UUID, ...]]]:
        """Return the titles, each with the games that were started with it."""
        rows = await self._conn.execute(_TITLES, [self.club_id])
        return [
            (
                Title(
                    title_id=title_id,
                    name=name,
                    options=options,
                    created_at=created_at,
                    hidden=hidden,
                ),
                tuple(games),
            )
            async for title_id, name, options, hidden, created_at, games in rows
        ]

    async def title_merges(self) -> list[tuple[UUID, UUID]]:
        rows = await self._conn.execute(_TITLE_MERGES, [self.club_id], binary=True)
        return [(title_id, into) async for title_id, into in rows]

    async def descriptions(self) -> AsyncIterator[tuple[UUID, Description]]:
        """Stream the descriptions of games, ordered by game id."""
        async with self._conn.cursor("descriptions") as cursor:
            cursor.itersize = _PEOPLE_ROWS
            await cursor.execute(_DESCRIPTIONS, [self.club_id], binary=True)
            async for game_id, place, tags in cursor:
                yield game_id, Description(place=place, tags=tuple(tags))

    def rows(self) -> AsyncIterator[tuple[Table, Raw]]:
        return read_rows(self._conn, self.club_id)

    async def games(self, within: Slice = EVERY_GAME) -> AsyncIterator[DumpedGame]:
        """Stream games, ordered by id."""
        seats = await self.snapshot.seats(within)
        positions = await self.snapshot.positions(within)
        continued = await self.snapshot.continued(within)
        async for links in self.snapshot.games(within):
            game_id = links[0].game_id
            yield DumpedGame(
                game_id=game_id,
                players=seats.get(game_id, ()),
                links=tuple(links),
                positions=positions.get(game_id, {}),
                continues=continued.get(game_id),
            )
