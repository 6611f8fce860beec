from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from service.errors import Forbidden, StartupError
from service.store.club.players import Players
from service.store.connection.pool import connection, open_pool, url_with_login
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from service.store.server.distribution import SERVICE_ROLE
from service.store.server.embedded import EmbeddedServer
from service.store.server.logins import accepts_login, resolve_urls
from service.store.server.migrate import Schema, SqlFile, migrate, packaged_schema
from service.transfer.everything import Everything
from tests.postgres import data_folder
from tests.prepared_clusters import PreparedClusters
from tests.store.samples import SampleTable, play

OWNER, OTHER = "carnet", "somebody"
PASSWORD = "of the service"  # noqa: S105 of a server that ends with the test


class Server:
    def __init__(self, server: EmbeddedServer) -> None:
        self.admin = server.url

    def url(self, user: str, password: str = "") -> str:
        url = url_with_login(self.admin, user)
        return f"{url} password='{password}'" if password else url

    def does(self, *statements: str) -> None:
        with psycopg.connect(self.admin, autocommit=True) as conn:
            for statement in statements:
                conn.execute(statement.encode())

    def asks_for_passwords(self) -> None:
        with psycopg.connect(self.admin, autocommit=True) as conn:
            asked_at, file = conn.execute(
                "SELECT clock_timestamp(), current_setting('hba_file')"
            ).fetchone() or (None, "")
            Path(file).write_text(
                f"local all carnet_owner,{OWNER} trust\nlocal all all scram-sha-256\n"
            )
            conn.execute("SELECT pg_reload_conf()")
        # The server reloads its configuration asynchronously; a new session shows whether it did.
        while not self._read_since(asked_at):
            pass

    def _read_since(self, moment: object) -> bool:
        with psycopg.connect(self.admin) as conn:
            row = conn.execute("SELECT pg_conf_load_time() >= %s", [moment]).fetchone()
        return row == (True,)


@pytest.fixture
def server(tmp_path: Path, prepared_clusters: PreparedClusters) -> Iterator[Server]:
    with (
        data_folder(tmp_path) as folder,
        EmbeddedServer(prepared_clusters.copy_to(folder)) as running,
    ):
        made = Server(running)
        made.does(
            f"CREATE ROLE {OWNER} LOGIN",
            f"CREATE ROLE {OTHER} LOGIN",
            f"GRANT CREATE ON DATABASE carnet TO {OWNER}",
        )
        yield made


async def test_without_the_right_to_make_roles_the_owner_serves(server: Server) -> None:
    reached = await resolve_urls(server.url(OWNER))
    assert (reached.url, reached.role) == (server.url(OWNER), None)
    async with open_pool(reached.url, reached.role) as pool:
        events = EventStore(pool, DEFAULT_CLUB)
        table = await SampleTable.with_players(events, Players(pool, DEFAULT_CLUB))
        game_id = await table.start_game()
        await table.append(game_id, 1, play(0, "AH"))
        assert len(await events.read(game_id)) == 2


async def test_one_address_serves_as_the_other_login_where_the_server_lets_it_in(
    server: Server,
) -> None:
    server.does(f"CREATE ROLE {SERVICE_ROLE} NOLOGIN", f"ALTER ROLE {OWNER} CREATEROLE")
    server.does(f"GRANT {SERVICE_ROLE} TO {OWNER} WITH ADMIN OPTION")
    reached = await resolve_urls(server.url(OWNER))
    assert (reached.role, reached.owner) == (SERVICE_ROLE, server.url(OWNER))


async def test_one_address_acts_as_the_role_where_only_a_password_would_let_it_in(
    server: Server,
) -> None:
    server.does(f"CREATE ROLE {SERVICE_ROLE} LOGIN PASSWORD '{PASSWORD}'")
    server.does(f"GRANT {SERVICE_ROLE} TO {OWNER}")
    server.asks_for_passwords()
    reached = await resolve_urls(server.url(OWNER))
    async with open_pool(reached.url, reached.role) as pool, connection(pool, None) as conn:
        row = await (await conn.execute("SELECT session_user, current_user")).fetchone()
    assert row == (OWNER, SERVICE_ROLE)


@pytest.mark.parametrize(
    "full",
    [
        f"ALTER ROLE {SERVICE_ROLE} CONNECTION LIMIT 0",
        "ALTER DATABASE carnet CONNECTION LIMIT 0",
    ],
)
async def test_one_address_starts_nothing_where_the_server_is_full(
    server: Server, full: str
) -> None:
    await migrate(server.admin)
    server.does(full)
    with pytest.raises(StartupError, match="lets nobody in just now"):
        await resolve_urls(server.admin)


