"""Links to games that anybody may open without a key."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg.rows import kwargs_row

from service.errors import NotFound
from service.store.connection.pool import Pool, connection
from service.store.records import UNNAMED, PublicLink, Terms

_CREATE = """
    INSERT INTO carnet.public_link
        (club_id, link_id, game_id, until, sites, name, expires_at, token_hash, token)
    SELECT %(club)s, %(link)s, %(game)s, %(until)s, %(sites)s, %(name)s, %(expires_at)s,
           %(token_hash)s, %(token)s
    WHERE EXISTS (
        SELECT FROM carnet.game
        WHERE club_id = %(club)s AND game_id = %(game)s
          AND version >= coalesce(%(until)s::integer, 1)
    )
    RETURNING link_id, game_id, token, until, sites, name, created_at, expires_at,
              false AS ended, revoked_at
"""

_FIND = """
    SELECT link_id, game_id, token, until, sites, name, created_at, expires_at,
           false AS ended, revoked_at
    FROM carnet.public_link
    WHERE club_id = %(club)s AND token_hash = %(token_hash)s AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now())
"""

_OF_GAME = """
    SELECT link_id, game_id, token, until, sites, name, created_at, expires_at,
           (expires_at <= now()) IS TRUE AS ended, revoked_at
    FROM carnet.public_link
    WHERE club_id = %(club)s AND game_id = %(game)s
    ORDER BY created_at, link_id
"""

# The first revocation counts: its time is kept. Citus takes no `now()` in RETURNING.
_REVOKE = """
    UPDATE carnet.public_link SET revoked_at = least(revoked_at, now())
    WHERE club_id = %(club)s AND game_id = %(game)s AND link_id = %(link)s
    RETURNING link_id, game_id, token, until, sites, name, created_at, expires_at,
              (expires_at <= revoked_at) IS TRUE AS ended, revoked_at
"""


class PublicLinks:
    """The links of one club that anybody may open."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id

    async def create(
        self,
        link_id: UUID,
        game_id: UUID,
        token_hash: bytes,
        token: str,
        until: int | None = None,
        sites: Sequence[str] = (),
        terms: Terms = UNNAMED,
    ) -> PublicLink:
        """Add a link. `token_hash`: SHA-256 of the token, 32 bytes.

        Raises: NotFound (no such game, or not as long as that), StoreUnavailable
        """
        made = await self._rows(
            _CREATE,
            link=link_id,
            game=game_id,
            token_hash=token_hash,
            token=token,
            until=until,
            sites=list(sites),
            name=terms.name,
            expires_at=terms.expires_at,
        )
        if not made:
            raise NotFound("game", game_id)
        return made[0]

    async def find(self, token_hash: bytes) -> PublicLink:
        """Find the link of a token.

        Raises: NotFound (nobody gave it out, it was revoked, or has ended), StoreUnavailable
        """
        found = await self._rows(_FIND, token_hash=token_hash)
        if not found:
            raise NotFound("link", None)
        return found[0]

    async def of_game(self, game_id: UUID) -> list[PublicLink]:
        """List a game's links, revoked and ended ones included, in the order they were made."""
        return await self._rows(_OF_GAME, game=game_id)

    async def revoke(self, game_id: UUID, link_id: UUID) -> PublicLink:
        """Make a link of a game open nothing from now on. Doing it twice is doing it once.

        Raises: NotFound (the game has no such link), StoreUnavailable
        """
        revoked = await self._rows(_REVOKE, game=game_id, link=link_id)
        if not revoked:
            raise NotFound("link", link_id)
        return revoked[0]

    async def _rows(self, query: LiteralString, **parameters: object) -> list[PublicLink]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=kwargs_row(_link)) as cursor,
        ):
            await cursor.execute(query, {"club": self._club_id, **parameters})
            return await cursor.fetchall()


def _link(sites: list[str], **columns: Any) -> PublicLink:  # noqa: ANN401 a row
    return PublicLink(sites=tuple(sites), **columns)
