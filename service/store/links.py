"""Links to games, as handed to phones.

Promises: a token is never stored, only its SHA-256; a link that was revoked resolves to nothing.
Assumes tokens with enough chance in them that a plain hash cannot be searched (128 bits or more).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from psycopg.rows import args_row, class_row

from service.errors import NotFound
from service.store.pool import Pool, connection
from service.store.records import Link, Role

_CREATE = """
    INSERT INTO carnet.link (club_id, link_id, game_id, role, token_hash)
    SELECT %(club)s, %(link)s, %(game)s, %(role)s, %(token_hash)s
    WHERE EXISTS (SELECT FROM carnet.game WHERE club_id = %(club)s AND game_id = %(game)s)
    RETURNING link_id, game_id, role, created_at, revoked_at
"""

_FIND = """
    SELECT link_id, game_id, role, created_at, revoked_at, token_hash FROM carnet.link
    WHERE club_id = %(club)s AND token_hash = ANY(%(token_hashes)s)
"""

_OF_GAME = """
    SELECT link_id, game_id, role, created_at, revoked_at FROM carnet.link
    WHERE club_id = %(club)s AND game_id = %(game)s
    ORDER BY created_at, link_id
"""

# The first revocation counts: its time is kept.
_REVOKE = """
    UPDATE carnet.link SET revoked_at = coalesce(revoked_at, clock_timestamp())
    WHERE club_id = %(club)s AND link_id = %(link)s
    RETURNING link_id, game_id, role, created_at, revoked_at
"""


class Links:
    """The links of one club. `revocations`: how many this process has begun."""

    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id
        self.revocations = 0

    async def create(self, link_id: UUID, game_id: UUID, role: Role, token_hash: bytes) -> Link:
        """Add a link. `token_hash`: SHA-256 of the token, 32 bytes.

        Raises: NotFound (no such game), StoreUnavailable
        """
        made = await self._rows(
            _CREATE, link=link_id, game=game_id, role=role, token_hash=token_hash
        )
        if not made:
            raise NotFound("game", game_id)
        return made[0]

    async def resolve(self, token_hash: bytes) -> Link | None:
        """Find the link of a token; None if nobody gave it out or it was revoked.

        Raises: StoreUnavailable
        """
        found = (await self.find([token_hash])).get(token_hash)
        return None if found is None or found.revoked_at is not None else found

    async def find(self, token_hashes: Sequence[bytes]) -> dict[bytes, Link]:
        """Find the links of tokens, revoked ones included, by the hash; nobody's are left out.

        Raises: StoreUnavailable
        """
        if not token_hashes:
            return {}
        async with (
            connection(self._pool) as conn,
            conn.cursor(binary=True, row_factory=args_row(_hashed)) as cursor,
        ):
            wanted = {"club": self._club_id, "token_hashes": list(token_hashes)}
            await cursor.execute(_FIND, wanted)
            return dict(await cursor.fetchall())

    async def of_game(self, game_id: UUID) -> list[Link]:
        """List a game's links, revoked ones included, in the order they were made.

        Raises: StoreUnavailable
        """
        return await self._rows(_OF_GAME, game=game_id)

    async def revoke(self, link_id: UUID) -> Link:
        """Make a link resolve to nothing from now on. Doing it twice is doing it once.

        Raises: NotFound, StoreUnavailable
        """
        self.revocations += 1
        try:
            revoked = await self._rows(_REVOKE, link=link_id)
        finally:
            self.revocations += 1  # for who looked it up meanwhile
        if not revoked:
            raise NotFound("link", link_id)
        return revoked[0]

    async def _rows(self, query: LiteralString, **parameters: object) -> list[Link]:
        async with (
            connection(self._pool) as conn,
            conn.cursor(binary=True, row_factory=class_row(Link)) as cursor,
        ):
            await cursor.execute(query, {"club": self._club_id, **parameters})
            return await cursor.fetchall()


def _hashed(
    link_id: UUID,
    game_id: UUID,
    role: Role,
    created_at: datetime,
    revoked_at: datetime | None,
    token_hash: bytes,
) -> tuple[bytes, Link]:
    link = Link(
        link_id=link_id, game_id=game_id, role=role, created_at=created_at, revoked_at=revoked_at
    )
    return token_hash, link
