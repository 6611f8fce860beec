"""Group commit: appends that wait at the same moment share one call and one transaction.

Promises: each command has its own verdict, as if it were alone, and is on disk when it has it; none
is stored in part. A command whose game is locked, or whose group failed, is sent again alone. A
cancelled request does not affect the others. A plain entry that waits alone goes by scalar
arguments, at a little more than half the cost. Assumes one event loop; other processes may write
the same games.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from copy import copy
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from msgspec import Struct, json
from msgspec.structs import asdict
from psycopg import Error
from psycopg.rows import class_row
from psycopg.types.numeric import Int2, Int4

from service.errors import CarnetError, StoreBusy, StoreUnavailable
from service.store.connection.pool import Pool, connection
from service.store.records import DealScore, GameSummary, NewEntry
from service.tasks import start_for_all

# While one call waits for the disk, a second one starts once as many commands wait.
# A second call for a single command would only wait for the first commit.
WORKERS_MAX = 2
COMMANDS_MAX = 64
# Larger batches skip group commit, so they do not delay others.
GROUPED_ENTRIES_MAX = 20

_APPEND = """
    SELECT verdict, version, recorded_at, hashes, players, names, erased
    FROM carnet.append(%s, %s::jsonb, %s)
"""

_APPEND_ENTRY = """
    SELECT verdict, version, recorded_at, hashes, players, names, erased
    FROM carnet.append_entry(%s, %s, %s, %s, %s::uuid, %s, %s, %s, %s::jsonb)
"""


class Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An append to a game that was at `version`.

    `duplicates_checked`: the caller has seen every entry up to that version, and none is of this
    command. `before`: the game from which it goes on after this command, at `before_version`; None:
    it goes on from it no more. `follows`: it belongs to a correction of a chain, whose commands are
    stored all or none; the game may go on as another.
    """

    game_id: UUID
    version: int
    command_id: UUID
    by: UUID | None
    entries: Sequence[NewEntry]
    summary: GameSummary
    deals: Sequence[DealScore] | None = None
    duplicates_checked: bool = False
    before: UUID | None = None
    before_version: int | None = None
    follows: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is one entry of a running game, without a text and a change of scores."""
        return (
            len(self.entries) == 1
            and self.entries[0].free is None
            and self.version > 0
            and self.deals is None
            and self.summary.detached is None
            and self.before is None
            and self.duplicates_checked
            and not self.follows
        )


class Verdict(Struct, frozen=True, kw_only=True):
    verdict: Literal["stored", "repeated", "reused", "conflict", "continued", "moved", "busy"]
    version: int | None
    recorded_at: datetime | None
    hashes: Sequence[bytes] | None
    players: Sequence[UUID] | None
    names: Sequence[str | None] | None
    erased: Sequence[int] | None


_Waiting: TypeAlias = tuple[Command, asyncio.Future[Verdict | None]]


class GroupCommit:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self._pool = pool
        self._club_id = club_id
        self._waiting: deque[_Waiting] = deque()
        self._workers = self._commands_in_flight = 0  # tasks, and the commands they send
        self._tasks: set[asyncio.Task[None]] = set()  # the loop only has weak references to tasks

    async def append(self, command: Command) -> Verdict:
        """Append a command together with others that wait; never answers "busy"."""
        if len(command.entries) <= GROUPED_ENTRIES_MAX and command.version:
            result: asyncio.Future[Verdict | None] = asyncio.get_running_loop().create_future()
            self._waiting.append((command, result))
            if not self._workers or (
                self._workers < WORKERS_MAX and 0 < self._commands_in_flight <= len(self._waiting)
            ):
                self._start_worker()
            verdict = await result
            if verdict is not None and verdict.verdict != "busy":
                return verdict
        (alone,) = await self._call([command], wait=True)
        return alone

    async def append_in_one_transaction(self, commands: Sequence[Command]) -> Sequence[Verdict]:
        """Append several games' commands in one transaction.

        Raises: psycopg.Error (none is stored)
        """
        return await self._call(commands, wait=True)

    def _start_worker(self) -> None:
        call = start_for_all(self._commit_waiting())
        self._workers += 1
        self._tasks.add(call)
        call.add_done_callback(self._tasks.discard)

    async def _commit_waiting(self) -> None:
        try:
            while self._waiting:
                number = min(COMMANDS_MAX, len(self._waiting))
                group = [self._waiting.popleft() for _ in range(number)]
                # Cancelled requests are left out.
                group = [(command, told) for command, told in group if not told.done()]
                if group:
                    await self._send_group(group)
        except Exception:
            if self._waiting:  # they were not part of the failed group
                self._start_worker()
            raise
        finally:
            # Not in a done callback, which runs one loop iteration later: a command that arrives in
            # between would wait for a worker that has ended.
            self._workers -= 1

    async def _send_group(self, group: Sequence[_Waiting]) -> None:
        self._commands_in_flight += len(group)
        try:
            try:
                # The order in which merges update the rows of games, or both could deadlock.
                group = sorted(group, key=lambda waiting: waiting[0].game_id)
                commands = [command for command, _ in group]
                verdicts: Sequence[Verdict | None]
                if len(commands) == 1 and commands[0].is_plain:
                    verdicts = [await self._append_entry(commands[0])]
                else:
                    verdicts = await self._call(commands, wait=False)
            except (StoreBusy, Error):
                verdicts = [None] * len(group)
        except BaseException as error:
            failure = error if isinstance(error, Exception) else StoreUnavailable("it stops")
            for _, told in group:
                if not told.done():
                    told.set_exception(copy(failure))
            if isinstance(error, CarnetError):
                return
            raise
        finally:
            self._commands_in_flight -= len(group)
        for (_, told), verdict in zip(group, verdicts, strict=True):
            if not told.done():
                told.set_result(verdict)

    async def _call(self, commands: Sequence[Command], *, wait: bool) -> Sequence[Verdict]:
        written = json.encode([_as_argument(command) for command in commands]).decode()
        async with (
            connection(self._pool, self._club_id, club_in_arguments=True) as conn,
            conn.cursor(binary=True, row_factory=class_row(Verdict)) as cursor,
        ):
            await cursor.execute(_APPEND, (self._club_id, written, wait), prepare=True)
            return await cursor.fetchall()

    async def _append_entry(self, command: Command) -> Verdict | None:
        """Append a plain command by scalar arguments; None: it is not stored, `_call` decides."""
        (entry,) = command.entries
        arguments = (
            self._club_id,
            command.game_id,
            Int4(command.version),
            command.command_id,
            command.by,
            entry.type,
            Int2(entry.schema_version),
            entry.data.decode(),
            json.encode(command.summary).decode(),
        )
        async with (
            connection(self._pool, self._club_id, club_in_arguments=True) as conn,
            conn.cursor(binary=True, row_factory=class_row(Verdict)) as cursor,
        ):
            await cursor.execute(_APPEND_ENTRY, arguments, prepare=True)
            return await cursor.fetchone()


def _as_argument(command: Command) -> dict[str, Any]:
    entries = [
        {
            "type": entry.type,
            "schema_version": entry.schema_version,
            "data": entry.data.decode(),
            "text": entry.free.text if entry.free else None,
            "salt": entry.free.salt if entry.free else None,
        }
        for entry in command.entries
    ]
    return asdict(command) | {"recorded_by": command.by, "entries": entries}
