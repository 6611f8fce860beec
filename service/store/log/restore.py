"""Restores an export: people and games, entry by entry.

Promises: an entry is restored with its time, command, hash and free text, and only if its whole
chain verifies; a game is restored completely or not at all, and an existing one is left as it is.
Read models are written afterwards by a rebuild. Assumes the database's owner, and the club of the
export, because its id is in every hash.
"""

from collections.abc import AsyncGenerator, Generator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import LiteralString, TypeAlias
from uuid import UUID

from msgspec import Struct, json
from psycopg import AsyncConnection, DataError, IntegrityError, OperationalError

from schemas.names import normalized_name, similar_spellings
from service.errors import IntegrityBroken, OtherGame, VersionConflict
from service.store.connection.pool import Connection, session_options, unavailable
from service.store.feed.restore import FeedRestore
from service.store.log.chain import Chain
from service.store.read_models.rebuilding import Projection, project
from service.store.records import ChainedEntry, ContinuedGame, Description, Player, Season, Title

# An equal name is another person if both are in the export.
_PEOPLE = """
    INSERT INTO carnet.player (club_id, player_id, name, folded, created_at, same_name)
    SELECT %(club)s, p.id, p.name, p.folded, p.created_at, p.folded IS NOT NULL AND (
        row_number() OVER (PARTITION BY p.folded ORDER BY p.place) > 1 OR EXISTS (
            SELECT FROM carnet.player o WHERE o.club_id = %(club)s AND o.folded = p.folded
        )
    )
    FROM unnest(%(ids)s::uuid[], %(names)s::text[], %(folded)s::text[],
                %(created)s::timestamptz[])
        WITH ORDINALITY AS p (id, name, folded, created_at, place)
    WHERE NOT EXISTS (
        SELECT FROM carnet.player h WHERE h.club_id = %(club)s AND h.player_id = p.id
    )
    ON CONFLICT (club_id, player_id) DO NOTHING
    RETURNING name, same_name
"""

_NAMES = """
    SELECT name FROM carnet.player
    WHERE club_id = %s AND name IS NOT NULL AND player_id <> ALL(%s)
"""

_MERGE = "SELECT verdict FROM carnet.merge_players(%s, %s, %s, true)"
_MERGE_TITLES = "SELECT carnet.merge_titles(%s, %s, %s, true)"

_SEASON = """
    INSERT INTO carnet.season (club_id, season_id, name, first_day, last_day)
    VALUES (%s, %s, %s, %s, %s) ON CONFLICT (club_id, season_id) DO NOTHING
"""

_TITLE = """
    INSERT INTO carnet.title (club_id, title_id, name, folded, options, hidden, created_at)
    VALUES (%s, %s, %s, %s, %s::jsonb, %s, %s) ON CONFLICT DO NOTHING
"""

# A title of the same name that was here already gets the games.
_INSERT_TITLES = """
    INSERT INTO carnet.game_title (club_id, game_id, title_id)
    SELECT t.club_id, g.game_id, t.title_id
    FROM carnet.title t CROSS JOIN unnest(%(games)s::uuid[]) AS g (game_id)
    WHERE t.club_id = %(club)s AND (t.title_id = %(title)s OR t.folded = %(folded)s)
    ON CONFLICT (club_id, game_id) DO NOTHING
"""

_DESCRIPTION = """
    INSERT INTO carnet.game_description (club_id, game_id, place, tags)
    VALUES (%s, %s, %s, %s) ON CONFLICT (club_id, game_id) DO NOTHING
"""

# COPY takes the same rows in a third of the time of INSERT.
_SEATS = "COPY carnet.seat (club_id, game_id, seat, player_id) FROM STDIN (FORMAT binary)"
_SEAT_TYPES = ("uuid", "uuid", "int2", "uuid")

_CONTINUED = """
    COPY carnet.continuation (club_id, game_id, continues, version, dealer)
    FROM STDIN (FORMAT binary)
"""
_CONTINUED_TYPES = ("uuid", "uuid", "uuid", "int4", "int2")

_ENTRIES = """
    COPY carnet.entry (
        club_id, game_id, version, command_id, ordinal, type, schema_version, recorded_at,
        recorded_by, data, hash
    ) FROM STDIN (FORMAT binary)
"""
_ENTRY_TYPES = (
    *("uuid", "uuid", "int4", "uuid", "int2", "text", "int2", "timestamptz", "uuid"),
    *("bytea", "bytea"),
)

_TEXTS = """
    COPY carnet.free_text (club_id, game_id, version, salt, text) FROM STDIN (FORMAT binary)
"""
_TEXT_TYPES = ("uuid", "uuid", "int4", "bytea", "bytea")

