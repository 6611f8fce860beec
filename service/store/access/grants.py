"""Grants: owner's keys, links, invitations, tokens of programs and sessions, in one table.

Promises: one row per grant, found by the hash of its secret; its rights never change, and the first
revocation counts. Each query names the kinds it accepts, so that a secret of one kind is never
accepted for another.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Literal, LiteralString, TypeAlias, TypeVar
from uuid import UUID

from msgspec import Struct, structs

from service.errors import NotFound
from service.store.connection.pool import BoundedConnection, Pool, connection, rows_as
from service.store.records import Recorder

GrantKind: TypeAlias = Literal["owner_key", "link", "invitation", "token", "session"]
GrantRole: TypeAlias = Literal["owner", "scorer", "reader", "viewer", "public"]

# All games of the chain to which a game belongs: a link to one of them is a link to that game.
_CHAIN = """
    WITH RECURSIVE earlier AS (
        SELECT %(game)s::uuid AS game_id
        UNION
        SELECT c.continues FROM earlier e
        JOIN carnet.continuation c ON c.club_id = %(club)s AND c.game_id = e.game_id
    ), whole AS (
        SELECT game_id FROM earlier
        UNION
        SELECT c.game_id FROM whole w
        JOIN carnet.continuation c ON c.club_id = %(club)s AND c.continues = w.game_id
    )
"""

_COLUMNS = """
    g.grant_id AS id, g.kind, g.role, g.games, g.member_id, g.name, g.until, g.sites, g.secret,
    g.created_at, g.expires_at, g.seen_at, g.revoked_at, (g.expires_at <= now()) IS TRUE AS ended
"""

_CREATE = """
    INSERT INTO carnet.access_grant
        (club_id, grant_id, kind, secret_hash, secret, role, games, until, sites, member_id, opened,
         name, expires_at, seen_at, player_id)
    SELECT %(club)s, %(id)s, %(kind)s, %(secret_hash)s, %(secret)s::text, %(role)s::text,
           %(games)s::uuid[], %(until)s::integer, %(sites)s::text[], %(member_id)s::uuid,
           %(opened)s::bytea[], %(name)s,
           coalesce(%(expires_at)s::timestamptz, clock_timestamp() + %(lasts)s::interval),
           CASE WHEN %(kind)s = 'session' THEN clock_timestamp() END, %(player_id)s::uuid
    WHERE (SELECT count(*) FROM carnet.game
           WHERE club_id = %(club)s AND game_id = ANY (%(games)s::uuid[])
             AND version >= coalesce(%(until)s::integer, 1))
          = cardinality(%(games)s::uuid[])
    RETURNING created_at, expires_at
"""

# Citus takes no `now()` in RETURNING.
_REVOKE = f"""
    {_CHAIN}
    UPDATE carnet.access_grant SET revoked_at = least(revoked_at, now())
    WHERE club_id = %(club)s AND grant_id = %(id)s AND kind = %(kind)s
      AND (%(game)s::uuid IS NULL OR games[1] IN (SELECT game_id FROM whole))
"""  # noqa: S608 -- constant parts

_REPLACE = """
    UPDATE carnet.access_grant SET revoked_at = now()
    WHERE club_id = %(club)s AND grant_id = %(id)s AND kind = 'session' AND revoked_at IS NULL
    RETURNING name, player_id
"""

_RENAME = """
    UPDATE carnet.access_grant SET name = %(name)s
    WHERE club_id = %(club)s AND grant_id = %(id)s AND kind = 'session' AND revoked_at IS NULL
"""

_RECORD_USE = """
    UPDATE carnet.access_grant SET seen_at = now()
    WHERE club_id = %(club)s AND grant_id = %(id)s AND revoked_at IS NULL
