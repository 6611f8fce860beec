"""Wakes the waiters of a game in this process, and notifies other processes."""

import asyncio
import contextlib
from collections.abc import Callable, Generator
from uuid import UUID


class Signal:
    """A listener's wake-up signal."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def wake(self) -> None:
        self._event.set()

    async def wait(self, seconds_max: float) -> None:
        """Wait for a signal, at most `seconds_max`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds_max):
                await self._event.wait()
        self._event.clear()


class Signals:
    """Listeners by game. `publish` notifies other processes of a change."""

    def __init__(self, publish: Callable[[UUID], None] | None = None) -> None:
        self._publish = publish
        self._listeners: dict[UUID, set[Signal]] = {}

    @contextlib.contextmanager
    def listening(self, game_id: UUID) -> Generator[Signal]:
        signal = Signal()
        self._listeners.setdefault(game_id, set()).add(signal)
        try:
            yield signal
        finally:
            self._listeners[game_id].discard(signal)
            if not self._listeners[game_id]:
                del self._listeners[game_id]

    def notify(self, game_id: UUID) -> None:
        """Wake all listeners to a game, in all processes."""
        self.wake(game_id)
        if self._publish is not None:
            self._publish(game_id)

    def wake(self, game_id: UUID) -> None:
        """Wake all listeners to a game in this process."""
        for signal in self._listeners.get(game_id, ()):
            signal.wake()
