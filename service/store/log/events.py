"""The log: append, read, walk, and erase free texts.

Promises: an append is one round trip and atomic; an acknowledged append is on disk. A retried
command gets the first answer. Entries of a game are in the order of their versions. Free texts are
stored apart from the log, and read and written with it. Assumes a pool of autocommit sessions; the
work is done in SQL (sql/schema/append.sql).
"""

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from datetime import datetime
from itertools import islice
from operator import itemgetter
from typing import Any, LiteralString
from uuid import UUID

from msgspec import json
from psycopg import Error
from psycopg.rows import args_row, dict_row
from psycopg.sql import SQL
from psycopg.types.numeric import Int4

from service.errors import (
    GameBeforeMoved,
    GameContinued,
    KeyReused,
    NotFound,
    QuotaReached,
    VersionConflict,
)
from service.store.club.quota import Quota
from service.store.connection.multi_query import multi_query
from service.store.connection.pool import Pool, conflict, connection, rows_as, translate
from service.store.log.chain import GameVerdict
from service.store.log.group_commit import Command, GroupCommit, Verdict
from service.store.log.snapshot import Snapshot
from service.store.records import (
    AppendedEntries,
    ChainedEntry,
    ChainPlace,
    DealScore,
    GameSummary,
    GameTitle,
    LoggedEntry,
    NewEntry,
    News,
    SeatedPlayer,
    StoredEntry,
)

# Each table is filtered by the club, so that a cluster queries a single node.
# A subquery per entry with a text: the planner might choose a join of all entries of a game with
# all its texts, which is slow for a long game with many notes.
_TEXT = """
    CASE WHEN e.schema_version = 2 THEN (
        SELECT t.text FROM carnet.free_text t
        WHERE t.club_id = %(club)s AND t.game_id = e.game_id AND t.version = e.version
    ) END AS text
"""

_ENTRY = f"""
    SELECT e.version, e.type, e.schema_version, e.data, e.recorded_at, e.recorded_by, e.hash,
           e.ordinal, e.command_id, {_TEXT}
"""

_READ = f"""
    {_ENTRY}
    FROM carnet.entry e
    WHERE e.club_id = %(club)s AND e.game_id = %(game)s AND e.version > %(after)s
    ORDER BY e.version
"""

_SINCE = f"""
    ({_ENTRY}
    FROM carnet.free_text gone
    CROSS JOIN LATERAL (
        SELECT * FROM carnet.entry e
        WHERE e.club_id = %(club)s AND e.game_id = gone.game_id AND e.version = gone.version
        ORDER BY e.version LIMIT 1
    ) e
    WHERE gone.club_id = %(club)s AND gone.game_id = %(game)s AND gone.version <= %(after)s
      AND gone.text IS NULL)
    UNION ALL
    ({_READ})
"""  # noqa: S608 -- constant parts

# One statement for one round trip and one snapshot: the players are returned as version 0.
_PLAYERS = """
    SELECT 0 AS version, '' AS type, 0::smallint AS schema_version, ''::bytea AS data,
           statement_timestamp() AS recorded_at, NULL::uuid AS recorded_by, ''::bytea AS hash,
           0::smallint AS ordinal, NULL::uuid AS command_id, NULL::bytea AS text,
           array_agg(s.player_id ORDER BY s.seat) AS players,
           array_agg(s.name ORDER BY s.seat) AS names,
           (SELECT ARRAY[t.title_id::text, t.name]
            FROM carnet.titled t
            WHERE t.club_id = %(club)s AND t.game_id = %(game)s) AS title,
           (SELECT json_build_object(
                'continues', (SELECT json_build_object(
                        'game_id', c.continues, 'version', c.version, 'dealer', c.dealer)
                    FROM carnet.continuation c
                    WHERE c.club_id = %(club)s AND c.game_id = g.game_id),
                'began_at', g.started_at, 'times', g.times, 'deals_before', g.deals_before,
                'continued_by', (SELECT n.game_id
                    FROM carnet.continuation c JOIN carnet.game n USING (club_id, game_id)
                    WHERE c.club_id = %(club)s AND c.continues = g.game_id AND NOT n.detached),
                'undone', ARRAY(SELECT n.game_id
                    FROM carnet.continuation c JOIN carnet.game n USING (club_id, game_id)
                    WHERE c.club_id = %(club)s AND c.continues = g.game_id AND n.detached
                    ORDER BY n.last_at)
            )::text
            FROM carnet.game g
            WHERE g.club_id = %(club)s AND g.game_id = %(game)s
              AND (g.continues IS NOT NULL OR EXISTS (
                  SELECT FROM carnet.continuation c
                  WHERE c.club_id = %(club)s AND c.continues = g.game_id))) AS chain
    FROM carnet.seated s
    WHERE s.club_id = %(club)s AND s.game_id = %(game)s
"""

