"""As whom a database is used: one login owns and migrates it, another serves.

Promises: where the server lets `carnet_service` in, every session of the service logs in as it, or
as a login that has its rights and no others: whatever is asked in such a session, it cannot become
the owner. Where it is not let in (one address with a password, say), sessions act as that role, and
the log says how to do better.

Assumes what deploy/README.md says of a server of one's own. The embedded server trusts whoever
reaches its socket, which only the account that runs it can.
"""

import structlog
from msgspec import Struct
from psycopg import AsyncConnection, OperationalError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.errors import StartupError
from service.store.distribution import SERVICE_ROLE
from service.store.migrate import current_in, migrate
from service.store.pool import CONNECT_SECONDS_MAX, acting_as, as_login, owners_session

# Whether this login may do what the schema's owner may, and whether it may serve.
_RIGHTS = """
    SELECT coalesce(pg_has_role(n.nspowner, 'MEMBER'), true),
           coalesce(has_schema_privilege(n.oid, 'USAGE'), false)
    FROM (SELECT 1) AS one LEFT JOIN pg_namespace n ON n.nspname = 'carnet'
"""

log = structlog.get_logger(__name__)


class Reached(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a database is, for those who serve, and for its owner.

    `role`: the login that serves in the place of the one `url` names; None: that one.
    `direct`: past a pooler that `url` leads to; None: `url` leads to the server.
    `owner`: None, where this process may not migrate, nor take an export in.
    """

    url: str
    role: str | None = None
    direct: str | None = None
    owner: str | None = None

    @property
    def straight(self) -> str:
        """The address of the server itself."""
        return self.direct or self.url

    @property
    def pooled(self) -> bool:
        """Whether a pooler stands between."""
        return self.direct is not None


async def reach(url: str, owner: str | None = None, direct: str | None = None) -> Reached:
    """Bring a database to this program's schema, where we may, and say how to serve it.

    Raises: StartupError, MigrationChanged
    """
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
        await _must_be_current(direct or url)
        return Reached(url=url, direct=direct, owner=owner)
    if direct is not None:
        raise StartupError(
            "Behind a pooler Carnet serves by a login that does not own the database",
            f"Let CARNET_DATABASE_URL and CARNET_DATABASE_DIRECT_URL be {SERVICE_ROLE}'s, and"
            " CARNET_DATABASE_OWNER_URL the owner's",
        )
    return await _separated(url)


async def _separated(url: str) -> Reached:
    """Serve as another than the owner whose address this is."""
    role = (await migrate(url)).role
    if role is None or await _lets_in(as_login(url, role)):
        return Reached(url=url, role=role, owner=url)
    acting = acting_as(url, role)
    acts = await _lets_in(acting)
    log.warning(
        "store.logins_not_separated",
        reason=f"the server does not let {role} in without a password",
        remedy=f"let CARNET_DATABASE_URL be an address for {role}, and CARNET_DATABASE_OWNER_URL"
        " the present one",
    )
    return Reached(url=acting if acts else url, owner=url)


async def _rights(url: str) -> tuple[bool, bool]:
    async with owners_session(url) as conn:
        row = await (await conn.execute(_RIGHTS)).fetchone()
    return (True, False) if row is None else (row[0], row[1])


async def _must_be_current(url: str) -> None:
    async with owners_session(url) as conn:
        if not await current_in(conn):
            raise StartupError(
                "The database's schema is not this program's, and this login may not change it",
                "Run `carnet migrate` with CARNET_DATABASE_OWNER_URL, or set it here",
            )


async def _lets_in(url: str) -> bool:
    wait = conninfo_to_dict(url).get("connect_timeout", CONNECT_SECONDS_MAX)
    try:
        async with await AsyncConnection.connect(make_conninfo(url, connect_timeout=wait)):
            return True
    except OperationalError:
        return False
