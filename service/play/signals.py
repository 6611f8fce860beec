"""Wakes those who wait for a game, in this process, and has the others told."""

import asyncio
import contextlib
from collections.abc import Callable, Generator
from uuid import UUID


class Signal:
    """One listener's bell."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Let the present or next `wait` end at once."""
        self._event.set()

    async def wait(self, seconds_max: float) -> None:
        """Wait for a ring, `seconds_max` at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds_max):
                await self._event.wait()
        self._event.clear()


class Signals:
    """Everybody's bells, by game. `tell` tells other processes which game has gone on."""

    def __init__(self, tell: Callable[[UUID], None] | None = None) -> None:
        self._tell = tell
        self._listeners: dict[UUID, set[Signal]] = {}

    @contextlib.contextmanager
    def listening(self, game_id: UUID) -> Generator[Signal]:
        """Have a bell for as long as the context lasts."""
        signal = Signal()
        self._listeners.setdefault(game_id, set()).add(signal)
        try:
            yield signal
        finally:
            self._listeners[game_id].discard(signal)
            if not self._listeners[game_id]:
                del self._listeners[game_id]

    def notify(self, game_id: UUID) -> None:
        """Ring for all who listen to this game, in every process."""
        self.ring(game_id)
        if self._tell is not None:
            self._tell(game_id)

    def ring(self, game_id: UUID) -> None:
        """Ring for all who listen to this game here."""
        for signal in self._listeners.get(game_id, ()):
            signal.ring()
