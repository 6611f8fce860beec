"""Brings a database to the schema in `sql/`.

Promises: the numbered files are applied in order, once, all that are missing in one transaction;
each is recorded with its SHA-256, and one that was applied and reads differently now stops the
start (`MigrationChanged`). Any number of processes may migrate at once: one does, the others wait
and find it done. The service's role and its grants are made anew each time.

Assumes a user who may create a schema. Where that user may neither create roles nor act as
`carnet_service`, Carnet works without the separation of roles and says so in the log: the triggers
and the hashes of the log still stand, but a mistake in our own code is no longer held by
privileges. An administrator restores it with CREATE ROLE carnet_service; GRANT carnet_service TO
the user; the next start does the rest.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

import structlog
from msgspec import Struct
from psycopg import AsyncConnection, Error, OperationalError, errors

from service.errors import MigrationChanged, StartupError
from service.store.pool import Pool, connection

SERVICE_ROLE = "carnet_service"
SERVER_VERSION_MIN = 150_000

# Any constant that nothing else on the server takes: ASCII "carnet".
_LOCK = 0x6361_726E_6574

_Connection: TypeAlias = AsyncConnection[tuple[Any, ...]]

log = structlog.get_logger(__name__)


class Migration(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of `sql/`."""

    name: str
    sql: bytes

    @property
    def digest(self) -> bytes:
        """SHA-256 of the file."""
        return sha256(self.sql).digest()


class Migrated(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a migration did. `role`: whom sessions act as; None without separation of roles."""

    applied: tuple[str, ...]
    role: str | None


def packaged() -> tuple[Migration, ...]:
    """Read the numbered files of `sql/`, in order."""
    return tuple(
        Migration(name=file.name, sql=file.read_bytes())
        for file in sorted(_folder().iterdir(), key=lambda file: file.name)
        if file.name[0].isdigit()
    )


async def migrate(url: str, migrations: Sequence[Migration] | None = None) -> Migrated:
    """Apply what is missing (`migrations`, or the packaged ones) and make the role and its grants.

    Raises: StartupError, MigrationChanged
    """
    wanted = packaged() if migrations is None else migrations
    try:
        conn = await AsyncConnection.connect(url, autocommit=True)
    except OperationalError as error:
        raise StartupError(
            f"The database cannot be reached: {' '.join(str(error).split()).rstrip('?.')}",
            "Check CARNET_DATABASE_URL and that the server runs",
        ) from error
    async with conn:
        await _check_server(conn)
        try:
            async with conn.transaction():
                await conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
                applied = await _apply_missing(conn, wanted)
            role = await _separate_roles(conn)
        except errors.InsufficientPrivilege as error:
            raise StartupError(
                f"The database's user {conn.info.user} may not do what is needed: {error}".rstrip(),
                "Use the user who owns the database, or have its owner start this version once",
            ) from error
    log.info("store.migrated", applied=applied, role=role)
    return Migrated(applied=applied, role=role)


async def current(pool: Pool, migrations: Sequence[Migration] | None = None) -> bool:
    """Say whether the database has exactly these migrations: readiness.

    Raises: StoreUnavailable
    """
    wanted = packaged() if migrations is None else migrations
    async with connection(pool) as conn:
        return await _recorded(conn) == {migration.name: migration.digest for migration in wanted}


async def _check_server(conn: _Connection) -> None:
    if conn.info.server_version < SERVER_VERSION_MIN:
        raise StartupError(
            f"The database is PostgreSQL {conn.info.server_version // 10_000}",
            "Use PostgreSQL 15 or newer",
        )
    encoding = conn.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StartupError(f"The database's encoding is {encoding}", "Use a database in UTF8")
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        row = await (await conn.execute("SELECT current_setting(%s)", [name])).fetchone()
        if row is not None and row[0] == "off":
            log.warning("store.not_durable", setting=name, found="off", expected="on")


async def _apply_missing(conn: _Connection, wanted: Sequence[Migration]) -> tuple[str, ...]:
    recorded = await _recorded(conn)
    _check_recorded(recorded, wanted)
    missing = [migration for migration in wanted if migration.name not in recorded]
    for migration in missing:
        try:
            await conn.execute(migration.sql)
        except Error as error:
            raise StartupError(
                f"The migration {migration.name} failed: {error}",
                "The database is as it was; its user needs the right to create a schema in it",
            ) from error
    for migration in missing:
        await conn.execute(
            "INSERT INTO carnet.migration (name, digest) VALUES (%s, %s)",
            [migration.name, migration.digest],
        )
    return tuple(migration.name for migration in missing)


def _check_recorded(recorded: Mapping[str, bytes], wanted: Sequence[Migration]) -> None:
    digests = {migration.name: migration.digest for migration in wanted}
    for name, digest in recorded.items():
        if name not in digests:
            raise StartupError(
                f"The database has the migration {name}, which this Carnet does not know",
                "Install the version of Carnet that applied it, or a later one",
            )
        if digest != digests[name]:
            raise MigrationChanged(name)


async def _recorded(conn: _Connection) -> dict[str, bytes]:
    exists = await (await conn.execute("SELECT to_regclass('carnet.migration')")).fetchone()
    if exists is None or exists[0] is None:
        return {}
    rows = await conn.execute("SELECT name, digest FROM carnet.migration")
    return {name: digest async for name, digest in rows}


async def _separate_roles(conn: _Connection) -> str | None:
    try:
        async with conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            await conn.execute((_folder() / "role.sql").read_bytes())
            await conn.execute((_folder() / "grants.sql").read_bytes())
    except (errors.InsufficientPrivilege, errors.UndefinedObject) as error:
        log.warning(
            "store.roles_not_separated",
            reason=str(error).strip(),
            remedy=f"CREATE ROLE {SERVICE_ROLE}; GRANT {SERVICE_ROLE} TO {conn.info.user}",
        )
        return None
    return SERVICE_ROLE


def _folder() -> Traversable:
    return resources.files("service.store") / "sql"
