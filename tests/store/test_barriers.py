from contextlib import suppress
from typing import Any, LiteralString, TypeAlias
from uuid import UUID, uuid4

import pytest
from msgspec import json
from psycopg import AsyncConnection, Error, errors
from psycopg.sql import SQL, Identifier

from service.store.access.grants import Grants, NewGrant
from service.store.connection.pool import Pool, connection
from service.store.log.snapshot import Snapshot
from tests.store.samples import SampleTable, note, play

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]

APPEND = "SELECT (carnet.append(%s, %s, true)).verdict"

TAMPERED = {
    "club_id": uuid4(),
    "game_id": uuid4(),
    "version": 7,
    "command_id": uuid4(),
    "ordinal": 3,
    "type": "pass",
    "schema_version": 2,
    "recorded_at": "2026-01-01T00:00:00Z",
    "recorded_by": None,
    "data": b"{}",
    "hash": bytes(32),
}


def command(game_id: UUID, version: int) -> str:
    """Write a command as `append` reads it."""
    played = {"type": "play", "schema_version": 1, "data": "{}"}
    summary: dict[str, Any] = {"status": "open", "deals": 0, "totals": []}
    told = {
        "game_id": game_id,
        "version": version,
        "command_id": uuid4(),
        "duplicates_checked": False,
    }
    return json.encode([told | {"entries": [played], "summary": summary}]).decode()


@pytest.mark.parametrize("column", TAMPERED)
async def test_the_hash_covers_every_column(
    column: str, owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    # Only an owner with disabled triggers gets here.
    await owner.execute("ALTER TABLE carnet.entry DISABLE TRIGGER entry_keeps_rows")
    change = SQL(
        "UPDATE carnet.entry SET {} = %s WHERE club_id = %s AND game_id = %s AND version = 2"
    ).format(Identifier(column))
    try:
        await owner.execute(change, [TAMPERED[column], club_id, game_id])
    except errors.FeatureNotSupported:  # distributed tables forbid moving a row to another club
        assert column == "club_id"
        return
    verdicts = [verdict async for verdict in Snapshot(owner, club_id).verify()]
    assert any(verdict.broken for verdict in verdicts)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE carnet.entry SET type = 'pass'",
        "DELETE FROM carnet.entry",
        "TRUNCATE carnet.entry",
        "UPDATE carnet.free_text SET text = 'another'",
        "UPDATE carnet.free_text SET text = NULL, salt = NULL, version = 7",
        "DELETE FROM carnet.free_text",
        "TRUNCATE carnet.free_text",
    ],
)
async def test_the_log_does_not_change_even_for_its_owner(
    statement: str, owner: Owner, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, note("three"))
    with pytest.raises(Error) as refused:
        await owner.execute(statement.encode())
    assert refused.value.sqlstate == "YC004"


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO carnet.entry DEFAULT VALUES",
        "UPDATE carnet.entry SET type = 'pass'",
        "DELETE FROM carnet.entry",
        "TRUNCATE carnet.entry",
        "INSERT INTO carnet.free_text DEFAULT VALUES",
        "UPDATE carnet.free_text SET text = NULL, salt = NULL",
        "DELETE FROM carnet.free_text",
        "TRUNCATE carnet.free_text",
        "UPDATE carnet.game SET totals = '{}'",
        "DELETE FROM carnet.game",
        "DELETE FROM carnet.deal_score",
        "UPDATE carnet.seat SET seat = 1",
        "DELETE FROM carnet.player",
        "DELETE FROM carnet.access_grant",
        "UPDATE carnet.migration SET digest = ''",
        "CREATE TABLE carnet.mine ()",
        "SELECT carnet.write_deal_scores(NULL, NULL, NULL, NULL)",
        "SELECT carnet.seats_and_erasures(NULL, NULL)",
        "SELECT carnet.write_entries(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    ],
)
async def test_the_service_may_not(statement: str, pool: Pool) -> None:
    async with pool.connection() as conn:
        with pytest.raises(errors.InsufficientPrivilege):
            await conn.execute(statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE carnet.player SET created_at = now()",
        "UPDATE carnet.player SET player_id = club_id",
        "UPDATE carnet.access_grant SET club_id = '00000000-0000-4000-8000-000000000000'",
        "UPDATE carnet.access_grant SET kind = 'session'",
        "UPDATE carnet.access_grant SET secret_hash = sha256('mine')",
        "UPDATE carnet.access_grant SET role = 'scorer'",
        "UPDATE carnet.access_grant SET games = '{}'",
        "UPDATE carnet.access_grant SET until = 9",
        "UPDATE carnet.access_grant SET sites = '{https://elsewhere.example}'",
        "UPDATE carnet.access_grant SET member_id = grant_id",
        "UPDATE carnet.access_grant SET opened = '{x}'",
        "UPDATE carnet.access_grant SET expires_at = now()",
    ],
)
async def test_the_service_may_not_change_what_a_row_is(
    statement: str, pool: Pool, club_id: UUID, table: SampleTable, grants: Grants
) -> None:
    await grants.create(
        NewGrant(
            id=uuid4(),
            kind="link",
            secret_hash=bytes(32),
            role="viewer",
            games=[await table.start_game()],
        )
    )
    async with connection(pool, club_id) as conn:
        # On distributed tables a row cannot move to another club.
        with pytest.raises((errors.InsufficientPrivilege, errors.FeatureNotSupported)):
            await conn.execute(statement.encode())


