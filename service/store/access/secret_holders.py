"""What secrets open now: a browser's session all that was opened in it, a token its own."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row

from service.store.connection.pool import Pool, connection
from service.store.records import MemberRole, Role

_FIND = """
    WITH asked AS (
        SELECT h AS asked, h AS token_hash, NULL::uuid AS session_id, NULL::timestamptz AS seen_at
        FROM unnest(%(hashes)s::bytea[]) AS h
        UNION ALL
        SELECT s.token_hash, k.token_hash, s.session_id, s.seen_at
        FROM carnet.session s
        LEFT JOIN carnet.session_key k
          ON k.club_id = s.club_id AND k.session_id = s.session_id
        WHERE s.club_id = %(club)s AND s.token_hash = ANY (%(hashes)s) AND s.ended_at IS NULL
    )
    SELECT a.asked, a.token_hash, a.session_id, coalesce(a.seen_at, t.seen_at) AS seen_at,
           o.key_hash IS NOT NULL AS owner,
           l.link_id, l.game_id, l.role, l.revoked_at,
           (l.expires_at <= now()) IS TRUE AS ended, m.member_id, m.role AS member_role,
           t.token_id, t.role AS token_role, t.games AS token_games,
           t.revoked_at IS NOT NULL OR (t.expires_at IS NOT NULL AND t.expires_at <= now())
               AS token_ended,
           c.suspended_at IS NOT NULL AS suspended
    FROM asked a
    LEFT JOIN carnet.club c ON c.club_id = %(club)s
    LEFT JOIN carnet.owner_key o ON o.club_id = %(club)s AND o.key_hash = a.token_hash
    LEFT JOIN carnet.link l ON l.club_id = %(club)s AND l.token_hash = a.token_hash
    -- An invitation is used up where it was opened: it lets nobody in by itself.
    LEFT JOIN carnet.invitation i
      ON i.club_id = %(club)s AND i.token_hash = a.token_hash AND a.session_id IS NOT NULL
    LEFT JOIN carnet.member m
      ON m.club_id = %(club)s AND m.member_id = i.member_id AND m.removed_at IS NULL
    -- A program's token lets no browser in.
    LEFT JOIN carnet.api_token t
      ON t.club_id = %(club)s AND t.token_hash = a.token_hash AND a.session_id IS NULL
"""


class Opened(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What was `asked` for holds a secret (`token_hash`), its own or one opened in its session.

    `owner`: it is the key of the club's owner that is stored; `link_id` and what follows: it is a
    link's token; `member_id`: an invitation that was used; `token_id`: a program's token, for
    `token_games` (none: the club). `token_hash` None: nothing was opened. `suspended`: the club is.
    """

    asked: bytes
    token_hash: bytes | None
    session_id: UUID | None
    seen_at: datetime | None
    owner: bool
    link_id: UUID | None
    game_id: UUID | None
    role: Role | None
    revoked_at: datetime | None
    ended: bool
    member_id: UUID | None
    member_role: MemberRole | None
    token_id: UUID | None
    token_role: MemberRole | None
    token_games: list[UUID] | None
    token_ended: bool
    suspended: bool


class Changes:
    """Counts the changes of who may do what that this process has begun, ended or heard of.

    `tell` tells other processes that there was one.
    """

    def __init__(self, tell: Callable[[], None] | None = None) -> None:
        self._tell = tell
        self.count = 0

    def heard(self) -> None:
        """Count a change that another process made."""
        self.count += 1

    @contextmanager
    def under_way(self) -> Generator[None]:
        """Count a change, and once more in the end for whoever asked meanwhile."""
        self.count += 1
        try:
            yield
        finally:
            self.count += 1
            if self._tell is not None:
                self._tell()


class SecretHolders:
    """Who holds what in one club."""

    def __init__(self, pool: Pool, club_id: UUID, changes: Changes) -> None:
        self._pool = pool
        self._club_id = club_id
        self.changes = changes

    async def find(self, token_hashes: Sequence[bytes]) -> list[Opened]:
        """Find what secrets open, by their hashes."""
        wanted = {"club": self._club_id, "hashes": list(token_hashes)}
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(Opened)) as cursor,
        ):
            await cursor.execute(_FIND, wanted)
            return await cursor.fetchall()
