"""The sessions of browsers, and what was opened in each."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row

from service.store.access.secret_holders import Changes
from service.store.connection.pool import Pool, connection

_REPLACE = """
    UPDATE carnet.session SET ended_at = now()
    WHERE club_id = %(club)s AND session_id = %(session)s AND ended_at IS NULL
    RETURNING name
"""

_OPEN = """
    INSERT INTO carnet.session (club_id, session_id, token_hash, name)
    VALUES (%(club)s, %(session)s, %(token_hash)s, %(name)s)
"""

_ADD = """
    INSERT INTO carnet.session_key (club_id, session_id, token_hash)
    VALUES (%(club)s, %(session)s, %(key_hash)s)
    ON CONFLICT DO NOTHING
"""

# The first end counts: its time is kept.
_END = """
    UPDATE carnet.session SET ended_at = now()
    WHERE club_id = %(club)s AND session_id = %(session)s AND ended_at IS NULL
"""

_SEEN = """
    UPDATE carnet.session SET seen_at = now()
    WHERE club_id = %(club)s AND session_id = %(session)s AND ended_at IS NULL
"""


_ALL = """
    SELECT s.session_id, s.name, s.created_at, s.seen_at,
           array_agg(k.token_hash) AS opened,
           coalesce(bool_or(o.key_hash IS NOT NULL), false) AS owner,
           array_remove(array_agg(DISTINCT m.member_id), NULL) AS members,
           count(DISTINCT l.game_id)::integer AS games
    FROM carnet.session s
    JOIN carnet.session_key k ON k.club_id = s.club_id AND k.session_id = s.session_id
    LEFT JOIN carnet.owner_key o ON o.club_id = s.club_id AND o.key_hash = k.token_hash
    LEFT JOIN carnet.invitation i ON i.club_id = s.club_id AND i.token_hash = k.token_hash
    LEFT JOIN carnet.member m
      ON m.club_id = s.club_id AND m.member_id = i.member_id AND m.removed_at IS NULL
    LEFT JOIN carnet.link l
      ON l.club_id = s.club_id AND l.token_hash = k.token_hash AND l.revoked_at IS NULL
      AND (l.expires_at IS NULL OR l.expires_at > now())
    WHERE s.club_id = %(club)s AND s.ended_at IS NULL
    GROUP BY s.session_id, s.name, s.created_at, s.seen_at
    ORDER BY s.seen_at DESC, s.session_id
"""

_RENAME = """
    UPDATE carnet.session SET name = %(name)s
    WHERE club_id = %(club)s AND session_id = %(session)s AND ended_at IS NULL
"""


class Session(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A browser that was let in. `name` "": nobody named it, and it did not say what it is.

    `opened`: the hashes of what was opened in it; `owner`: the stored key of the owner among it;
    `members`: whose device it is; `games`: to how many it has links that still open.
    """

    session_id: UUID
    name: str
    created_at: datetime
    seen_at: datetime
    opened: list[bytes]
    owner: bool
    members: list[UUID]
    games: int


class Replaced(Struct, frozen=True, kw_only=True):
    """The session that a browser had. `carried`: what the next one can still do by it."""

    session_id: UUID
    carried: Sequence[bytes]


class Sessions:
    """The sessions of one club. `changes` counts what this process changed."""

    def __init__(self, pool: Pool, club_id: UUID, changes: Changes) -> None:
        self._pool = pool
        self._club_id = club_id
        self._changes = changes

    async def open(
        self,
        session_id: UUID,
        token_hash: bytes,
        name: str,
        key_hash: bytes,
        replaced: Replaced | None = None,
    ) -> None:
        """Let a browser in by a key or token; the session that it had ends at once.

        `token_hash`: of the new session's secret. `replaced`: its name and rights are carried
        over, unless somebody ended it meanwhile.
        """
        club, keys = self._club_id, [key_hash]
        with self._changes.under_way():
            async with connection(self._pool, club) as conn, conn.transaction():
                if replaced is not None:
                    before = {"club": club, "session": replaced.session_id}
                    if row := await (await conn.execute(_REPLACE, before)).fetchone():
                        name = row[0]
                        keys += replaced.carried
                opened = {"club": club, "session": session_id}
                await conn.execute(_OPEN, opened | {"token_hash": token_hash, "name": name})
                for one in keys:
                    await conn.execute(_ADD, opened | {"key_hash": one})

    async def end(self, session_id: UUID) -> None:
        """Make a session open nothing from now on. Doing it twice is doing it once."""
        await self._change(_END, session=session_id)

    async def all(self) -> list[Session]:
        """List the sessions that were not ended, those seen last first."""
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(Session)) as cursor,
        ):
            await cursor.execute(_ALL, {"club": self._club_id})
            return await cursor.fetchall()

    async def rename(self, session_id: UUID, name: str) -> None:
        """Name a session; one that was ended is left alone."""
        await self._change(_RENAME, session=session_id, name=name)

    async def saw(self, session_id: UUID) -> None:
        """Note that a session was used just now."""
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_SEEN, {"club": self._club_id, "session": session_id})

    async def _change(self, query: str, **parameters: object) -> int:
        with self._changes.under_way():
            async with connection(self._pool, self._club_id) as conn:
                done = await conn.execute(query.encode(), {"club": self._club_id, **parameters})
                return done.rowcount
