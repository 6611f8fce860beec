"""Commands of games: start, append, erase free text. Appends are measured."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID, uuid5

from msgspec.structs import replace

from schemas.entries import Entry, is_amend, is_splice
from schemas.strict_json import Malformed
from service.errors import (
    GameBeforeMoved,
    GameContinued,
    GameTooLong,
    KeyReused,
    QuotaReached,
    StoreUnavailable,
    TotalCarried,
    VersionConflict,
)
from service.log import request_version
from service.metrics import WorkMetrics
from service.play.append import (
    JudgedBatch,
    RefusedBatch,
    check_limits,
    deal_scores,
    is_detached,
    judge,
    new_entries,
    repeats,
    summary_of,
)
from service.play.chain_corrections import (
    check_starts,
    follow,
    is_correction,
    may_change_starts,
)
from service.play.continuing import CannotContinue, Continuing, Prepared, prepare
from service.play.game_cache import LoadedGame, decode_rows
from service.play.new_game import open_game, wrong_player
from service.play.runtime import Runtime
from service.play.snapshots import Appended, GameSnapshot, Rejected, snapshot_of
from service.play.workers import may_take_long
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.log.group_commit import Command
from service.store.records import StoredEntry, Title

DERIVED_TYPES = frozenset({"deal_ended", "game_ended"})
# Errors of an append, by the name of the outcome in metrics.
_OUTCOMES: dict[type[Exception], str] = {
    VersionConflict: "conflict",
    GameContinued: "conflict",
    GameBeforeMoved: "conflict",
    KeyReused: "reused",
    TotalCarried: "conflict",
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
        at: datetime | None = None,
    ) -> GameSnapshot | Malformed:
        """Start a game; `options` is a JSON object, `players` are by seat.

        Options that are not given are the defaults of the `title`. `at`: when it began, if that
        was before it arrived.

        Idempotent by `command_id`: a retry returns the game started first.

        Raises: KeyReused
        """
        people, wrong = await self._people(players)
        opening = open_game(ruleset, options, people, title, at)
        if isinstance(opening, Malformed):
            return opening
        command = command_id or self._new_id()
        game_id = game_of(command) if command_id else self._new_id()
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
        if tuple(player.id for player in started.players) != people:
            raise KeyReused(command)
        return started.at(1)

    async def _people(self, players: Sequence[UUID]) -> tuple[tuple[UUID, ...], Malformed | None]:
        """Replace merged entries by the person they belong to; return also who cannot play."""
        known = await self._players.by_ids(players)
        people = tuple(known[player].player_id if player in known else player for player in players)
        return people, wrong_player(people, {person.player_id: person for person in known.values()})

    async def go_on(
        self,
        before: GameSnapshot,
        continuing: Continuing,
        by: UUID | None,
        command_id: UUID | None = None,
    ) -> GameSnapshot | Malformed | CannotContinue:
        """Start the game as which a running one goes on.

        Idempotent by `command_id`: a retry returns the game started first.

        Raises: KeyReused, GameContinued, GameBeforeMoved
        """
        people, wrong = await self._people(continuing.players)
        continuing = replace(continuing, players=people)
        command = command_id or self._new_id()
        game_id = game_of(command) if command_id else self._new_id()
        if command_id and await self._store.command(game_id, command):
            again = await self._snapshot(game_id)
            if not _repeats_start(again, command, before, continuing):
                raise KeyReused(command)
            return again
        prepared = prepare(before, continuing)
        if not isinstance(prepared, Prepared):
            return prepared
        if wrong is not None:
            return wrong
        try:
            await self._store.append_command(
                Command(
                    game_id=game_id,
                    version=0,
                    command_id=command,
                    by=by,
                    entries=new_entries(prepared.entries, self._new_salt),
                    summary=prepared.summary,
                    before=before.id,
                    before_version=before.version,
                )
            )
        except GameContinued:
            _refuse_continued(await self._snapshot(before.id))
            raise
        self._signals.notify(before.id)
        return await self._snapshot(game_id)

    async def append(
        self,
        game_id: UUID,
        expected_version: int,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended | Rejected:
        """Judge and store a batch as a whole or not at all; idempotent by `command_id`.

        Raises: VersionConflict, KeyReused, NotFound, GameTooLong, GameTooLarge, GameContinued (it
        goes on as another game), GameBeforeMoved (it was to go on again from the game before),
        TotalCarried
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
                if may_change_starts(loaded, entries):
                    check_starts(loaded, judged.history)
                try:
                    return await self._write(loaded, judged, command_id, by, entries)
                except GameContinued:
                    now = await self._snapshot(game_id)
                    if not is_correction(entries) or now.version != expected_version:
                        raise
                    if now.loaded.chain is None or now.loaded.chain.continued_by is None:
                        raise
                    return await self._write_through(now, judged, command_id, by, entries)
            refused = judged
        now = await self._snapshot(game_id)
        repeated = self._stored_answer(now, command_id, entries)
        if repeated is not None:
            return repeated
        _refuse_continued(now)
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
        summary = summary_of(judged.history)
        before = loaded.chain.continues if loaded.chain else None
        detached = is_detached(judged.history)
        if before is not None and detached != is_detached(loaded.history):
            summary = replace(summary, detached=detached)
        else:
            before = None  # the game before is not touched
        check_limits(loaded.version, loaded.rows.size, entries, written)
        try:
            stored = await self._store.append_command(
                Command(
                    game_id=loaded.game_id,
                    version=loaded.version,
                    command_id=command_id,
                    by=by,
                    entries=written,
                    summary=summary,
                    deals=deal_scores(loaded.history, judged),
                    duplicates_checked=True,
                    before=before.game_id if before else None,
                    before_version=before.version if before and not detached else None,
                )
            )
        except (VersionConflict, KeyReused, GameContinued):
            # Also raised if the command is stored with outcomes of another release.
            now = await self._snapshot(loaded.game_id)
            repeated = self._stored_answer(now, command_id, entries)
            if repeated is None:
                _refuse_continued(now)
                if before is not None:
                    _refuse_continued(await self._snapshot(before.game_id))
                raise
            return repeated
        if stored.replayed:
            now = await self._snapshot(loaded.game_id)
            return _answer(now, stored.entries, replayed=True)
        grown = await self._cache.extend(loaded, stored.entries, judged.history, stored.erased)
        self._signals.notify(loaded.game_id)
        if before is not None:
            self._signals.notify(before.game_id)
            return _answer(await self._snapshot(loaded.game_id), stored.entries, replayed=False)
        return _answer(snapshot_of(grown, stored.seated), stored.entries, replayed=False)

    async def _write_through(
        self,
        now: GameSnapshot,
        judged: JudgedBatch,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended:
        """Correct a game that goes on as another: the totals carried over follow.

        Raises: GameContinued (the later games cannot follow), VersionConflict
        """
        later = await follow(self._snapshot, now, judged.history)
        if not later:
            _refuse_continued(now)
            raise VersionConflict(now.version)
        batches = [(now.loaded, judged, command_id)]
        batches += [
            (following.game.loaded, following.judged, uuid5(command_id, following.game.id.hex))
            for following in later
            if following.entries
        ]
        commands: list[Command] = []
        for game, batch, command in batches:
            written = new_entries([line.entry for line in batch.lines], self._new_salt)
            check_limits(game.version, game.rows.size, entries, written)
            commands.append(
                Command(
                    game_id=game.game_id,
                    version=game.version,
                    command_id=command,
                    by=by,
                    entries=written,
                    summary=replace(summary_of(batch.history), detached=False),
                    deals=deal_scores(game.history, batch),
                    duplicates_checked=True,
                    follows=game.chain is not None and game.chain.continued_by is not None,
                )
            )
        await self._store.append_following(commands)
        for game_id in (now.id, *(following.game.id for following in later)):
            self._signals.notify(game_id)
        after = await self._snapshot(now.id)
        return _answer(after, after.loaded.rows.of_command(command_id), replayed=False)

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


def _refuse_continued(now: GameSnapshot) -> None:
    by = now.loaded.chain.continued_by if now.loaded.chain else None
    if by is not None:
        raise GameContinued(now.id, by, now.version)


def _repeats_start(
    again: GameSnapshot, command: UUID, before: GameSnapshot, continuing: Continuing
) -> bool:
    chain = again.loaded.chain
    if chain is None or chain.continues is None or chain.continues.game_id != before.id:
        return False
    prepared = prepare(before.at(chain.continues.version), continuing)
    rows = again.loaded.rows.of_command(command)
    return (
        isinstance(prepared, Prepared)
        and tuple(player.id for player in again.players) == tuple(continuing.players)
        and decode_rows(again.loaded.shapes, rows) == [*prepared.entries]
    )


def _answer(now: GameSnapshot, rows: Sequence[StoredEntry], *, replayed: bool) -> Appended:
    return Appended(snapshot=now.at(rows[-1].version), rows=tuple(rows), replayed=replayed)