"""

_LINKS = f"""
    {_CHAIN}
    SELECT {_COLUMNS} FROM carnet.access_grant g
    WHERE g.club_id = %(club)s AND g.kind = 'link'
      AND g.games[1] IN (SELECT game_id FROM whole)
    ORDER BY g.created_at, g.grant_id
"""  # noqa: S608 -- constant parts

_LINK = f"""
    SELECT {_COLUMNS} FROM carnet.access_grant g
    WHERE g.club_id = %(club)s AND g.kind = 'link' AND g.secret_hash = %(secret_hash)s
      AND (g.role = 'public') = %(public)s
"""  # noqa: S608 -- constant parts

_TOKENS = f"""
    SELECT {_COLUMNS},
           ARRAY (
               SELECT jsonb_build_object(
                   'id', t.game_id, 'ruleset', t.ruleset, 'started_at', t.started_at,
                   'names', ARRAY (
                       SELECT s.name FROM carnet.seated s
                       WHERE s.club_id = %(club)s AND s.game_id = t.game_id ORDER BY s.seat))
               FROM carnet.game t
               WHERE t.club_id = %(club)s AND t.game_id = ANY (g.games)
               ORDER BY t.started_at, t.game_id
           ) AS limited_to
    FROM carnet.access_grant g
    WHERE g.club_id = %(club)s AND g.kind = 'token' AND g.revoked_at IS NULL
    ORDER BY g.created_at, g.grant_id
"""  # noqa: S608 -- constant parts

_SESSIONS = f"""
    SELECT {_COLUMNS}, g.opened,
           coalesce(bool_or(o.kind = 'owner_key'), false) AS owner,
           array_remove(array_agg(DISTINCT m.member_id), NULL) AS members,
           (count(DISTINCT o.games[1]) FILTER (WHERE o.kind = 'link'))::integer AS linked
    FROM carnet.access_grant g
    LEFT JOIN carnet.access_grant o
      ON o.club_id = %(club)s AND o.secret_hash = ANY (g.opened) AND o.revoked_at IS NULL
      AND (o.kind IN ('owner_key', 'invitation')
           OR o.kind = 'link' AND o.role <> 'public'
              AND (o.expires_at IS NULL OR o.expires_at > now()))
    LEFT JOIN carnet.member m
      ON m.club_id = %(club)s AND m.member_id = o.member_id AND m.removed_at IS NULL
    WHERE g.club_id = %(club)s AND g.kind = 'session' AND g.revoked_at IS NULL
    GROUP BY g.club_id, g.grant_id
    ORDER BY g.seen_at DESC, g.grant_id
"""  # noqa: S608 -- constant parts

_RECORDERS = f"""
    {_CHAIN}
    SELECT grant_id AS holder_id, name,
           row_number() OVER (ORDER BY created_at, grant_id)::integer AS number
    FROM carnet.access_grant
    WHERE club_id = %(club)s AND kind = 'link' AND role <> 'public'
      AND games[1] IN (SELECT game_id FROM whole)
    UNION ALL
    SELECT member_id, name, NULL FROM carnet.member WHERE club_id = %(club)s
    UNION ALL
    SELECT grant_id, name, NULL FROM carnet.access_grant
    WHERE club_id = %(club)s AND kind = 'token'
