"""Takes an export back: games entry for entry, as they were recorded, and the people in them.

Promises: an entry comes back with its time, its command, its hash and its free text, if that was
not erased, and only if its whole chain holds; a game is taken back whole or not at all, and one
that is there already is left as it is.
What people read of it is written afterwards, by a rebuild (`GameIndex.project`).
Assumes the database's owner: the service's role may not insert into the log. The club must be the
one the export was made from, because its id is in every hash.
"""

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

from psycopg import AsyncConnection, DataError, IntegrityError, OperationalError

from service.errors import IntegrityBroken, OtherGame, StoreUnavailable, VersionConflict
from service.store.chain import Chain
from service.store.pool import Connection, session_options
from service.store.records import ChainedEntry, Player

_PLAYER = """
    INSERT INTO carnet.player (club_id, player_id, name, created_at) VALUES (%s, %s, %s, %s)
    ON CONFLICT (club_id, player_id) DO NOTHING
"""

_SEAT = "INSERT INTO carnet.seat (club_id, game_id, seat, player_id) VALUES (%s, %s, %s, %s)"

_ENTRY = """
    INSERT INTO carnet.entry (
        club_id, game_id, version, command_id, ordinal, type, schema_version, recorded_at,
        recorded_by, data, hash
    ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""

_TEXT = """
    INSERT INTO carnet.free_text (club_id, game_id, version, salt, text)
    VALUES (%s, %s, %s, %s, %s)
"""

_STORED = """
    SELECT hash FROM carnet.entry WHERE club_id = %s AND game_id = %s ORDER BY version
"""


class Restore:
    """Takes people and games of one club back."""

    def __init__(self, conn: Connection, club_id: UUID) -> None:
        self._conn = conn
        self._club_id = club_id

    async def player(self, player: Player) -> bool:
        """Take a person back; False where the id is there already, whatever the name.

        Raises: ValueError (no database can hold it)
        """
        row = [self._club_id, player.player_id, player.name, player.created_at]
        with _storable():
            return (await self._conn.execute(_PLAYER, row)).rowcount == 1

    async def game(
        self, game_id: UUID, players: Sequence[UUID], links: Sequence[ChainedEntry]
    ) -> bool:
        """Take a game back, seat 0 first, version 1 first; False where it is there already.

        Raises: IntegrityBroken (an entry is not what was recorded), VersionConflict (it is there,
        but ends earlier), OtherGame, ValueError (no database can hold it)
        """
        self._check(game_id, links)
        with _storable():
            return await self._insert(game_id, players, links)

    async def _insert(
        self, game_id: UUID, players: Sequence[UUID], links: Sequence[ChainedEntry]
    ) -> bool:
        async with self._conn.transaction():
            await self._conn.execute("SELECT carnet.lock_game(%s, %s)", [self._club_id, game_id])
            rows = await self._conn.execute(_STORED, [self._club_id, game_id], binary=True)
            stored = [bytes(row[0]) async for row in rows]
            if stored:
                _compare(game_id, stored, [link.entry.hash for link in links])
                return False
            async with self._conn.cursor() as cursor:
                await cursor.executemany(
                    _SEAT, [(self._club_id, game_id, *seat) for seat in enumerate(players)]
                )
                await cursor.executemany(_ENTRY, [self._row(link) for link in links])
                texts = [self._text(link) for link in links if link.apart]
                await cursor.executemany(_TEXT, texts)
        return True

    def _check(self, game_id: UUID, links: Sequence[ChainedEntry]) -> None:
        chain = Chain(self._club_id, game_id)
        for link in links:
            chain.follow(link)
        verdict = chain.end(len(links))
        if verdict.broken is not None:
            raise IntegrityBroken(game_id, verdict.version, verdict.broken)

    def _row(self, link: ChainedEntry) -> tuple[object, ...]:
        entry = link.entry
        return (
            self._club_id,
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
        return (self._club_id, link.game_id, entry.version, link.salt, entry.text)


@contextmanager
def _storable() -> Generator[None]:
    try:
        yield
    except (DataError, IntegrityError) as error:
        raise ValueError(str(error).splitlines()[0]) from error


def _compare(game_id: UUID, stored: Sequence[bytes], given: Sequence[bytes]) -> None:
    """Judge that what is given is stored already.

    Raises: OtherGame, VersionConflict
    """
    for version, (here, there) in enumerate(zip(stored, given, strict=False), 1):
        if here != there:
            raise OtherGame(game_id, version)
    if len(stored) < len(given):
        raise VersionConflict(len(stored))


@asynccontextmanager
async def open_restore(url: str, club_id: UUID) -> AsyncGenerator[Restore]:
    """Connect as the database's owner, to take an export back.

    Raises: StoreUnavailable
    """
    try:
        options = session_options(url, None)
        async with await AsyncConnection.connect(url, autocommit=True, options=options) as conn:
            yield Restore(conn, club_id)
    except OperationalError as error:
        raise StoreUnavailable(str(error).strip()) from error
