"""Copies the rows that only a backup contains: rights, members, webhooks, people and titles.

A row is JSON with all its columns (`to_jsonb`), so that a backup of an older schema restores into a
newer one: columns that it does not have get their defaults.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal, get_args
from uuid import UUID

from msgspec import Raw, json
from psycopg import sql

from service.store.connection.pool import Connection
from service.store.log.restore import storable

Table = Literal["club", "player", "title", "member", "access_grant", "webhook"]
TABLES: tuple[Table, ...] = get_args(Table)  # referenced tables come before referencing ones

Row = dict[str, Any]

_READ = "SELECT to_jsonb(t)::text FROM carnet.{table} t WHERE club_id = %s ORDER BY 1"

_COLUMNS = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped
"""

_INSERT = """
    INSERT INTO carnet.{table} ({columns})
    SELECT {columns} FROM jsonb_populate_recordset(NULL::carnet.{table}, %s::jsonb)
    ON CONFLICT DO NOTHING
"""

# Games, people, members and links that are missing in the backup.
_HAS_OTHERS = """
    SELECT EXISTS (
        SELECT game_id FROM carnet.seat WHERE club_id = %(club)s
        EXCEPT SELECT unnest(%(games)s::uuid[])
    ) OR EXISTS (
        SELECT player_id FROM carnet.player WHERE club_id = %(club)s
        EXCEPT SELECT unnest(%(player)s::uuid[])
    ) OR EXISTS (
        SELECT member_id FROM carnet.member WHERE club_id = %(club)s
        EXCEPT SELECT unnest(%(member)s::uuid[])
    ) OR EXISTS (
        SELECT grant_id FROM carnet.access_grant
        WHERE club_id = %(club)s AND kind NOT IN ('owner_key', 'session')
        EXCEPT SELECT unnest(%(access_grant)s::uuid[])
    )
"""

_FIRST_KEY = """
    DELETE FROM carnet.access_grant
    WHERE club_id = %s AND kind = 'owner_key' AND revoked_at IS NULL AND grant_id <> ALL (%s)
    RETURNING '\\x' || encode(secret_hash, 'hex')
"""
_ITS_SESSIONS = """
    DELETE FROM carnet.access_grant g
    WHERE club_id = %s AND kind = 'session' AND decode(substr(%s, 3), 'hex') = ANY (opened)
    RETURNING to_jsonb(g)::text
"""

# Without the backup's order of the feed, nothing restored is delivered again.
_SKIP_RESTORED = """
    UPDATE carnet.webhook w
    SET position = (SELECT count(*) FROM carnet.entry e WHERE e.club_id = w.club_id)
    WHERE w.club_id = %(club)s
      AND NOT EXISTS (SELECT FROM carnet.feed f WHERE f.club_id = %(club)s)
"""


async def read_rows(conn: Connection, club_id: UUID) -> AsyncIterator[tuple[Table, Raw]]:
    """Stream a club's rows, table by table."""
    for table in TABLES:
        query = sql.SQL(_READ).format(table=sql.Identifier(table))
        async for (row,) in await conn.execute(query, [club_id]):
            yield table, Raw(row.encode())


async def has_others(
    conn: Connection,
    club_id: UUID,
    games: Sequence[UUID],
    rows: Mapping[Table, Sequence[Row]],
) -> bool:
    """Return whether a club has games, people or links that a backup does not have."""
    ids = {
        table: [row[f"{table.removeprefix('access_')}_id"] for row in rows.get(table, ())]
        for table in ("player", "member", "access_grant")
    }
    cursor = await conn.execute(_HAS_OTHERS, {"club": club_id, "games": list(games), **ids})
    return await cursor.fetchone() == (True,)


async def restore_rows(
    conn: Connection, club_id: UUID, rows: Mapping[Table, Sequence[Row]]
) -> None:
    """Store rows, all or none; those that exist are left as they are.

    The owner's key of the backup replaces the one that this installation made for itself; browsers
    that were signed in with that one stay signed in.

    Raises: ValueError (no database can store them)
    """
    with storable():
        async with conn.transaction():
            moved = await _replace_first_key(conn, club_id, rows.get("access_grant", ()))
            for table in TABLES:
                added = moved if table == "access_grant" else []
                await _insert(conn, table, [*rows.get(table, ()), *added])


async def move_webhooks_behind_restored(conn: Connection, club_id: UUID) -> None:
    """Move webhooks behind the restored entries if the feed did not get the backup's order."""
    await conn.execute(_SKIP_RESTORED, {"club": club_id})


async def _replace_first_key(conn: Connection, club_id: UUID, grants: Sequence[Row]) -> list[Row]:
    """Remove the installation's own key; return its sessions, opened by the restored key."""
    keys = [row for row in grants if row["kind"] == "owner_key" and row["revoked_at"] is None]
    if not keys:
        return []
    ids = [row["grant_id"] for row in grants]
    first = await (await conn.execute(_FIRST_KEY, [club_id, ids])).fetchone()
    if first is None:
        return []
    sessions = await conn.execute(_ITS_SESSIONS, [club_id, first[0]])
    moved = [json.decode(row, type=Row) async for (row,) in sessions]
    for session in moved:
        session["opened"] = [
            keys[0]["secret_hash"] if opened == first[0] else opened for opened in session["opened"]
        ]
    return moved


async def _insert(conn: Connection, table: Table, rows: Sequence[Row]) -> None:
    if not rows:
        return
    known = {name async for (name,) in await conn.execute(_COLUMNS, [f"carnet.{table}"])}
    columns = list(dict.fromkeys(name for row in rows for name in row))
    unknown = [name for name in columns if name not in known]
    if unknown:
        raise ValueError(f"{table} has no column {', '.join(unknown)}")
    statement = sql.SQL(_INSERT).format(
        table=sql.Identifier(table),
        columns=sql.SQL(", ").join(map(sql.Identifier, columns)),
    )
    await conn.execute(statement, [json.encode(list(rows)).decode()])
