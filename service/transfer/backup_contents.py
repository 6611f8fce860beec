"""Reads a whole backup before anything of it is restored."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import BinaryIO
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, json

from service.store.connection.pool import Connection
from service.store.log.backup_rows import (
    Row,
    Table,
    has_others,
    move_webhooks_behind_restored,
    restore_rows,
)
from service.transfer.export_lines import BadExport, EndLine, HeadLine, RowLine, decode_line


class BackupContents(Struct, frozen=True, kw_only=True):
    """A complete and unchanged backup: its club, its rows by table, its games."""

    club_id: UUID
    rows: Mapping[Table, Sequence[Row]]
    games: tuple[UUID, ...]

    async def refuses(self, conn: Connection) -> bool:
        """Return whether the club has games, people or links that are not in this backup."""
        return await has_others(conn, self.club_id, self.games, self.rows)

    async def restore_rows(self, conn: Connection) -> None:
        """Store everything but the games; rows that exist stay as they are.

        Raises: BadExport
        """
        try:
            await restore_rows(conn, self.club_id, self.rows)
        except ValueError as fault:
            raise BadExport(1, f"this cannot be stored: {fault}") from None

    async def after_games(self, conn: Connection) -> None:
        await move_webhooks_behind_restored(conn, self.club_id)


class _Peeked(Struct):
    line: str
    id: UUID | None = None


def read_backup(stream: BinaryIO, line_bytes_max: int = -1) -> BackupContents:
    """Read a backup to its end and compare it with its checksum.

    Raises: BadExport (an export without rights, incomplete, or changed since it was written)
    """
    raw = stream.readline(line_bytes_max)
    head = decode_line(raw, 1)
    if not isinstance(head, HeadLine):
        raise BadExport(1, "not a backup of Carnet")
    if head.backup is UNSET:
        raise BadExport(1, "an export without links and devices: `carnet import` takes it")
    digest = sha256(raw)
    rows: defaultdict[Table, list[Row]] = defaultdict(list)
    games: list[UUID] = []
    number = 1
    end: EndLine | None = None
    while end is None and (raw := stream.readline(line_bytes_max)):
        number += 1
        match _peek(raw, number):
            case _Peeked(line="game", id=UUID() as game_id):
                games.append(game_id)
            case _Peeked(line="row"):
                line = decode_line(raw, number)
                assert isinstance(line, RowLine)  # noqa: S101 -- by its tag
                row = json.decode(line.row, type=Row)
                if row.get("club_id") != str(head.club):
                    raise BadExport(number, "a row of another club")
                rows[line.table].append(row)
            case _Peeked(line="end"):
                line = decode_line(raw, number)
                end = line if isinstance(line, EndLine) else None
                continue
            case _:
                pass
        digest.update(raw)
    if end is None:
        raise BadExport(number + 1, "the backup ends here, before it is complete")
    if digest.hexdigest() != end.sha256 or stream.read(1):
        raise BadExport(number, "the backup was changed since it was written")
    return BackupContents(club_id=head.club, rows=dict(rows), games=tuple(games))


def is_backup(first_line: bytes) -> bool:
    """Return whether a file with this first line is a backup."""
    try:
        line = decode_line(first_line, 1)
    except BadExport:
        return False
    return isinstance(line, HeadLine) and line.backup is True


def _peek(raw: bytes, number: int) -> _Peeked:
    try:
        return _peeked.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise BadExport(number, f"not a line of a backup of Carnet: {fault}") from None


_peeked = json.Decoder(_Peeked)