async def test_one_address_starts_nothing_where_only_superusers_find_a_session(
    server: Server,
) -> None:
    await migrate(server.admin)
    with ExitStack() as others, psycopg.connect(server.admin) as admin:
        room = admin.execute(
            "SELECT current_setting('max_connections')::integer"
            " - current_setting('superuser_reserved_connections')::integer"
        ).fetchone() or (0,)
        for _ in range(room[0] - 1):
            others.enter_context(psycopg.connect(server.url(OTHER)))
        with pytest.raises(StartupError, match="lets nobody in just now"):
            await resolve_urls(server.admin)


async def test_a_server_that_is_gone_says_nothing_about_whom_it_lets_in(server: Server) -> None:
    with pytest.raises(StartupError, match="lets nobody in just now"):
        await accepts_login("host=/nowhere dbname=carnet", server.admin)


async def test_a_login_that_may_not_log_in_is_not_let_in(server: Server) -> None:
    server.does(f"ALTER ROLE {OTHER} NOLOGIN")
    assert await accepts_login(server.url(OWNER), server.admin)
    assert not await accepts_login(server.url(OTHER), server.admin)


async def test_two_addresses_migrate_as_one_and_serve_as_the_other(server: Server) -> None:
    server.does(f"CREATE ROLE {SERVICE_ROLE} LOGIN PASSWORD '{PASSWORD}'")
    server.asks_for_passwords()
    serving = server.url(SERVICE_ROLE, PASSWORD)
    reached = await resolve_urls(serving, server.url(OWNER))
    assert (reached.url, reached.role, reached.owner) == (serving, None, server.url(OWNER))
    async with open_pool(reached.url, reached.role) as pool, connection(pool, None) as conn:
        row = await (await conn.execute("SELECT session_user, current_user")).fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await conn.execute(f"SET ROLE {OWNER}")
    assert row == (SERVICE_ROLE, SERVICE_ROLE)


async def test_who_serves_alone_needs_a_schema_that_is_current(server: Server) -> None:
    server.does(f"CREATE ROLE {SERVICE_ROLE} LOGIN")
    await migrate(server.url(OWNER))
    reached = await resolve_urls(server.url(SERVICE_ROLE))
    assert (reached.role, reached.owner) == (None, None)
    added = SqlFile(name="migrations/999_added.sql", sql=b"CREATE TABLE carnet.added ()")
    now = packaged_schema()
    await migrate(
        server.url(OWNER), Schema(objects=now.objects, migrations=(*now.migrations, added))
    )
    with pytest.raises(StartupError, match="carnet migrate"):
        await resolve_urls(server.url(SERVICE_ROLE))


async def test_who_serves_alone_takes_no_export_in(server: Server, tmp_path: Path) -> None:
    server.does(f"CREATE ROLE {SERVICE_ROLE} LOGIN")
    await migrate(server.url(OWNER))
    reached = await resolve_urls(server.url(SERVICE_ROLE))
    async with open_pool(reached.url, reached.role) as pool:
        with pytest.raises(Forbidden):
            await Everything(reached.owner, pool, None, DEFAULT_CLUB).import_from(
                tmp_path / "any", lambda _done, _of: None
            )


async def test_an_owner_named_as_who_serves_is_refused(server: Server) -> None:
    with pytest.raises(StartupError, match="whatever the database's owner may"):
        await resolve_urls(server.url(OWNER), server.url(OWNER))


async def test_somebody_who_may_not_serve_is_told_what_to_grant(server: Server) -> None:
    server.does(f"CREATE ROLE {SERVICE_ROLE} LOGIN")
    await migrate(server.url(OWNER))
    with pytest.raises(StartupError, match=f"GRANT {SERVICE_ROLE}"):
        await resolve_urls(server.url(OTHER), server.url(OWNER))


async def test_behind_a_pooler_the_owner_does_not_serve(server: Server) -> None:
    with pytest.raises(StartupError, match="Behind a pooler"):
        await resolve_urls(server.url(OWNER), direct=server.url(OWNER))


async def test_the_waits_of_the_login_stand_with_it(server: Server) -> None:
    server.does(f"ALTER ROLE {OWNER} CREATEROLE")
    await migrate(server.url(OWNER))
    with psycopg.connect(server.url(SERVICE_ROLE)) as conn:
        asked = ("lock_timeout", "statement_timeout", "TimeZone")
        found = [conn.execute(f"SHOW {one}".encode()).fetchone() for one in asked]
    assert found == [("10s",), ("20s",), ("UTC",)]
