"""The tokens that programs come with: named, with a role, for some games or the club."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import Struct
from psycopg.rows import class_row

from service.errors import NotFound
from service.store.access.secret_holders import Changes
from service.store.connection.pool import Pool, connection
from service.store.records import MemberRole

_CREATE = """
    INSERT INTO carnet.api_token (club_id, token_id, token_hash, name, role, games, expires_at)
    SELECT %(club)s, %(token)s, %(token_hash)s, %(name)s, %(role)s, %(games)s::uuid[],
           now() + %(lasts)s::interval
    WHERE (SELECT count(*) FROM carnet.game
           WHERE club_id = %(club)s AND game_id = ANY (%(games)s::uuid[]))
          = cardinality(%(games)s::uuid[])
"""

_ALL = """
    SELECT token_id, name, role, games, created_at, expires_at, seen_at,
           expires_at IS NOT NULL AND expires_at <= now() AS ended,
           ARRAY (
               SELECT jsonb_build_object(
                   'id', g.game_id, 'ruleset', g.ruleset, 'started_at', g.started_at,
                   'names', ARRAY (
                       SELECT s.name FROM carnet.seated s
                       WHERE s.club_id = %(club)s AND s.game_id = g.game_id ORDER BY s.seat))
               FROM carnet.game g
               WHERE g.club_id = %(club)s AND g.game_id = ANY (api_token.games)
               ORDER BY g.started_at, g.game_id
           ) AS limited_to
    FROM carnet.api_token
    WHERE club_id = %(club)s AND revoked_at IS NULL
    ORDER BY created_at, token_id
"""

_REVOKE = """
    UPDATE carnet.api_token SET revoked_at = now()
    WHERE club_id = %(club)s AND token_id = %(token)s AND revoked_at IS NULL
"""

_SEEN = """
    UPDATE carnet.api_token SET seen_at = now()
    WHERE club_id = %(club)s AND token_id = %(token)s AND revoked_at IS NULL
"""


class ApiToken(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token that was not revoked. `games` []: it reaches the club, and its games to come.

    `seen_at` None: it was never used; `ended`: its end is past. `limited_to`: its games, as
    `LimitedTo` in JSON.
    """

    token_id: UUID
    name: str
    role: MemberRole
    games: list[UUID]
    created_at: datetime
    expires_at: datetime | None
    seen_at: datetime | None
    ended: bool
    limited_to: list[dict[str, Any]]


class LimitedTo(Struct, frozen=True, kw_only=True):
    """A game that a token is limited to. `names`: by seat, None: forgotten."""

    id: UUID
    ruleset: str
    started_at: datetime
    names: list[str | None]


class NewApiToken(Struct, frozen=True, kw_only=True):
    """A token to be made. `token_hash`: 32 bytes; `games`: each once; `lasts` None: no end."""

    token_id: UUID
    token_hash: bytes
    name: str
    role: MemberRole
    games: Sequence[UUID] = ()
    lasts: timedelta | None = None


class ApiTokens:
    """The tokens of one club. `changes` counts what this process changed."""

    def __init__(self, pool: Pool, club_id: UUID, changes: Changes) -> None:
        self._pool = pool
        self._club_id = club_id
        self._changes = changes

    async def create(self, made: NewApiToken) -> None:
        """Add a token; an owner's is for no games in particular.

        Raises: NotFound (one of the games is not there), StoreUnavailable
        """
        done = await self._change(
            _CREATE,
            token=made.token_id,
            token_hash=made.token_hash,
            name=made.name,
            role=made.role,
            games=list(made.games),
            lasts=made.lasts,
        )
        if not done:
            raise NotFound("game", made.games[0] if made.games else None)

    async def all(self) -> list[ApiToken]:
        """List the tokens that were not revoked, in the order they were made."""
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(ApiToken)) as cursor,
        ):
            await cursor.execute(_ALL, {"club": self._club_id})
            return await cursor.fetchall()

    async def revoke(self, token_id: UUID) -> None:
        """Make a token open nothing from now on. Doing it twice is doing it once."""
        await self._change(_REVOKE, token=token_id)

    async def saw(self, token_id: UUID) -> None:
        """Note that a token was used just now."""
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_SEEN, {"club": self._club_id, "token": token_id})

    async def _change(self, query: str, **parameters: object) -> int:
        with self._changes.under_way():
            async with connection(self._pool, self._club_id) as conn:
                done = await conn.execute(query.encode(), {"club": self._club_id, **parameters})
                return done.rowcount
