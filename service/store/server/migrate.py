"""Migrates a database to the schema in `sql/`.

To change the schema, change the object's file and write a migration that does the same to an
existing database. Until the first release there are no migrations: data are moved by an export.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

import structlog
from msgspec import Struct
from psycopg import Error, errors

from service.errors import MigrationChanged, StartupError
from service.store.connection.pool import Connection, Pool, connection, owner_session
from service.store.server.distribution import SERVICE_ROLE, Change, redistribute

SERVER_VERSION_MIN = 150_000

# An advisory lock number of our own: ASCII "carnet".
_LOCK = 0x6361_726E_6574

_RECORD = """
    INSERT INTO carnet.migration (name, digest, older_goes_on) VALUES (%s, %s, %s)
    ON CONFLICT (name) DO NOTHING
"""

# Marker of a backward-compatible migration: the previous release may keep writing.
BACKWARD_COMPATIBLE_MARKER = b"-- An older Carnet goes on.\n"

_UNRELEASED = "The database was made by another Carnet from before the first release"
_EXPORT_AND_IMPORT = "Export with that Carnet, and import into a new database with this one"
_OUTDATED = "the database's schema is not this program's"

log = structlog.get_logger(__name__)


class SqlFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    sql: bytes

    @property
    def is_backward_compatible(self) -> bool:
        """Whether the previous release may keep writing after this migration."""
        return self.sql.startswith(BACKWARD_COMPATIBLE_MARKER)

    @property
    def digest(self) -> bytes:
        return _digest(self.sql)


class Schema(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The `objects` of a new database, and the `migrations` of an existing one."""

    objects: tuple[SqlFile, ...]
    migrations: tuple[SqlFile, ...] = ()

    @property
    def digests(self) -> dict[str, bytes]:
        return {file.name: file.digest for file in (*self.objects, *self.migrations)}