@pytest.mark.parametrize(
    "become",
    [
        "RESET ROLE",
        "RESET SESSION AUTHORIZATION",
        "SET ROLE NONE",
        "SET ROLE {owner}",
        "SET SESSION AUTHORIZATION {owner}",
        "GRANT {owner} TO carnet_service",
        "SET session_replication_role = replica",
        "ALTER TABLE carnet.entry DISABLE TRIGGER ALL",
        "ALTER TABLE carnet.entry OWNER TO carnet_service",
        "CREATE FUNCTION pg_temp.f() RETURNS void LANGUAGE sql SECURITY DEFINER AS ''",
    ],
)
async def test_the_service_cannot_become_the_owner_of_the_log(
    become: LiteralString, pool: Pool, owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    name = Identifier(owner.info.user)
    async with pool.connection() as conn:
        with suppress(errors.InsufficientPrivilege):
            await conn.execute(SQL(become).format(owner=name))
        row = await (await conn.execute("SELECT session_user, current_user")).fetchone()
        assert row == ("carnet_service", "carnet_service")
        with pytest.raises(errors.InsufficientPrivilege):
            await conn.execute("DELETE FROM carnet.entry WHERE club_id = %s", [club_id])
    assert len(await table.events.read(game_id)) == 1


async def test_append_after_another_write_in_its_transaction_is_refused(
    owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await owner.execute("SELECT pg_current_xact_id()")
    with pytest.raises(Error) as refused:
        await owner.execute(APPEND, [club_id, command(game_id, 1)])
    assert refused.value.sqlstate == "YC003"


async def test_a_first_append_without_a_start_is_refused(owner: Owner, club_id: UUID) -> None:
    with pytest.raises(Error) as refused:
        await owner.execute(APPEND, [club_id, command(uuid4(), 0)])
    assert refused.value.sqlstate == "YC003"


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
async def test_append_with_an_old_view_is_refused(
    level: str, owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await owner.execute(f"SET TRANSACTION ISOLATION LEVEL {level}".encode())
    with pytest.raises(Error) as refused:
        await owner.execute(APPEND, [club_id, command(game_id, 1)])
    assert refused.value.sqlstate == "YC003"


async def test_a_game_is_appended_to_in_the_order_of_its_versions(
    owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    for version in range(1, 6):
        await table.append(game_id, version, play(0, "AH"))
    rows = await owner.execute(
        """
        SELECT version FROM carnet.entry WHERE club_id = %s AND game_id = %s
        ORDER BY xid::text::bigint, recorded_at
        """,
        [club_id, game_id],
    )
    assert [version async for (version,) in rows] == [1, 2, 3, 4, 5, 6]


async def test_people_with_psql_read_the_log_as_json(
    owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    rows = await owner.execute(
        """
        SELECT data ->> 'card' FROM carnet.entry_json
        WHERE club_id = %s AND game_id = %s AND type = 'play'
        """,
        [club_id, game_id],
    )
    assert await rows.fetchall() == [("AH",)]