_NEWS = f"""
    ({_PLAYERS}) UNION ALL
    (SELECT one.*, NULL::uuid[], NULL::text[], NULL::text[], NULL::text FROM ({_SINCE}) one)
"""  # noqa: S608 -- constant parts

_ALL = f"""
    ({_PLAYERS}) UNION ALL
    (SELECT one.*, NULL::uuid[], NULL::text[], NULL::text[], NULL::text FROM ({_READ}) one)
"""  # noqa: S608 -- constant parts

# The same statement with literal values: from version 0 on it returns everything.
_NEWS_LITERAL = (
    _NEWS.replace("%(club)s", "{club}")
    .replace("%(game)s", "{game}")
    .replace("%(after)s", "{after}")
)

_COMMAND = f"""
    {_ENTRY}
    FROM carnet.entry e
    WHERE e.club_id = %(club)s AND e.game_id = %(game)s AND e.command_id = %(command)s
    ORDER BY e.ordinal
"""

_MANY = f"""
    SELECT e.game_id, e.version, e.type, e.schema_version, e.data, e.recorded_at, {_TEXT}
    FROM carnet.entry e
    WHERE e.club_id = %(club)s AND e.game_id = ANY(%(games)s)
    ORDER BY e.game_id, e.version
"""  # noqa: S608 -- constant parts

_ERASE = "SELECT carnet.erase_text(%s, %s, %s)"

VERSION_MAX = 2**31 - 1
_COLUMNS = len(StoredEntry.__struct_fields__)


def _news(rows: list[dict[str, Any]]) -> News:
    rows.sort(key=itemgetter("version"))
    first, *entries = rows
    seated = zip(first["players"] or (), first["names"] or (), strict=True)
    return News(
        entries=tuple([StoredEntry(*islice(row.values(), _COLUMNS)) for row in entries]),
        seated=tuple(SeatedPlayer(player_id=player, name=name) for player, name in seated),
        title=GameTitle(UUID(first["title"][0]), first["title"][1]) if first["title"] else None,
        chain=json.decode(first["chain"], type=ChainPlace) if first["chain"] else None,
    )


