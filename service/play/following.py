"""Notifies all followers of a game by one query per change."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from uuid import UUID

from service.play.sight import Sight
from service.play.signals import Signals
from service.play.snapshots import GameSnapshot
from service.play.views import Change, GameView, entry_views
from service.tasks import start_for_all

POLL_SECONDS = 0.5

Read = Callable[[UUID, Sight], Awaitable[GameSnapshot]]
Show = Callable[[GameSnapshot], Awaitable[GameView]]


class _News:
    def __init__(self, snapshot: GameSnapshot, first: int, change: Change | None = None) -> None:
        self.snapshot = snapshot
        self.first = first
        self.change = change
        self.next: asyncio.Future[_News] = asyncio.get_running_loop().create_future()


class _Watch:
    """One reader of a game for all its followers."""

    def __init__(self, newest: _News, looking: "asyncio.Task[None]") -> None:
        self.newest = newest
        self.looking = looking
        self.followers = 0


class Following:
    def __init__(self, signals: Signals, read: Read, show: Show) -> None:
        self._signals = signals
        self._read = read
        self._show = show
        self._watches: dict[tuple[UUID, Sight], _Watch] = {}

    async def follow(self, game_id: UUID, sight: Sight, after: int) -> AsyncGenerator[Change]:
        """Yield all changes after version `after`, without gaps, until closed.

        A version in the future: start with the last entry.

        Raises: NotFound
        """
        key = (game_id, sight)
        now = await self._read(game_id, sight)
        seen = after if after <= now.version else now.version - 1
        watch = self._watches.get(key) or self._watch(key, now)
        watch.followers += 1
        try:
            news = watch.newest
            # Two concurrent readers may finish in either order.
            now = max(now, news.snapshot, key=lambda snapshot: snapshot.version)
            if now.version > seen:
                yield Change(
                    entries=entry_views(now.loaded.rows[seen:]), state=await self._show(now)
                )
                seen = now.version
            while True:
                if news.change is not None and news.snapshot.version > seen:
                    yield _since(seen, news, news.change)
                    seen = news.snapshot.version
                # A cancelled follower must not cancel the shared task.
                news = await asyncio.shield(news.next)
        finally:
            watch.followers -= 1
            if not watch.followers:
                watch.looking.cancel()
                if self._watches.get(key) is watch:
                    del self._watches[key]

    def _watch(self, key: tuple[UUID, Sight], now: GameSnapshot) -> _Watch:
        newest = _News(now, now.version + 1)
        looking = start_for_all(self._watch_game(key, newest))
        watch = self._watches[key] = _Watch(newest, looking)
        return watch

    async def _watch_game(self, key: tuple[UUID, Sight], newest: _News) -> None:
        try:
            with self._signals.listening(key[0]) as changed:
                while True:
                    await changed.wait(POLL_SECONDS)
                    newest = await self._next(key, newest)
        except Exception as error:  # noqa: BLE001 -- passed on to each follower
            self._watches.pop(key, None)
            newest.next.set_exception(error)
            newest.next.exception()  # mark it as retrieved: there may be no follower left

    async def _next(self, key: tuple[UUID, Sight], newest: _News) -> _News:
        now = await self._read(*key)
        seen = newest.snapshot.version
        if now.version <= seen:
            return newest
        change = Change(entries=entry_views(now.loaded.rows[seen:]), state=await self._show(now))
        news = _News(now, seen + 1, change)
        self._watches[key].newest = news
        newest.next.set_result(news)
        return news


def _since(seen: int, news: _News, change: Change) -> Change:
    if seen + 1 == news.first:
        return change
    return Change(entries=entry_views(news.snapshot.loaded.rows[seen:]), state=change.state)
