"""The members of a club and the invitations for their devices."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from service.errors import LastOwner, NotFound
from service.store.access.grants import GrantChanges
from service.store.connection.pool import Pool, connection, rows_as
from service.store.records import MemberRole

INVITATION_LASTS = timedelta(days=3)

_ALL = """
    SELECT m.member_id, m.name, m.role, m.created_at,
           EXISTS (SELECT FROM carnet.access_grant i
                   WHERE i.club_id = %(club)s AND i.kind = 'invitation'
                     AND i.member_id = m.member_id AND i.used_at IS NOT NULL) AS joined
    FROM carnet.member m
    WHERE m.club_id = %(club)s AND m.removed_at IS NULL
    ORDER BY m.created_at, m.member_id
"""

# One statement: a member stored without an invitation would be created again on retry.
_ADD_INVITED = """
    WITH added AS (
        INSERT INTO carnet.member (club_id, member_id, name, role)
        VALUES (%(club)s, %(member)s, %(name)s, %(role)s)
    )
    INSERT INTO carnet.access_grant (club_id, grant_id, kind, secret_hash, member_id, expires_at)
    VALUES (%(club)s, gen_random_uuid(), 'invitation', %(token_hash)s, %(member)s,
            clock_timestamp() + %(lasts)s)
"""

_INVITE = """
    INSERT INTO carnet.access_grant (club_id, grant_id, kind, secret_hash, member_id, expires_at)
    SELECT %(club)s, gen_random_uuid(), 'invitation', %(token_hash)s, %(member)s,
           clock_timestamp() + %(lasts)s
    WHERE EXISTS (SELECT FROM carnet.member
                  WHERE club_id = %(club)s AND member_id = %(member)s AND removed_at IS NULL)
"""

_INVITED = """
    SELECT m.member_id, m.name, m.role, m.created_at, false AS joined
    FROM carnet.access_grant i
    JOIN carnet.member m ON m.club_id = i.club_id AND m.member_id = i.member_id
    WHERE i.club_id = %(club)s AND i.kind = 'invitation' AND i.secret_hash = %(token_hash)s
      AND i.used_at IS NULL AND i.expires_at > clock_timestamp() AND m.removed_at IS NULL
"""

_SPENT = """
    SELECT used_at IS NOT NULL FROM carnet.access_grant
    WHERE club_id = %s AND kind = 'invitation' AND secret_hash = %s
"""

_USE_INVITATION = """
    UPDATE carnet.access_grant SET used_at = statement_timestamp()
    WHERE club_id = %(club)s AND kind = 'invitation' AND secret_hash = %(token_hash)s
      AND used_at IS NULL AND expires_at > statement_timestamp()
"""

# Owners are locked in a fixed order: of two who remove each other, one waits for the other.
_CHANGE = """
    WITH owners AS (
        SELECT member_id FROM carnet.member
        WHERE club_id = %(club)s AND role = 'owner' AND removed_at IS NULL
        ORDER BY member_id FOR UPDATE
    )
    UPDATE carnet.member SET name = %(name)s, role = %(role)s
    WHERE club_id = %(club)s AND member_id = %(member)s AND removed_at IS NULL
      AND (role <> 'owner' OR %(role)s = 'owner' OR (SELECT count(*) FROM owners) > 1)
"""

_REMOVE = """
    WITH owners AS (
        SELECT member_id FROM carnet.member
        WHERE club_id = %(club)s AND role = 'owner' AND removed_at IS NULL
        ORDER BY member_id FOR UPDATE
    )
    UPDATE carnet.member SET name = '', player_id = NULL, removed_at = statement_timestamp()
    WHERE club_id = %(club)s AND member_id = %(member)s AND removed_at IS NULL
      AND (role <> 'owner' OR (SELECT count(*) FROM owners) > 1)
"""


# A merged entry counts as its person; an erased person has no name.
_PLAYER = """
    SELECT w.player_id FROM carnet.player p
    JOIN carnet.player w
      ON w.club_id = p.club_id AND w.player_id = coalesce(p.person_id, p.player_id)
    WHERE p.club_id = %(club)s AND w.name IS NOT NULL AND p.player_id IN (
        SELECT m.player_id FROM carnet.member m
        WHERE m.club_id = %(club)s AND m.member_id = ANY (%(members)s::uuid[])
          AND m.removed_at IS NULL
        UNION ALL
        SELECT g.player_id FROM carnet.access_grant g
        WHERE g.club_id = %(club)s AND g.grant_id = %(session)s AND g.kind = 'session')
    LIMIT 1