class MigrationResult(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The result of a migration. `role`: the serving role; None without separation of roles.

    `distributed`: what was distributed over the nodes of a cluster.
    """

    applied: tuple[str, ...]
    role: str | None
    distributed: tuple[Change, ...] = ()


@cache
def packaged_schema() -> Schema:
    """Return `sql/`, which is read once per process."""
    order = (_folder() / "schema" / "order").read_text("utf-8").splitlines()
    objects = [f"schema/{line}.sql" for line in order if not line.startswith("#")]
    folder = _folder() / "migrations"
    later = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    migrations = sorted(f"migrations/{name}" for name in later if name.endswith(".sql"))
    return Schema(
        objects=tuple(map(_read_sql_file, objects)),
        migrations=tuple(map(_read_sql_file, migrations)),
    )


async def migrate(url: str, schema: Schema | None = None) -> MigrationResult:
    """Migrate a database to `schema`, and create the role with its grants."""
    wanted = schema or packaged_schema()
    async with owner_session(url) as conn:
        await _check_server(conn)
        try:
            async with conn.transaction():
                await conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
                recorded = await _recorded_digests(conn)
                newer = bool(recorded) and await _is_compatible(conn, recorded, wanted)
                applied = () if newer else await _apply_missing(conn, wanted)
            # Grants of a later version stay.
            role = SERVICE_ROLE if newer else await _separate_roles(conn)
            if not newer:
                await _enable_row_security(conn)
            distributed = await redistribute(conn)
        except errors.InsufficientPrivilege as error:
            raise StartupError(
                f"The database's user {conn.info.user} may not do what is needed: {error}".rstrip(),
                "Use the user who owns the database, or have its owner start this version once",
            ) from error
    log.info("store.migrated", applied=applied, role=role)
    return MigrationResult(applied=applied, role=role, distributed=distributed)


async def check_schema_of(pool: Pool, schema: Schema | None = None) -> bool:
    """Return whether this program may work with the database."""
    async with connection(pool, None, any_schema=True) as conn:
        return await check_schema(pool, conn, schema)


async def check_schema(pool: Pool, conn: Connection, schema: Schema | None = None) -> bool:
    usable = await is_current(conn, schema)
    refused = None if usable else _OUTDATED
    if refused != pool.refusal_reason:
        log.warning("store.schema_changed", usable=usable)
        pool.refusal_reason = refused
    return usable


async def is_current(conn: Connection, schema: Schema | None = None) -> bool:
    """Return whether a database has this schema, or a later compatible one."""
    wanted = schema or packaged_schema()
    recorded = await _recorded_digests(conn)
    return recorded == wanted.digests or await _is_compatible(conn, recorded, wanted)


async def _is_compatible(conn: Connection, recorded: Mapping[str, bytes], wanted: Schema) -> bool:
    ours = {file.name: file.digest for file in wanted.migrations}
    theirs = {name: digest for name, digest in recorded.items() if name.startswith("migrations/")}
    unknown = theirs.keys() - ours.keys()
    if not unknown or any(theirs.get(name) != digest for name, digest in ours.items()):
        return False
    rows = await conn.execute(
        "SELECT bool_and(older_goes_on) FROM carnet.migration WHERE name = ANY (%s)",
        [list(unknown)],
    )
    return await rows.fetchone() == (True,)


async def _check_server(conn: Connection) -> None:
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


async def _apply_missing(conn: Connection, wanted: Schema) -> tuple[str, ...]:
    recorded = await _recorded_digests(conn)
    if recorded:
        _check_known(recorded, wanted)
        missing = [file for file in wanted.migrations if file.name not in recorded]
        _check_objects(recorded, wanted, missing)
        if not missing:
            return ()
    else:
        missing = list(wanted.objects)
    # On a cluster, functions and tables are changed over one connection per node.
    await conn.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
    for file in missing:
        try:
            await conn.execute(file.sql)
        except Error as error:
            raise StartupError(
                f"The migration {file.name} failed: {error}",
                "The database is as it was; its user needs the right to create a schema in it",
            ) from error
    await conn.execute("DELETE FROM carnet.migration WHERE name LIKE 'schema/%'")
    for file in (*wanted.objects, *wanted.migrations):
        await conn.execute(_RECORD, [file.name, file.digest, file.is_backward_compatible])
    return tuple(file.name for file in missing)


def _check_known(recorded: Mapping[str, bytes], wanted: Schema) -> None:
    digests = {file.name: file.digest for file in wanted.migrations}
    for name, digest in recorded.items():
        if "/" not in name:
            raise StartupError(_UNRELEASED, _EXPORT_AND_IMPORT)
        if name.startswith("schema/"):
            continue
        if name not in digests:
            raise StartupError(
                f"The database has the migration {name}, which this Carnet does not know",
                "Install the version of Carnet that applied it, or a later one",
            )
        if digest != digests[name]:
            raise MigrationChanged(name)


def _check_objects(
    recorded: Mapping[str, bytes], wanted: Schema, missing: Sequence[SqlFile]
) -> None:
    """Judge that a database has these objects, or gets them by the migrations that it lacks.

    A migration brings the objects that it names; what it drops it need not name.

    Raises: MigrationChanged
    """
    digests = wanted.digests
    brought = b"\n".join(file.sql for file in missing).decode()
    names = {*digests} if missing else {*recorded, *digests}
    for name in sorted(names - {file.name for file in missing}):
        stem = re.escape(name.removeprefix("schema/").removesuffix(".sql"))
        if recorded.get(name) != digests.get(name) and not re.search(rf"\b{stem}\b", brought):
            if not wanted.migrations:
                raise StartupError(_UNRELEASED, _EXPORT_AND_IMPORT)
            raise MigrationChanged(name)


async def _recorded_digests(conn: Connection) -> dict[str, bytes]:
    exists = await (await conn.execute("SELECT to_regclass('carnet.migration')")).fetchone()
    if exists is None or exists[0] is None:
        return {}
    rows = await conn.execute("SELECT name, digest FROM carnet.migration")
    return {name: digest async for name, digest in rows}


async def _separate_roles(conn: Connection) -> str | None:
    try:
        async with conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            await conn.execute((_folder() / "role.sql").read_bytes())
            await conn.execute((_folder() / "grants.sql").read_bytes())
    except (errors.InsufficientPrivilege, errors.UndefinedObject) as error:
        log.warning(
            "store.roles_not_separated",
            reason=str(error).strip(),
            remedy=f"CREATE ROLE {SERVICE_ROLE} LOGIN",
        )
        return None
    return SERVICE_ROLE


async def _enable_row_security(conn: Connection) -> None:
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        await conn.execute((_folder() / "barrier.sql").read_bytes())


@cache
def _digest(sql: bytes) -> bytes:
    return sha256(sql).digest()


def _read_sql_file(name: str) -> SqlFile:
    return SqlFile(name=name, sql=(_folder() / name).read_bytes())


def _folder() -> Traversable:
    return resources.files("service.store") / "sql"
