"""Adds, changes and removes clubs, in a session of the database's owner."""

from typing import LiteralString
from uuid import UUID

from psycopg import sql

from service.errors import NotFound, StartupError
from service.store.connection.pool import Connection
from service.store.records import DEFAULT_CLUB

_ADD = """
    INSERT INTO carnet.club (club_id, name, is_first, sample_of) VALUES (%s, %s, %s, %s)
    ON CONFLICT (club_id) DO NOTHING
"""
_KEY = """
    INSERT INTO carnet.access_grant (club_id, grant_id, kind, role, secret_hash)
    VALUES (%s, gen_random_uuid(), 'owner_key', 'owner', %s)
"""
_RENAME = "UPDATE carnet.club SET name = %s WHERE club_id = %s"
_SUSPEND = "UPDATE carnet.club SET suspended_at = now() WHERE club_id = %s AND NOT is_first"
_RESUME = "UPDATE carnet.club SET suspended_at = NULL WHERE club_id = %s"

# Referencing tables come before referenced ones.
_TABLES = """
    SELECT c.relname
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'club_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'carnet'::regnamespace AND c.relkind = 'r'
    ORDER BY c.relname = 'club', c.relname = 'player', c.relname
"""

_HAS_PLAYERS = """
    SELECT EXISTS (SELECT FROM carnet.player) OR EXISTS (SELECT FROM carnet.entry)
        OR EXISTS (SELECT FROM carnet.access_grant) OR EXISTS (SELECT FROM carnet.club)
"""

# Serving processes receive this (service.feed.coordination) or poll every minute.
_NOTIFY_LIMITS = """
    SELECT pg_notify('carnet', json_build_object(
        'by', 0, 'changes', json_build_array(json_build_array('limits', %s::text))
    )::text)
"""

LIMITS = ("games_max", "entries_a_day_max", "people_max", "bytes_max")


class ClubChanges:
    """Operations on clubs. `conn`: a session of the database's owner."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    async def add(
        self,
        club_id: UUID,
        name: str,
        key_hash: bytes | None = None,
        *,
        first: bool = False,
        sample_of: UUID | None = None,
    ) -> None:
        """Add a club with its owner's key; without one, signing in is impossible."""
        async with self._conn.transaction():
            await self._conn.execute(_ADD, [club_id, name, first, sample_of])
            if key_hash is not None:
                await self._conn.execute(_KEY, [club_id, key_hash])

    async def name_first_club(self, club_id: UUID) -> bool:
        """Make a club the first one of an empty database.

        Return False if the database is not empty.

        Raises: StartupError
        """
        async with self._conn.transaction():
            rows = await self._conn.execute(_HAS_PLAYERS)
            if (await rows.fetchone()) != (False,):
                return False
            await self._conn.execute(_ADD, [club_id, "", True, None])
            return True

    async def rename(self, club_id: UUID, name: str) -> None:
        await self._make_first(club_id)
        await self._change(_RENAME, name, club_id)

    async def suspend(self, club_id: UUID) -> None:
        """Suspend writing in a club. Raises: NotFound (it does not exist or is the first club)."""
        await self._change(_SUSPEND, club_id)

    async def resume(self, club_id: UUID) -> None:
        await self._change(_RESUME, club_id)

    async def limit(self, club_id: UUID, **limits: int | None) -> None:
        await self._make_first(club_id)
        for column, most in limits.items():
            if column not in LIMITS:
                raise ValueError(column)
            change = sql.SQL("UPDATE carnet.club SET {} = %s WHERE club_id = %s")
            if not (
                await self._conn.execute(change.format(sql.Identifier(column)), [most, club_id])
            ).rowcount:
                raise NotFound("club", None)
        await self._conn.execute(_NOTIFY_LIMITS, [str(club_id)])

    async def remove(self, club_id: UUID) -> None:
        """Remove everything of a club for good. Raises: StartupError (it is the first club)."""
        if club_id == DEFAULT_CLUB or await self._is_first(club_id):
            raise StartupError("The first club cannot be removed", "Remove the whole database")
        tables = [row[0] async for row in await self._conn.execute(_TABLES)]
        async with self._conn.transaction():
            # On a cluster the nodes are told what is set here.
            await self._conn.execute("SET LOCAL citus.propagate_set_commands = 'local'")
            allow_removal = sql.SQL("SET LOCAL carnet.club_removed = {}")
            await self._conn.execute(allow_removal.format(sql.Literal(str(club_id))))
            for table in tables:
                delete = sql.SQL("DELETE FROM carnet.{} WHERE club_id = %s")
                await self._conn.execute(delete.format(sql.Identifier(table)), [club_id])

    async def _make_first(self, club_id: UUID) -> None:
        if club_id == DEFAULT_CLUB:
            await self._conn.execute(_ADD, [club_id, "", not await self._has_other_first(), None])

    async def _has_other_first(self) -> bool:
        query = "SELECT FROM carnet.club WHERE is_first"
        return await (await self._conn.execute(query)).fetchone() is not None

    async def _is_first(self, club_id: UUID) -> bool:
        query = "SELECT FROM carnet.club WHERE is_first AND club_id = %s"
        return await (await self._conn.execute(query, [club_id])).fetchone() is not None

    async def _change(self, query: LiteralString, *parameters: object) -> None:
        if not (await self._conn.execute(query, parameters)).rowcount:
            raise NotFound("club", None)
