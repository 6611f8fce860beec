"""Backup, restore and import of a whole club by the running service, as the commands do it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

import msgspec
from msgspec import Raw, Struct, json

from service.errors import Forbidden
from service.play.game_cache import beginning
from service.store.connection.pool import Connection, Pool, connection, owner_session
from service.store.log.dump import Dump
from service.store.log.restore import open_restore
from service.store.log.snapshot import Snapshot
from service.transfer.backup_contents import BackupContents, read_backup
from service.transfer.export_games import import_lines
from service.transfer.export_lines import BadExport, EndLine, HeadsLine, decode_line
from service.transfer.export_reading import ExportReader
from service.transfer.export_writing import ExportWriter, export_slice

BEGINNING = b'{"line":"carnet-export"'
_LAST_LINE_BYTES_MAX = 1_000
# A game of 4 MiB fits. `carnet import`, which blocks no request, reads longer lines, too.
LINE_BYTES_MAX = 16 * 1024 * 1024


class ExportSummary(Struct, frozen=True, kw_only=True):
    """Counts of an export. `broken`: games with an invalid hash chain."""

    games: int
    entries: int
    players: int
    broken: int


class ImportSummary(Struct, frozen=True, kw_only=True):
    """The result of an import. `failed`: a sentence for each game that was not imported.

    `fault`: the first error in the file; None if it was complete. `shared`: names that several
    people have now; `alike`: new names and those of people who were here.
    """

    new_games: int
    here: int
    new_people: int
    failed: tuple[str, ...]
    fault: str | None
    shared: tuple[str, ...] = ()
    alike: tuple[tuple[str, str], ...] = ()


class ExportPart(Struct, frozen=True, kw_only=True):
    """An extension's line in an export, after those of the games.

    `prepare` runs before the snapshot is taken; `restore`: once the feed has its exported order.
    """

    prepare: Callable[[Pool, UUID], Awaitable[None]]
    read: Callable[[Connection, UUID], Awaitable[HeadsLine]]
    restore: Callable[[Connection, UUID, HeadsLine], Awaitable[None]]


class Everything:
    """Export and import of one club.

    `owner`: the URL of the database for its owner; None if this process does not have it.
    """

    def __init__(
        self, owner: str | None, pool: Pool, added: ExportPart | None, club_id: UUID
    ) -> None:
        self._owner = owner
        self._pool = pool
        self._added = added
        self._club_id = club_id

    async def write(
        self, out: BinaryIO, advance: Callable[[int, int], object] | None = None
    ) -> ExportSummary:
        """Write a backup. `advance` takes the number of entries done and of all."""
        if self._added is not None:
            await self._added.prepare(self._pool, self._club_id)
        async with connection(self._pool, self._club_id) as conn, conn.transaction():
            snapshot = await Snapshot.take(conn, self._club_id)
            dump = Dump(conn, self._club_id)
            writer = ExportWriter(out)
            await writer.begin(dump, backup=True)
            entries = await snapshot.entries() if advance else 0
            async for part in snapshot.slices():
                writer.part(await export_slice(dump, part))
                await asyncio.sleep(0)
                if advance:
                    advance(min(writer.entries, entries), entries)
            if self._added is not None:
                writer.heads(await self._added.read(conn, self._club_id))
            writer.end()
        return ExportSummary(
            games=writer.games,
            entries=writer.entries,
            players=writer.players,
            broken=len(writer.broken),
        )

    async def can_restore(self, path: Path) -> bool:
        """Return whether a file is a complete backup of this club, which has nothing else."""
        if self._owner is None:
            return False
        try:
            contents = await asyncio.to_thread(_read_backup, path)
        except BadExport:
            return False
        async with owner_session(self._owner) as conn:
            return contents.club_id == self._club_id and not await contents.refuses(conn)

    async def restore_from(
        self, path: Path, advance: Callable[[int, int], object]
    ) -> ImportSummary:
        """Restore a backup into this club, which must have nothing else.

        Raises: BadExport, Forbidden (this process may not, or the club is not empty)
        """
        if self._owner is None:
            raise Forbidden("this process may not restore a backup: `carnet restore` does")
        contents = await asyncio.to_thread(_read_backup, path)
        if contents.club_id != self._club_id:
            raise BadExport(1, f"the backup of another club, {contents.club_id}")
        async with owner_session(self._owner) as conn:
            if await contents.refuses(conn):
                raise Forbidden("here are games, people or links that are not in the backup")
            await contents.restore_rows(conn)
            summary = await self.import_from(path, advance)
            await contents.after_games(conn)
        return summary

    async def import_from(self, path: Path, advance: Callable[[int, int], object]) -> ImportSummary:
        """Import an export as far as it is valid.

        `advance` takes the number of games read and of all (0: unknown); what it raises ends the
        import. The games before stay; the feed gets a new order, unless a later import of the
        same file finds it empty.
        """
        if self._owner is None:
            raise Forbidden("this process may not take an export in: `carnet import` does")
        failed: list[str] = []
        fault: str | None = None
        end = await asyncio.to_thread(end_of, path)
        with path.open("rb") as stream:
            async with open_restore(self._owner, self._club_id) as restore:
                reader = ExportReader(stream, restore, int, LINE_BYTES_MAX)
                async with restore.feed.lock():
                    async for lines in reader.parts():
                        counts = await import_lines(restore, lines)
                        reader.add(counts)
                        failed += counts.failed
                        advance(reader.games, end.games if end else 0)
                    placed = await restore.feed.place()
                    if placed and reader.heads is not None and self._added is not None:
                        await self._added.restore(restore.conn, self._club_id, reader.heads)
            try:
                reader.must_have_ended()
            except BadExport as error:
                fault = str(error)
        return ImportSummary(
            new_games=reader.new_games,
            here=reader.here,
            new_people=reader.new_people,
            failed=tuple(failed),
            fault=fault,
            shared=tuple(dict.fromkeys(reader.shared_names)),
            alike=tuple(reader.alike_names),
        )


def _read_backup(path: Path) -> BackupContents:
    with path.open("rb") as stream:
        return read_backup(stream, LINE_BYTES_MAX)


def end_of(path: Path) -> EndLine | None:
    """Return the last line of an export; None if it is missing."""
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - _LAST_LINE_BYTES_MAX))
        last = stream.read().rstrip(b"\n").rpartition(b"\n")[2]
    try:
        line = decode_line(last, 0)
    except BadExport:
        return None
    return line if isinstance(line, EndLine) else None


class ExportOverview(Struct, frozen=True, kw_only=True):
    """What an export contains, as far as it can be read: names, games by ruleset, first and last.

    `titles`: numbers of games by title, which `rulesets` counts by one ruleset.
    """

    people: tuple[str, ...]
    ids: tuple[UUID, ...]
    rulesets: dict[str, int]
    titles: dict[str, int]
    first: datetime | None
    last: datetime | None


class _PeekedEntry(Struct):
    data: Raw
    recorded_at: datetime


class _PeekedLine(Struct):
    line: str
    id: UUID | None = None
    name: str | None = None
    games: tuple[UUID, ...] | int = ()
    entries: tuple[Raw, ...] | int = ()


def overview_of(path: Path) -> ExportOverview:
    """Read what an export contains; invalid lines are left out."""
    people: list[str] = []
    rulesets, titles = Counter[str](), Counter[str]()
    moments: dict[UUID, datetime] = {}
    with path.open("rb") as stream:
        while raw := stream.readline(LINE_BYTES_MAX):
            with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                line = json.decode(raw, type=_PeekedLine)
                match line:
                    case _PeekedLine(line="player", name=str(name)):
                        people.append(name)
                    case _PeekedLine(line="title", name=str(name), games=tuple(games)):
                        titles[name] += len(games)
                    case _PeekedLine(line="game", id=UUID() as game_id, entries=(raw_entry, *_)):
                        first = json.decode(raw_entry, type=_PeekedEntry)
                        started = beginning(bytes(first.data))
                        rulesets[started.ruleset] += 1
                        moments[game_id] = started.at or first.recorded_at
                    case _:
                        pass
    return ExportOverview(
        people=tuple(people),
        ids=tuple(moments),
        rulesets=dict(rulesets.most_common()),
        titles=dict(titles.most_common()),
        first=min(moments.values(), default=None),
        last=max(moments.values(), default=None),
    )