"""

_TIE_MEMBERS = """
    UPDATE carnet.member SET player_id = %(player)s
    WHERE club_id = %(club)s AND member_id = ANY (%(members)s::uuid[])
"""

_TIE_SESSION = """
    UPDATE carnet.access_grant SET player_id = %(player)s
    WHERE club_id = %(club)s AND grant_id = %(session)s AND kind = 'session'
"""


class Member(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A member. `joined`: one of their devices has signed in."""

    member_id: UUID
    name: str
    role: MemberRole
    created_at: datetime
    joined: bool


class Members:
    def __init__(self, pool: Pool, club_id: UUID, changes: GrantChanges) -> None:
        self._pool = pool
        self._club_id = club_id
        self._changes = changes

    async def all(self) -> Sequence[Member]:
        return await self._rows(_ALL)

    async def add_invited(
        self, member_id: UUID, name: str, role: MemberRole, token_hash: bytes
    ) -> None:
        """Add a member with the invitation for their first device, both or none."""
        facts = {"name": name, "role": role, "token_hash": token_hash}
        await self._change(_ADD_INVITED, member=member_id, lasts=INVITATION_LASTS, **facts)

    async def invite(self, member_id: UUID, token_hash: bytes) -> None:
        """Add an invitation for a device of a member. `token_hash`: 32 bytes. Raises: NotFound."""
        made = await self._change(
            _INVITE, member=member_id, token_hash=token_hash, lasts=INVITATION_LASTS
        )
        if not made:
            raise NotFound("member", member_id)

    async def find_invited(self, token_hash: bytes) -> Member | None:
        """Find the member of a valid invitation; None: unknown, used or expired."""
        members = await self._rows(_INVITED, token_hash=token_hash)
        return members[0] if members else None

    async def invitation_end(self, token_hash: bytes) -> Literal["used", "ended"] | None:
        """Return why an invitation no longer works; None: it is unknown."""
        async with connection(self._pool, self._club_id) as conn:
            row = await (await conn.execute(_SPENT, [self._club_id, token_hash])).fetchone()
            return None if row is None else "used" if row[0] else "ended"

    async def use(self, token_hash: bytes) -> bool:
        """Use an invitation; return whether it was still valid."""
        return await self._change(_USE_INVITATION, token_hash=token_hash) == 1

    async def change(self, member_id: UUID, name: str, role: MemberRole) -> None:
        """Change a member's name and role. Raises: NotFound, LastOwner."""
        if not await self._change(_CHANGE, member=member_id, name=name, role=role):
            await self._refuse(member_id)

    async def remove(self, member_id: UUID) -> None:
        """Remove a member with their name; their devices lose the rights of this member.

        Raises: NotFound, LastOwner
        """
        if not await self._change(_REMOVE, member=member_id):
            await self._refuse(member_id)

    async def player(self, members: Sequence[UUID], session: UUID | None) -> UUID | None:
        """Return the player linked to these members, else to this session."""
        parameters = {"club": self._club_id, "members": list(members), "session": session}
        async with connection(self._pool, self._club_id) as conn:
            row = await (await conn.execute(_PLAYER, parameters)).fetchone()
            return None if row is None else row[0]

    async def tie(self, members: Sequence[UUID], session: UUID, player: UUID | None) -> None:
        """Link a player to the members, else to the session; None removes the link."""
        whom = {"members": list(members), "session": session}
        if members:
            await self._change(_TIE_MEMBERS, **whom, player=player)
        if not members or player is None:
            await self._change(_TIE_SESSION, **whom, player=player)

    async def _refuse(self, member_id: UUID) -> None:
        if member_id in {member.member_id for member in await self.all()}:
            raise LastOwner
        raise NotFound("member", member_id)

    async def _change(self, query: str, **parameters: Any) -> int:  # noqa: ANN401 as psycopg's
        with self._changes.changing():
            async with connection(self._pool, self._club_id) as conn:
                done = await conn.execute(query.encode(), {"club": self._club_id, **parameters})
                return done.rowcount

    async def _rows(self, query: str, **parameters: Any) -> list[Member]:  # noqa: ANN401 as above
        return await rows_as(
            Member, self._pool, self._club_id, query.encode(), {"club": self._club_id, **parameters}
        )
