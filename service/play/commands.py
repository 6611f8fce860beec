"""Commands of games: start, append, erase free text. Appends are measured."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from uuid import UUID, uuid5

from schemas.entries import Entry, is_amend, is_splice
from schemas.strict_json import Malformed
from service.errors import (
    GameTooLong,
    KeyReused,
    QuotaReached,
    StoreUnavailable,
    VersionConflict,
)
from service.log import request_version
from service.metrics import WorkMetrics
from service.play.append import (
    JudgedBatch,
    RefusedBatch,
    check_limits,
    deal_scores,
    judge,
    new_entries,
    repeats,
    summary_of,
)
from service.play.game_cache import LoadedGame, decode_rows
from service.play.new_game import open_game, wrong_player
from service.play.runtime import Runtime
from service.play.snapshots import Appended, GameSnapshot, Rejected, snapshot_of
from service.play.workers import may_take_long
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.records import StoredEntry, Title

DERIVED_TYPES = frozenset({"deal_ended", "game_ended"})
# Errors of an append, by the name of the outcome in metrics.
_OUTCOMES: dict[type[Exception], str] = {
    VersionConflict: "conflict",
    KeyReused: "reused",
    GameTooLong: "too-long",
    QuotaReached: "quota",
    StoreUnavailable: "unavailable",
}
# The ids of games started with an idempotency key are derived from it.
_STARTS = UUID("3e0a5c7e-0a8e-5d0a-9f0e-6a1f0c1f7b54")


def game_of(command: UUID) -> UUID:
    return uuid5(_STARTS, command.hex)


class GameCommands:
    """Commands of one club's games. `new_salt` makes salts of free texts."""

    def __init__(
        self,
        store: EventStore,
        players: Players,
        process: Runtime,
        new_id: Callable[[], UUID],
        new_salt: Callable[[], bytes],
        measured: WorkMetrics,
    ) -> None:
        self._store = store
        self._players = players
        self._cache = process.cache
        self._signals = process.signals
        self._workers = process.workers
        self._new_id = new_id
        self._new_salt = new_salt
        self._measured = measured

    async def start(
        self,
        ruleset: str,
        options: bytes,
        players: Sequence[UUID],
        by: UUID | None,
        command_id: UUID | None = None,
        title: Title | None = None,
    ) -> GameSnapshot | Malformed:
        """Start a game; `options` is a JSON object, `players` are by seat.

        Options that are not given are the defaults of the `title`.

        Idempotent by `command_id`: a retry returns the game started first.

        Raises: KeyReused
        """
        known = await self._players.by_ids(players)
        # Replace merged entries by the person they belong to.
        people = tuple(known[one].player_id if one in known else one for one in players)
        opening = open_game(ruleset, options, people, title)
        if isinstance(opening, Malformed):
            return opening
        command = command_id or self._new_id()
        game_id = game_of(command) if command_id else self._new_id()
        wrong = wrong_player(people, {one.player_id: one for one in known.values()})
        # A player may have been erased since the command was stored.
        if wrong is not None and not await self._store.command(game_id, command):
            return wrong
        await self._store.append(
            game_id=game_id,
            expected_version=0,
            command_id=command,
            by=by,
            entries=new_entries([opening.started], self._new_salt),
            summary=opening.summary,
        )
        started = await self._snapshot(game_id)
        if tuple(one.id for one in started.players) != people:
            raise KeyReused(command)
        return started.at(1)

    async def append(
        self,
        game_id: UUID,
        expected_version: int,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended | Rejected:
        """Judge and store a batch as a whole or not at all; idempotent by `command_id`.

        Raises: VersionConflict, KeyReused, NotFound, GameTooLong, GameTooLarge
        """
        time = asyncio.get_running_loop().time
        began = time()
        request_version.set(expected_version)
        try:
            done = await self._append(game_id, expected_version, command_id, by, entries)
        except tuple(_OUTCOMES) as error:
            self._measured.count_append(_OUTCOMES.get(type(error), "unavailable"), time() - began)
            raise
        if isinstance(done, Rejected):
            self._measured.count_append("refused", time() - began, done.refused.refusal.rule)
        else:
            request_version.set(done.version)
            outcome = "repeated" if done.replayed else "stored"
            self._measured.count_append(outcome, time() - began)
        return done

    async def _append(
        self,
        game_id: UUID,
        expected_version: int,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended | Rejected:
        loaded = await self._cache.at_version(game_id, expected_version)
        refused: RefusedBatch | None = None
        # A stored command keeps its answer, even if it would be illegal now.
        if loaded.version == expected_version and not loaded.rows.of_command(command_id):
            judged = await self._judge_batch(loaded, entries)
            if isinstance(judged, JudgedBatch):
                return await self._write(loaded, judged, command_id, by, entries)
            refused = judged
        now = await self._snapshot(game_id)
        repeated = self._stored_answer(now, command_id, entries)
        if repeated is not None:
            return repeated
        if refused is None or now.version != expected_version:
            raise VersionConflict(now.version)
        return Rejected(refused=refused, snapshot=now)

    async def _write(
        self,
        loaded: LoadedGame,
        judged: JudgedBatch,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended:
        written = new_entries([line.entry for line in judged.lines], self._new_salt)
        check_limits(loaded.version, loaded.rows.size, entries, written)
        try:
            stored = await self._store.append(
                game_id=loaded.game_id,
                expected_version=loaded.version,
                command_id=command_id,
                by=by,
                entries=written,
                summary=summary_of(judged.history),
                deals=deal_scores(loaded.history, judged),
                duplicates_checked=True,
            )
        except (VersionConflict, KeyReused):
            # Also raised if the command is stored with outcomes of another release.
            now = await self._snapshot(loaded.game_id)
            repeated = self._stored_answer(now, command_id, entries)
            if repeated is None:
                raise
            return repeated
        if stored.replayed:
            now = await self._snapshot(loaded.game_id)
            return _answer(now, stored.entries, replayed=True)
        grown = await self._cache.extend(loaded, stored.entries, judged.history, stored.erased)
        self._signals.notify(loaded.game_id)
        return _answer(snapshot_of(grown, stored.seated), stored.entries, replayed=False)

    def _stored_answer(
        self, now: GameSnapshot, command_id: UUID, entries: Sequence[Entry]
    ) -> Appended | None:
        """Return the stored answer to a command; None if it is new. Raises: KeyReused."""
        loaded = now.loaded
        rows = loaded.rows.of_command(command_id)
        if not rows:
            return None
        written = [row for row in rows if row.type not in DERIVED_TYPES]
        if not repeats(written, decode_rows(loaded.shapes, written), entries):
            raise KeyReused(command_id)
        return _answer(now, rows, replayed=True)

    async def erase_text(self, game_id: UUID, version: int) -> None:
        """Erase the free text of an entry permanently; the entry and its points stay.

        Other processes follow within `following.POLL_SECONDS`, and before they show the log again.

        Raises: NotFound (no such entry, or one without free text)
        """
        await self._store.erase_text(game_id, version)
        self._cache.forget(game_id)

    async def _judge_batch(
        self, loaded: LoadedGame, entries: Sequence[Entry]
    ) -> JudgedBatch | RefusedBatch:
        """Judge a batch: a single plain entry here, anything else in a thread.

        Corrections judge all later entries again.
        """
        several = len(entries) != 1 or is_amend(entries[0]) or is_splice(entries[0])
        long = several or may_take_long(loaded.history.game)
        return await self._workers.run(partial(judge, loaded.history, entries), long=long)

    async def _snapshot(self, game_id: UUID) -> GameSnapshot:
        return snapshot_of(*await self._cache.now(game_id))


def _answer(now: GameSnapshot, rows: Sequence[StoredEntry], *, replayed: bool) -> Appended:
    return Appended(snapshot=now.at(rows[-1].version), rows=tuple(rows), replayed=replayed)