"""  # noqa: S608 -- constant parts

# Whoever may read or record a game may do so in the games of its chain.
_RESOLVE = """
    WITH RECURSIVE asked AS (
        SELECT h AS asked, h AS secret_hash, NULL::uuid AS session_id, NULL::timestamptz AS seen_at
        FROM unnest(%(hashes)s::bytea[]) AS h
        UNION ALL
        SELECT s.secret_hash, o, s.grant_id, s.seen_at
        FROM carnet.access_grant s
        LEFT JOIN LATERAL unnest(s.opened) AS o ON true
        WHERE s.club_id = %(club)s AND s.secret_hash = ANY (%(hashes)s)
          AND s.kind = 'session' AND s.revoked_at IS NULL
    ), earlier AS (
        SELECT DISTINCT one AS named, one AS game_id
        FROM asked a
        JOIN carnet.access_grant g ON g.club_id = %(club)s AND g.secret_hash = a.secret_hash
        CROSS JOIN LATERAL unnest(g.games) AS one
        UNION
        SELECT e.named, c.continues FROM earlier e
        JOIN carnet.continuation c ON c.club_id = %(club)s AND c.game_id = e.game_id
    ), whole AS (
        SELECT named, game_id FROM earlier
        UNION
        SELECT w.named, c.game_id FROM whole w
        JOIN carnet.continuation c ON c.club_id = %(club)s AND c.continues = w.game_id
    )
    SELECT a.asked, a.secret_hash, a.session_id, coalesce(a.seen_at, g.seen_at) AS seen_at,
           g.kind, coalesce(m.member_id, g.grant_id) AS holder_id, coalesce(m.role, g.role) AS role,
           ARRAY(SELECT w.game_id FROM whole w WHERE w.named = ANY (g.games)
                 GROUP BY w.game_id
                 ORDER BY array_position(g.games, w.game_id), w.game_id) AS games,
           g.revoked_at IS NOT NULL
               OR CASE g.kind WHEN 'invitation' THEN m.member_id IS NULL
                  ELSE (g.expires_at <= now()) IS TRUE END AS ended,
           c.suspended_at IS NOT NULL AS suspended
    FROM asked a
    LEFT JOIN carnet.club c ON c.club_id = %(club)s
    -- An invitation is used up where it was opened, and lets nobody in by itself; a program's token
    -- lets no browser in.
    LEFT JOIN carnet.access_grant g
      ON g.club_id = %(club)s AND g.secret_hash = a.secret_hash
      AND (g.kind = 'owner_key' OR g.kind = 'link' AND g.role <> 'public'
           OR g.kind = CASE WHEN a.session_id IS NULL THEN 'token' ELSE 'invitation' END)
    LEFT JOIN carnet.member m
      ON m.club_id = %(club)s AND m.member_id = g.member_id AND m.removed_at IS NULL
"""

_REVOKE_OWNER_KEY = """
    UPDATE carnet.access_grant SET revoked_at = now()
    WHERE club_id = %(club)s AND kind = 'owner_key' AND revoked_at IS NULL
"""
_ADD_OWNER_KEY = """
    INSERT INTO carnet.access_grant (club_id, grant_id, kind, role, secret_hash)
    VALUES (%(club)s, gen_random_uuid(), 'owner_key', 'owner', %(secret_hash)s)
    ON CONFLICT (club_id) WHERE kind = 'owner_key' AND revoked_at IS NULL DO NOTHING
"""
_OWNER_KEY = """
    SELECT secret_hash FROM carnet.access_grant
    WHERE club_id = %(club)s AND kind = 'owner_key' AND revoked_at IS NULL
"""


class Grant(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A grant. `name` "": it has none.

    `games` []: it applies to the club; `until`, `sites`, `secret`: of a public link, the last
    version it shows, the origins whose pages may frame it, and its token. `ended`: it had expired
    when it was read. `seen_at`: last use of a session or token, None: never.
    """

    id: UUID
    kind: GrantKind
    role: GrantRole | None
    games: list[UUID]
    member_id: UUID | None
    name: str
    until: int | None
    sites: list[str]
    secret: str | None
    created_at: datetime
    expires_at: datetime | None
    seen_at: datetime | None
    revoked_at: datetime | None
    ended: bool

    @property
    def game_id(self) -> UUID:
        return self.games[0]

    @property
    def opens(self) -> bool:
        """Whether it was neither revoked nor expired when it was read."""
        return self.revoked_at is None and not self.ended