class EventStore:
    """The log of one club. `stored` is called after each append; `quota` limits appends."""

    def __init__(
        self,
        pool: Pool,
        club_id: UUID,
        stored: Callable[[], None] = lambda: None,
        quota: Quota | None = None,
    ) -> None:
        self._pool = pool
        self._club_id = self.club_id = club_id
        self._stored = stored
        self._quota = quota
        self._group = GroupCommit(pool, club_id)

    async def append(
        self,
        *,
        game_id: UUID,
        expected_version: int,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[NewEntry],
        summary: GameSummary,
        deals: Sequence[DealScore] | None = None,
        duplicates_checked: bool = False,
    ) -> AppendedEntries:
        """Append a command's entries as a whole or not at all, and update the read models.

        `expected_version`: the last one the caller has seen, 0 to start a game (which requires
        `summary.start`). `deals`: the scores that changed; None if no deal was added or removed.
        `duplicates_checked`: the caller has read all entries up to that version, and none is of
        this command; else the log is searched.

        Raises: VersionConflict, KeyReused, GameContinued, NotFound (an unknown game or player),
        QuotaReached, StoreUnavailable (retry with the same command)
        """
        if not entries or (expected_version == 0) != (summary.start is not None):
            raise ValueError("an append has entries; the first one, and only it, has a start")
        return await self.append_command(
            Command(
                game_id=game_id,
                version=expected_version,
                command_id=command_id,
                by=by,
                entries=entries,
                summary=summary,
                deals=deals,
                duplicates_checked=duplicates_checked,
            )
        )

    async def append_command(self, command: Command) -> AppendedEntries:
        """Do the same with a prepared command.

        Raises: as `append`; GameContinued (also if the game before goes on as another one),
        GameBeforeMoved
        """
        if self._quota is None or not self._quota.limited:
            return await self._append_grouped(command)
        try:
            async with self._quota.reserve(**_quota_demand(command)) as room:
                appended = await self._append_grouped(command)
                room.used = not appended.replayed
                return appended
        except QuotaReached:
            rows = await self.command(command.game_id, command.command_id)
            if not rows:
                raise
        return await self._append_grouped(command)

    async def _append_grouped(self, command: Command) -> AppendedEntries:
        try:
            # A group commit belongs to several requests, so the span covers only the wait.
            with self._pool.span("append"):
                verdict = await self._group.append(command)
        except Error as error:
            raise translate(error, command.game_id, command.version) from error
        match verdict:
            case Verdict(recorded_at=datetime() as recorded_at):
                self._stored()
                return _appended_entries(command, verdict, recorded_at)
            case Verdict(verdict="repeated"):
                rows = await self.command(command.game_id, command.command_id)
                return AppendedEntries(entries=tuple(rows), replayed=True)
            case Verdict(verdict="reused"):
                raise KeyReused(command.command_id)
            case Verdict(verdict="continued"):
                raise GameContinued(
                    (command.before if command.before_version else None) or command.game_id
                )
            case Verdict(verdict="moved"):
                raise GameBeforeMoved(command.before)
            case _:
                raise conflict(command.game_id, command.version, verdict.version or 0)

    async def append_in_one_transaction(self, commands: Sequence[Command]) -> list[bool]:
        """Append commands in one transaction; return for each whether it was stored now.

        One that is stored already, or expects another version, is left out.

        Raises: as `append`; then none is stored
        """
        wanted: Counter[str] = Counter()
        for command in commands:
            wanted.update(_quota_demand(command))
        limited = self._quota is not None and self._quota.limited
        async with self._quota.reserve(**wanted) if self._quota and limited else nullcontext():
            try:
                with self._pool.span("append"):
                    verdicts = await self._group.append_in_one_transaction(commands)
            except Error as error:
                raise translate(error, commands[0].game_id, 0) from error
        self._stored()
        return [verdict.verdict == "stored" for verdict in verdicts]

    async def append_following(self, commands: Sequence[Command]) -> None:
        """Append a correction and what follows from it in other games, all or nothing.

        Raises: as `append`; VersionConflict (any of the games is at another version)
        """
        if not all(await self.append_in_one_transaction(commands)):
            raise VersionConflict(0)

    async def read(self, game_id: UUID, after: int = 0) -> list[StoredEntry]:
        """Read a game's entries after version `after`; none if the game does not exist."""
        return await self._entries(_READ, game=game_id, after=Int4(after))

    async def news(self, game_id: UUID, version: int = 0) -> News:
        """Read the changes for a caller who knows a game up to `version`, and its players.

        These are later entries, and earlier ones whose text was erased, in order. A game that does
        not exist has neither entries nor players.
        """
        known = {"club": self._club_id, "game": game_id, "after": Int4(version)}
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await cursor.execute(_NEWS if version else _ALL, known, prepare=True)
            return _news(await cursor.fetchall())

    async def news_of(self, known: Mapping[UUID, int]) -> dict[UUID, News]:
        """Read the `news` of several games by known versions, by one query."""
        statements = [
            SQL(_NEWS_LITERAL).format(club=self._club_id, game=game_id, after=version)
            for game_id, version in known.items()
        ]
        answers = await multi_query(self._pool, self._club_id, *statements)
        return {game_id: _news(rows) for game_id, rows in zip(known, answers, strict=True)}

    async def of_games(self, game_ids: Sequence[UUID]) -> list[LoggedEntry]:
        parameters = {"club": self._club_id, "games": list(game_ids)}
        return await rows_as(
            LoggedEntry, self._pool, self._club_id, _MANY, parameters, prepare=True
        )

    async def command(self, game_id: UUID, command_id: UUID) -> list[StoredEntry]:
        return await self._entries(_COMMAND, game=game_id, command=command_id)

    async def erase_text(self, game_id: UUID, version: int) -> None:
        """Erase the free text of an entry. Idempotent.

        Raises: NotFound (no such entry, or it has no text)
        """
        if not 0 < version <= VERSION_MAX:
            raise NotFound("version", None)
        async with connection(self._pool, self._club_id) as conn:
            rows = await conn.execute(_ERASE, [self._club_id, game_id, Int4(version)])
            (erased,) = await rows.fetchall()
        if not erased[0]:
            raise NotFound("text", None)

    @asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[Snapshot]:
        """Open a snapshot of the whole log: to verify, audit, rebuild or export it."""
        async with connection(self._pool, self._club_id) as conn, conn.transaction():
            yield await Snapshot.take(conn, self._club_id)

    async def walk(self) -> AsyncIterator[ChainedEntry]:
        """Stream every entry of one snapshot, game by game."""
        async with self.snapshot() as snapshot:
            async for link in snapshot.walk():
                yield link

    async def verify(self) -> AsyncIterator[GameVerdict]:
        """Verify every chain of one snapshot; yield a verdict per game."""
        async with self.snapshot() as snapshot:
            async for verdict in snapshot.verify():
                yield verdict

    async def _entries(self, query: LiteralString, **parameters: object) -> list[StoredEntry]:
        async with (
            connection(self._pool, self._club_id) as conn,
            conn.cursor(binary=True, row_factory=args_row(StoredEntry)) as cursor,
        ):
            await cursor.execute(query, {"club": self._club_id, **parameters}, prepare=True)
            return await cursor.fetchall()


def _quota_demand(command: Command) -> dict[str, int]:
    start = command.summary.start
    return {
        "games": 0 if start is None else 1,
        "people": 0 if start is None else len(start.newcomers),
        "entries": len(command.entries),
        "bytes": sum(
            len(entry.data) + (len(entry.free.text) if entry.free else 0)
            for entry in command.entries
        ),
    }


def _appended_entries(command: Command, verdict: Verdict, recorded_at: datetime) -> AppendedEntries:
    stored = [
        StoredEntry(
            version=command.version + 1 + ordinal,
            type=entry.type,
            schema_version=entry.schema_version,
            data=entry.data,
            recorded_at=recorded_at,
            recorded_by=command.by,
            hash=hashed,
            ordinal=ordinal,
            command_id=command.command_id,
            text=entry.free.text if entry.free else None,
        )
        for ordinal, (entry, hashed) in enumerate(
            zip(command.entries, verdict.hashes or (), strict=True)
        )
    ]
    return AppendedEntries(
        entries=tuple(stored),
        replayed=False,
        seated=tuple(
            SeatedPlayer(player_id=player, name=name)
            for player, name in zip(verdict.players or (), verdict.names or (), strict=True)
        ),
        erased=frozenset(verdict.erased or ()),
    )
