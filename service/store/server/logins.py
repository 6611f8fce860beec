"""Database logins: one owns and migrates, another serves."""

import asyncio

import structlog
from msgspec import Struct
from psycopg import AsyncConnection, OperationalError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, Ping

from service.errors import StartupError
from service.store.connection.pool import (
    CONNECT_SECONDS_MAX,
    owner_session,
    url_with_login,
    url_with_role,
)
from service.store.server.distribution import SERVICE_ROLE
from service.store.server.migrate import is_current, migrate

# Whether this login has the rights of the schema's owner, and whether it may serve.
_RIGHTS = """
    SELECT coalesce(pg_has_role(n.nspowner, 'MEMBER'), true),
           coalesce(has_schema_privilege(n.oid, 'USAGE'), false)
    FROM (SELECT 1) AS one LEFT JOIN pg_namespace n ON n.nspname = 'carnet'
"""

# Whether a session limit is reached: of the server, of the role, or of the database.
# Every role sees the users of other sessions, if not their queries.
_NO_ROOM = """
    SELECT count(*) >= current_setting('max_connections')::integer
                       - current_setting('superuser_reserved_connections')::integer
        OR count(*) FILTER (WHERE a.usesysid = r.oid) >= nullif(min(r.rolconnlimit), -1)
        OR count(*) FILTER (WHERE a.datid = d.oid) >= nullif(min(d.datconnlimit), -1)
    FROM pg_roles r, pg_database d, pg_stat_activity a
    WHERE r.rolname = coalesce(%s::name, session_user) AND d.datname = current_database()
      AND a.usesysid IS NOT NULL
"""

log = structlog.get_logger(__name__)


class DatabaseUrls(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The URLs of a database for serving and for its owner.

    `role`: the login that serves instead of the one in `url`; None: that one. `direct`: bypasses a
    pooler in `url`; None: there is none. `owner`: None if this process may neither migrate nor
    restore.
    """

    url: str
    role: str | None = None
    direct: str | None = None
    owner: str | None = None

    @property
    def without_pooler(self) -> str:
        return self.direct or self.url

    @property
    def behind_pooler(self) -> bool:
        return self.direct is not None


async def resolve_urls(
    url: str, owner: str | None = None, direct: str | None = None
) -> DatabaseUrls:
    """Migrate a database if allowed, and return how to serve it."""
    if owner is not None:
        await migrate(owner)
    owns, serves = await _rights(direct or url)
    if owner is not None or not owns:
        if owns:
            raise StartupError(
                "The login of CARNET_DATABASE_URL may do whatever the database's owner may",
                f"Let it be {SERVICE_ROLE}, or another login with that role and no more",
            )
        if not serves:
            raise StartupError(
                "The login of CARNET_DATABASE_URL may not serve",
                f"GRANT {SERVICE_ROLE} to it",
            )
        async with owner_session(direct or url) as conn:
            if not await is_current(conn):
                raise StartupError(
                    "The database's schema is not this program's, and this login may not change it",
                    "Run `carnet migrate` with CARNET_DATABASE_OWNER_URL, or set it here",
                )
        return DatabaseUrls(url=url, direct=direct, owner=owner)
    if direct is not None:
        raise StartupError(
            "Behind a pooler Carnet serves by a login that does not own the database",
            f"Let CARNET_DATABASE_URL and CARNET_DATABASE_DIRECT_URL be {SERVICE_ROLE}'s, and"
            " CARNET_DATABASE_OWNER_URL the owner's",
        )
    return await _separate_roles(url)


async def _separate_roles(url: str) -> DatabaseUrls:
    role = (await migrate(url)).role
    if role is None or await accepts_login(url_with_login(url, role), url):
        return DatabaseUrls(url=url, role=role, owner=url)
    acting = url_with_role(url, role)
    acts = await accepts_login(acting, url)
    log.warning(
        "store.logins_not_separated",
        reason=f"the server does not let {role} in without a password",
        remedy=f"let CARNET_DATABASE_URL be an address for {role}, and CARNET_DATABASE_OWNER_URL"
        " the present one",
    )
    return DatabaseUrls(url=acting if acts else url, owner=url)


async def _rights(url: str) -> tuple[bool, bool]:
    async with owner_session(url) as conn:
        row = await (await conn.execute(_RIGHTS)).fetchone()
    return (True, False) if row is None else (row[0], row[1])


async def accepts_login(url: str, owner: str) -> bool:
    """Return whether the server accepts a login; `owner`: the URL of one that it accepts.

    libpq reports no SQLSTATE for a refused login. So unless a password was requested, the owner's
    login is tried as well, and twice, because sessions may end meanwhile.

    Raises: StartupError (the server accepts no login now)
    """
    given = conninfo_to_dict(url)
    wait = given.get("connect_timeout", CONNECT_SECONDS_MAX)
    for _ in range(2):
        try:
            async with await AsyncConnection.connect(make_conninfo(url, connect_timeout=wait)):
                return True
        except OperationalError as error:
            if error.pgconn is not None and error.pgconn.needs_password:
                return False
            await _check_other_login(url, given.get("user"), owner, error)
    return False


async def _check_other_login(url: str, user: object, owner: str, error: OperationalError) -> None:
    """Check that the server accepts another login."""
    answers = await asyncio.to_thread(PGconn.ping, url.encode())
    if answers == Ping.OK:
        async with owner_session(owner) as conn:
            row = await (await conn.execute(_NO_ROOM, [user])).fetchone()
        if row != (True,):
            return
    raise StartupError(
        f"The database lets nobody in just now: {' '.join(str(error).split()).rstrip('.')}",
        "Wait until it has started, or end sessions that nobody needs, and start again",
    ) from error