class NewGrant(Struct, frozen=True, kw_only=True):
    """A grant to create, with fields as of `Grant`.

    `secret_hash`: 32 bytes; `lasts`: time until it expires; `opened`: of a session, the hashes of
    the secrets opened in it.
    """

    id: UUID
    kind: GrantKind
    secret_hash: bytes
    secret: str | None = None
    role: GrantRole | None = None
    games: Sequence[UUID] = ()
    until: int | None = None
    sites: Sequence[str] = ()
    member_id: UUID | None = None
    opened: Sequence[bytes] = ()
    name: str = ""
    expires_at: datetime | None = None
    lasts: timedelta | None = None
    player_id: UUID | None = None

    @property
    def columns(self) -> dict[str, Any]:
        lists = {name: list(getattr(self, name)) for name in ("games", "sites", "opened")}
        return structs.asdict(self) | lists


class Token(Grant, frozen=True, kw_only=True):
    """A program's token. `limited_to`: its games, as `LimitedTo` in JSON."""

    limited_to: list[dict[str, Any]]


class LimitedTo(Struct, frozen=True, kw_only=True):
    """A game that a token is limited to. `names`: by seat, None: forgotten."""

    id: UUID
    ruleset: str
    started_at: datetime
    names: list[str | None]


class Session(Grant, frozen=True, kw_only=True):
    """A browser's session. `opened`: the hashes of the secrets opened in it.

    `owner`: it includes the stored owner's key; `members`: the members whose device it is;
    `linked`: its number of games with valid links.
    """

    opened: list[bytes]
    owner: bool
    members: list[UUID]
    linked: int


class Replaced(Struct, frozen=True, kw_only=True):
    """The previous session of a browser. `carried`: the rights that the next one takes over."""

    session_id: UUID
    carried: Sequence[bytes]