_LOCK = "SELECT carnet.lock_games(%s, %s::jsonb, true)"

_HASHES = """
    SELECT e.game_id, array_agg(e.hash ORDER BY e.version) FROM carnet.entry e
    WHERE e.club_id = %s AND e.game_id = ANY (%s) GROUP BY e.game_id
"""

_UNLISTED = """
    SELECT one.game_id FROM unnest(%(games)s::uuid[]) AS one (game_id)
    WHERE NOT EXISTS (
        SELECT FROM carnet.game g WHERE g.club_id = %(club)s AND g.game_id = one.game_id
    )
"""


class RestoredPeople(Struct, frozen=True, kw_only=True):
    """The number of new people, names that several people share, and names alike."""

    new: int
    shared: tuple[str, ...]
    alike: tuple[tuple[str, str], ...] = ()


class RestoredGame(Struct, frozen=True, kw_only=True):
    """A game to restore: seat 0 first, version 1 first; its read models, if known.

    `positions`: of its entries in the exported feed, if all have one.
    """

    game_id: UUID
    players: Sequence[UUID]
    links: Sequence[ChainedEntry]
    projection: Projection | None = None
    positions: Sequence[int] = ()
    continues: ContinuedGame | None = None

    def differs(self, stored: Sequence[bytes]) -> OtherGame | VersionConflict | None:
        """Compare the game with stored hashes."""
        for version, (here, link) in enumerate(zip(stored, self.links, strict=False), 1):
            if here != link.entry.hash:
                return OtherGame(self.game_id, version)
        return VersionConflict(len(stored)) if len(stored) < len(self.links) else None


HashesByGame: TypeAlias = Mapping[UUID, Sequence[bytes]]


