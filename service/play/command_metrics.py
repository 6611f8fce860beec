"""Measures commands: the outcome and duration of appends, and the refusing clause."""

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID

from schemas.entries import Entry
from service.errors import (
    GameTooLarge,
    GameTooLong,
    KeyReused,
    NotFound,
    QuotaReached,
    StoreUnavailable,
    VersionConflict,
)
from service.log import request_version
from service.metrics import WorkMetrics
from service.play.commands import GameCommands
from service.play.runtime import Runtime
from service.play.snapshots import Appended, Rejected
from service.store.club.players import Players
from service.store.log.events import EventStore

_RAISED: dict[type[Exception], str] = {
    VersionConflict: "conflict",
    KeyReused: "reused",
    GameTooLong: "too-long",
    GameTooLarge: "too-large",
    QuotaReached: "quota",
}


class CommandMetrics(GameCommands):
    """Commands of one club's games, with metrics."""

    def __init__(
        self,
        store: EventStore,
        players: Players,
        process: Runtime,
        new_id: Callable[[], UUID],
        new_salt: Callable[[], bytes],
        measured: WorkMetrics,
    ) -> None:
        super().__init__(store, players, process, new_id, new_salt)
        self._measured = measured

    async def append(
        self,
        game_id: UUID,
        expected_version: int,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended | Rejected:
        """Judge and store a batch as a whole or not at all; idempotent by `command_id`."""
        time = asyncio.get_running_loop().time
        began = time()
        request_version.set(expected_version)
        try:
            done = await super().append(game_id, expected_version, command_id, by, entries)
        except NotFound:
            raise  # a game that is not there is no append
        except (
            VersionConflict,
            KeyReused,
            GameTooLong,
            QuotaReached,
            StoreUnavailable,
        ) as error:
            self._measured.count_append(_RAISED.get(type(error), "unavailable"), time() - began)
            raise
        if isinstance(done, Rejected):
            self._measured.count_append("refused", time() - began, done.refused.refusal.rule)
        else:
            request_version.set(done.version)
            outcome = "repeated" if done.replayed else "stored"
            self._measured.count_append(outcome, time() - began)
        return done