class ResolvedGrant(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A right that a presented secret opens, directly or through its session; `asked` is its hash.

    `secret_hash` None: the session opened nothing. `kind` None: no valid grant has the secret.
    `holder_id`: the member's, else the grant's. `suspended`: the club is suspended.
    """

    asked: bytes
    secret_hash: bytes | None
    session_id: UUID | None
    seen_at: datetime | None
    kind: GrantKind | None
    holder_id: UUID | None
    role: GrantRole | None
    games: list[UUID]
    ended: bool
    suspended: bool


class GrantChanges:
    """Counts changes of rights that this process has begun, finished or received.

    `publish` sends a change to other processes.
    """

    def __init__(self, publish: Callable[[], None] | None = None) -> None:
        self._publish = publish
        self.count = 0

    def count_remote(self) -> None:
        """Count a change made by another process."""
        self.count += 1

    @contextmanager
    def changing(self) -> Generator[None]:
        """Count a change at its begin and end, so that readers in between are invalidated."""
        self.count += 1
        try:
            yield
        finally:
            self.count += 1
            if self._publish is not None:
                self._publish()


_Row = TypeVar("_Row", bound=Struct)


class Grants:
    def __init__(self, pool: Pool, club_id: UUID, changes: GrantChanges | None = None) -> None:
        self._pool = pool
        self._club_id = club_id
        self._changes = changes or GrantChanges()

    async def create(self, new: NewGrant) -> Grant:
        """Add a grant. Raises: NotFound (a game does not exist or is shorter)."""
        with self._changes.changing():
            async with connection(self._pool, self._club_id) as conn:
                return await self._create(conn, new)

    async def open_session(self, new: NewGrant, replaced: Replaced | None = None) -> None:
        """Create a session; the browser's previous one ends in the same transaction.

        Name, player and rights are carried over unless it was ended meanwhile.
        """
        with self._changes.changing():
            async with connection(self._pool, self._club_id) as conn, conn.transaction():
                if replaced is not None:
                    before = {"club": self._club_id, "id": replaced.session_id}
                    if row := await (await conn.execute(_REPLACE, before)).fetchone():
                        opened = [*new.opened, *replaced.carried]
                        new = structs.replace(new, name=row[0], opened=opened, player_id=row[1])
                await self._create(conn, new)

    async def revoke(self, kind: GrantKind, grant_id: UUID, game_id: UUID | None = None) -> bool:
        """Revoke a grant; return whether it exists.

        `game_id`: the game that it must be a link of.
        """
        return bool(await self._change(_REVOKE, id=grant_id, kind=kind, game=game_id))

    async def rename_session(self, session_id: UUID, name: str) -> None:
        await self._change(_RENAME, id=session_id, name=name)

    async def record_use(self, grant_id: UUID) -> None:
        async with connection(self._pool, self._club_id) as conn:
            await conn.execute(_RECORD_USE, {"club": self._club_id, "id": grant_id})

    async def links(self, game_id: UUID) -> list[Grant]:
        """List a game's links in creation order, revoked and expired ones included."""
        return await self._rows(Grant, _LINKS, game=game_id)

    async def link(self, secret_hash: bytes, *, public: bool = False) -> Grant | None:
        """Find a link by its token, also if it is revoked or expired."""
        grants = await self._rows(Grant, _LINK, secret_hash=secret_hash, public=public)
        return grants[0] if grants else None

    async def tokens(self) -> list[Token]:
        return await self._rows(Token, _TOKENS)

    async def sessions(self) -> list[Session]:
        """List the open sessions, most recently used first."""
        return await self._rows(Session, _SESSIONS)

    async def recorders(self, game_id: UUID) -> dict[UUID, Recorder]:
        """List the possible recorders of a game's entries."""
        recorders = await self._rows(Recorder, _RECORDERS, game=game_id)
        return {recorder.holder_id: recorder for recorder in recorders}

    async def resolve(self, secret_hashes: Sequence[bytes]) -> list[ResolvedGrant]:
        return await self._rows(ResolvedGrant, _RESOLVE, hashes=list(secret_hashes))

    async def claim_owner_key(self, secret_hash: bytes) -> bool:
        """Store the first owner's key; return whether it is the valid one."""
        return bool(await self._change(_ADD_OWNER_KEY, secret_hash=secret_hash))

    async def replace_owner_key(self, secret_hash: bytes) -> None:
        key = {"club": self._club_id, "secret_hash": secret_hash}
        added = 0
        while not added:  # 0: replaced concurrently
            with self._changes.changing():
                async with connection(self._pool, self._club_id) as conn, conn.transaction():
                    await conn.execute(_REVOKE_OWNER_KEY, key)
                    added = (await conn.execute(_ADD_OWNER_KEY, key)).rowcount

    async def owner_key_hash(self) -> bytes | None:
        """Return the hash of the valid owner's key; None before the first start."""
        async with connection(self._pool, self._club_id) as conn:
            cursor = await conn.execute(_OWNER_KEY, {"club": self._club_id}, binary=True)
            row = await cursor.fetchone()
        return None if row is None else bytes(row[0])

    async def _create(self, conn: BoundedConnection, new: NewGrant) -> Grant:
        columns = new.columns
        made = await conn.execute(_CREATE, {"club": self._club_id, **columns})
        row = await made.fetchone()
        if row is None:
            raise NotFound("game", new.games[0] if new.games else None)
        known = {name: columns[name] for name in Grant.__struct_fields__ if name in columns}
        times = {"created_at": row[0], "expires_at": row[1], "seen_at": None, "revoked_at": None}
        return Grant(**known | times, ended=False)

    async def _change(self, query: LiteralString, **parameters: object) -> int:
        with self._changes.changing():
            async with connection(self._pool, self._club_id) as conn:
                return (await conn.execute(query, {"club": self._club_id, **parameters})).rowcount

    async def _rows(
        self, row: type[_Row], query: LiteralString, **parameters: object
    ) -> list[_Row]:
        return await rows_as(
            row, self._pool, self._club_id, query, {"club": self._club_id, **parameters}
        )
