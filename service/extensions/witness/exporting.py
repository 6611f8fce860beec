"""The signed heads in an export, and the feed that they sign."""

from collections.abc import AsyncGenerator, Sequence
from functools import partial
from pathlib import Path
from uuid import UUID

from psycopg.types.numeric import Int8

from service.errors import CarnetError
from service.extensions.witness.merkle import GrowingTree
from service.extensions.witness.signed_notes import SignedNote, read_note, read_vkey
from service.extensions.witness.signing import sign_all
from service.extensions.witness.walk import FeedWalk
from service.store.connection.pool import Connection
from service.transfer.everything import ExportPart
from service.transfer.export_lines import HeadsLine

_LEAVES = "SELECT hash FROM carnet.feed WHERE club_id = %s ORDER BY position"

_HEAD = "INSERT INTO carnet.head (club_id, size, note) VALUES (%s, %s, %s)"

_KEY = """
    INSERT INTO carnet.head_key (club_id, vkey) VALUES (%s, %s)
    ON CONFLICT (club_id, vkey) DO NOTHING
"""


def heads_in_export(data_dir: Path) -> ExportPart:
    """Return the part of an export with its heads. `data_dir`: the folder of the signing keys."""
    return ExportPart(
        prepare=partial(sign_all, data_dir=data_dir), read=_read, restore=restore_heads
    )


async def _read(conn: Connection, club_id: UUID) -> HeadsLine:
    feed = FeedWalk(conn, club_id)
    return HeadsLine(keys=tuple(await feed.keys()), notes=tuple(await feed.notes()))


async def restore_heads(conn: Connection, club_id: UUID, line: HeadsLine) -> None:
    """Store the heads that match the restored feed and that a key signed which came along."""
    origin = f"carnet/{club_id}"
    keys = [vkey for vkey in line.keys if _usable(vkey, origin)]
    notes = [(text, note) for text in line.notes if (note := _verified_note(text, origin, keys))]
    roots = await _roots(conn, club_id, {note.checkpoint.size for _, note in notes})
    async with conn.transaction():
        for vkey in keys:
            await conn.execute(_KEY, [club_id, vkey])
        for text, note in notes:
            if roots.get(note.checkpoint.size) == note.checkpoint.root:
                await conn.execute(_HEAD, [club_id, Int8(note.checkpoint.size), text])


async def _roots(conn: Connection, club_id: UUID, sizes: set[int]) -> dict[int, bytes]:
    tree = GrowingTree()
    roots = {0: tree.root()}
    async for leaf in _leaf_hashes(conn, club_id):
        tree.add(leaf)
        if tree.size in sizes:
            roots[tree.size] = tree.root()
    return roots


async def _leaf_hashes(conn: Connection, club_id: UUID) -> AsyncGenerator[bytes]:
    async with conn.transaction(), conn.cursor("leaves") as cursor:
        await cursor.execute(_LEAVES, [club_id], binary=True)
        async for row in cursor:
            yield row[0]


def _usable(vkey: str, origin: str) -> bool:
    try:
        return read_vkey(vkey)[0] == origin
    except CarnetError:
        return False


def _verified_note(text: str, origin: str, keys: Sequence[str]) -> SignedNote | None:
    try:
        note = read_note(text)
    except CarnetError:
        return None
    return note if note.checkpoint.origin == origin and note.signed_by(keys) else None
