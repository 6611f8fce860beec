"""Links to games, as handed to phones."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg.rows import class_row, kwargs_row

from service.errors import NotFound
from service.store.access.secret_holders import Changes
from service.store.connection.pool import Pool, connection
from service.store.records import UNNAMED, Link, Recorder, Role, Terms

_CREATE = """
    INSERT INTO carnet.link (club_id, link_id, game_id, role, name, expires_at, token_hash)
    SELECT %(club)s, %(link)s, %(game)s, %(role)s, %(name)s, %(expires_at)s, %(token_hash)s
    WHERE EXISTS (SELECT FROM carnet.game WHERE club_id = %(club)s AND game_id = %(game)s)
    RETURNING link_id, game_id, role, name, created_at, expires_at,
              false AS ended, revoked_at
"""

_FIND = """
    SELECT link_id, game_id, role, name, created_at, expires_at,
           (expires_at <= now()) IS TRUE AS ended, revoked_at, token_hash
    FROM carnet.link
    WHERE club_id = %(club)s AND token_hash = ANY(%(token_hashes)s)
"""

_OF_GAME = """
    SELECT link_id, game_id, role, name, created_at, expires_at,
           (expires_at <= now()) IS TRUE AS ended, revoked_at
    FROM carnet.link
    WHERE club_id = %(club)s AND game_id = %(game)s
    ORDER BY created_at, link_id
"""

_RECORDERS = """
    SELECT link_id AS holder_id, name,
           row_number() OVER (ORDER BY created_at, link_id)::integer AS number
    FROM carnet.link
    WHERE club_id = %(club)s AND game_id = %(game)s
    UNION ALL
    SELECT member_id, name, NULL FROM carnet.member WHERE club_id = %(club)s
    UNION ALL
    SELECT token_id, name, NULL FROM carnet.api_token WHERE club_id = %(club)s
"""

# The first revocation counts: its time is kept. Citus takes no `now()` in RETURNING.
_REVOKE = """
    UPDATE carnet.link SET revoked_at = least(revoked_at, now())
    WHERE club_id = %(club)s AND link_id = %(link)s
    RETURNING link_id, game_id, role, name, created_at, expires_at,
              (expires_at <= revoked_at) IS TRUE AS ended, revoked_at
"""


class Links:
    """The links of one club. `changes` counts what this process changed."""

    def __init__(self, pool: Pool, club_id: UUID, changes: Changes | None = None) -> None:
        self._pool = pool
        self._club_id = club_id
        self._changes = changes or Changes()

    async def create(
        self,
        link_id: UUID,
        game_id: UUID,
        role: Role,
        token_hash: bytes,
        terms: Terms = UNNAMED,
    ) -> Link:
        """Add a link. `token_hash`: SHA-256 of the token, 32 bytes.

        Raises: NotFound (no such game), StoreUnavailable
        """
        with self._changes.under_way():
            made = await self._rows(
                _CREATE,
                link=link_id,
                game=game_id,
                role=role,
                name=terms.name,
                expires_at=terms.expires_at,
                token_hash=token_hash,
            )
        if not made:
            raise NotFound("game", game_id)
        return made[0]

    async def find(self, token_hashes: Sequence[bytes]) -> dict[bytes, Link]:
        """Find the links of tokens by the hash, revoked and ended ones included; not nobody's."""
        if not token_hashes:
            return {}
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=kwargs_row(_hashed)) as cursor,
        ):
            wanted = {"club": self._club_id, "token_hashes": list(token_hashes)}
            await cursor.execute(_FIND, wanted)
            return dict(await cursor.fetchall())

    async def of_game(self, game_id: UUID) -> list[Link]:
        """List a game's links, revoked and ended ones included, in the order they were made."""
        return await self._rows(_OF_GAME, game=game_id)

    async def recorders(self, game_id: UUID) -> dict[UUID, Recorder]:
        """Find who may be recorded beside a game's entries, whatever they may still do."""
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(Recorder)) as cursor,
        ):
            await cursor.execute(_RECORDERS, {"club": self._club_id, "game": game_id})
            return {one.holder_id: one for one in await cursor.fetchall()}

    async def revoke(self, link_id: UUID) -> Link:
        """Make a link resolve to nothing from now on. Doing it twice is doing it once.

        Raises: NotFound, StoreUnavailable
        """
        with self._changes.under_way():
            revoked = await self._rows(_REVOKE, link=link_id)
        if not revoked:
            raise NotFound("link", link_id)
        return revoked[0]

    async def _rows(self, query: LiteralString, **parameters: object) -> list[Link]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=class_row(Link)) as cursor,
        ):
            await cursor.execute(query, {"club": self._club_id, **parameters})
            return await cursor.fetchall()


def _hashed(token_hash: bytes, **columns: Any) -> tuple[bytes, Link]:  # noqa: ANN401 a row
    return token_hash, Link(**columns)