class Restore:
    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self.conn = conn
        self.club_id = club_id
        self.feed = FeedRestore(conn, club_id)
        self._names: dict[str, str] | None = None

    async def people(self, people: Sequence[Player]) -> RestoredPeople:
        """Restore people, all or none; existing ones are left as they are.

        Raises: ValueError (no database can store them)
        """
        parameters = {
            "club": self.club_id,
            "ids": [person.player_id for person in people],
            "names": [person.name for person in people],
            "folded": [
                None if person.name is None else normalized_name(person.name) for person in people
            ],
            "created": [person.created_at for person in people],
        }
        known = await self._names_before([person.player_id for person in people])
        with storable():
            rows = await (await self.conn.execute(_PEOPLE, parameters)).fetchall()
        new = {name for name, same_name in rows if name and not same_name}
        alike = [
            (name, known[key]) for name in new for key in similar_spellings(name) if key in known
        ]
        return RestoredPeople(
            new=len(rows),
            shared=tuple(name for name, same_name in rows if same_name),
            alike=tuple(sorted({*alike})),
        )

    async def _names_before(self, restored: Sequence[UUID]) -> Mapping[str, str]:
        """Return the names of people before this restore, by their likeness."""
        if self._names is None:
            rows = await self.conn.execute(_NAMES, [self.club_id, list(restored)])
            self._names = {key: row[0] async for row in rows for key in similar_spellings(row[0])}
        return self._names

    async def merge(self, player_id: UUID, into: UUID) -> bool:
        rows = await self.conn.execute(_MERGE, [self.club_id, player_id, into])
        return await rows.fetchone() == ("merged",)

    async def merge_titles(self, title_id: UUID, into: UUID) -> bool:
        rows = await self.conn.execute(_MERGE_TITLES, [self.club_id, title_id, into])
        return await rows.fetchone() == ("merged",)

    async def season(self, season: Season) -> None:
        """Restore a season unless it exists. Raises: ValueError (no database can store it)."""
        row = [self.club_id, season.season_id, season.name, season.first_day, season.last_day]
        with storable():
            await self.conn.execute(_SEASON, row)

    async def title(self, title: Title, games: Sequence[UUID]) -> None:
        """Restore a title unless it exists, and which games belong to it.

        Raises: ValueError (no database can store it)
        """
        key = None if title.name is None else normalized_name(title.name)
        options = json.encode(title.options).decode()
        facts = [title.name, key, options, title.hidden, title.created_at]
        row = [self.club_id, title.title_id, *facts]
        parameters = {"club": self.club_id, "title": title.title_id, "folded": key}
        with storable():
            await self.conn.execute(_TITLE, row)
            await self.conn.execute(_INSERT_TITLES, {**parameters, "games": list(games)})

    async def description(self, game_id: UUID, description: Description) -> None:
        """Restore the description of a game unless it has one.

        Raises: ValueError (no database can store it)
        """
        row = [self.club_id, game_id, description.place, list(description.tags)]
        with storable():
            await self.conn.execute(_DESCRIPTION, row)

    async def game(
        self, game_id: UUID, players: Sequence[UUID], links: Sequence[ChainedEntry]
    ) -> bool:
        """Restore a game, seat 0 first, version 1 first; return False if it exists.

        Raises: IntegrityBroken, VersionConflict (it exists but is shorter), OtherGame,
        ValueError (no database can store it)
        """
        given = RestoredGame(game_id=game_id, players=players, links=links)
        self.check(given)
        with storable():
            return not await self.store([given])

    async def existing(self, game_ids: Sequence[UUID]) -> HashesByGame:
        rows = await self.conn.execute(_HASHES, [self.club_id, list(game_ids)], binary=True)
        return {game_id: hashes async for game_id, hashes in rows}

    async def without_projection(self, game_ids: Sequence[UUID]) -> set[UUID]:
        facts = {"games": list(game_ids), "club": self.club_id}
        rows = await self.conn.execute(_UNLISTED, facts, binary=True)
        return {row[0] async for row in rows}

    async def project(self, projections: Sequence[Projection]) -> None:
        # One round trip for all of them.
        async with self.conn.pipeline():
            for projection in projections:
                await project(self.conn, self.club_id, projection)

    async def store(self, games: Sequence[RestoredGame]) -> set[UUID]:
        """Store games with their read models, all or none.

        Return those that existed already.

        Raises: OtherGame, VersionConflict, psycopg.Error
        """
        async with self.conn.transaction():
            ids = [game.game_id for game in games]
            locked = json.encode([{"game_id": game_id} for game_id in ids]).decode()
            await self.conn.execute(_LOCK, [self.club_id, locked])
            held = await self.existing(ids)
            for game in games:
                fault = game.differs(held.get(game.game_id, ())) if game.game_id in held else None
                if fault is not None:
                    raise fault
            new = [game for game in games if game.game_id not in held]
            seats = [
                (self.club_id, game.game_id, *seat)
                for game in new
                for seat in enumerate(game.players)
            ]
            links = [link for game in new for link in game.links]
            await self._copy(_SEATS, _SEAT_TYPES, seats)
            continued = [
                (self.club_id, game.game_id, before.game_id, before.version, before.dealer)
                for game in new
                if (before := game.continues) is not None
            ]
            await self._copy(_CONTINUED, _CONTINUED_TYPES, continued)
            await self._copy(_ENTRIES, _ENTRY_TYPES, map(self._row, links))
            texts = [self._text(link) for link in links if link.apart]
            await self._copy(_TEXTS, _TEXT_TYPES, texts)
            await self.project([game.projection for game in new if game.projection is not None])
            await self.feed.set_positions({game.game_id: game.positions for game in new})
        return {*held}

    async def _copy(
        self, statement: LiteralString, types: Sequence[str], rows: Iterable[tuple[object, ...]]
    ) -> None:
        async with self.conn.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(types)
            for row in rows:
                await copy.write_row(row)

    def check(self, game: RestoredGame) -> None:
        chain = Chain(self.club_id, game.game_id, game.players, game.continues)
        for link in game.links:
            chain.follow(link)
        verdict = chain.end(len(game.links))
        if verdict.broken is not None:
            raise IntegrityBroken(game.game_id, verdict.version, verdict.broken)

    def _row(self, link: ChainedEntry) -> tuple[object, ...]:
        entry = link.entry
        return (
            self.club_id,
            link.game_id,
            entry.version,
            entry.command_id,
            entry.ordinal,
            entry.type,
            entry.schema_version,
            entry.recorded_at,
            entry.recorded_by,
            entry.data,
            entry.hash,
        )

    def _text(self, link: ChainedEntry) -> tuple[object, ...]:
        entry = link.entry
        return (self.club_id, link.game_id, entry.version, link.salt, entry.text)


@contextmanager
def storable() -> Generator[None]:
    """Convert errors of values that no database can store to ValueError."""
    try:
        yield
    except (DataError, IntegrityError) as error:
        raise ValueError(str(error).splitlines()[0]) from error


@asynccontextmanager
async def open_restore(url: str, club_id: UUID) -> AsyncGenerator[Restore]:
    """Connect as the database's owner to restore an export."""
    try:
        options = session_options(url, for_service=False)
        async with await AsyncConnection.connect(url, autocommit=True, options=options) as conn:
            yield Restore(conn, club_id)
    except OperationalError as error:
        raise unavailable(error) from error
