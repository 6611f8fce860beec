"""Everybody who follows a game, told of it by one look at the log."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextvars import Context
from uuid import UUID

from service.play.moments import Moment
from service.play.signals import Signals
from service.play.views import Change, GameView, entry_views

POLL_SECONDS = 0.5

Read = Callable[[UUID], Awaitable[Moment]]
Show = Callable[[Moment], Awaitable[GameView]]


class _News:
    """One change in a chain of them: `change` leads from version `first` - 1 to `moment`."""

    def __init__(self, moment: Moment, first: int, change: Change | None = None) -> None:
        self.moment = moment
        self.first = first
        self.change = change
        self.next: asyncio.Future[_News] = asyncio.get_running_loop().create_future()


class _Watch:
    """One look at a game for all who follow it."""

    def __init__(self, newest: _News, looking: "asyncio.Task[None]") -> None:
        self.newest = newest
        self.looking = looking
        self.followers = 0


class Following:
    """Who follows which game. `read` a game as it is now, `show` it at a moment."""

    def __init__(self, signals: Signals, read: Read, show: Show) -> None:
        self._signals = signals
        self._read = read
        self._show = show
        self._watches: dict[UUID, _Watch] = {}

    async def follow(self, game_id: UUID, after: int | None) -> AsyncGenerator[Change]:
        """Yield what came after version `after`, then everything that comes, without a gap.

        None, or a version the game has not reached: begin with the last entry. Ends only when it is
        closed.

        Raises: NotFound, StoreUnavailable
        """
        now = await self._read(game_id)
        seen = after if after is not None and after <= now.version else now.version - 1
        watch = self._watches.get(game_id) or self._watch(now)
        watch.followers += 1
        try:
            news = watch.newest
            # Two that asked at once may have been answered one after the other.
            now = max(now, news.moment, key=lambda one: one.version)
            if now.version > seen:
                yield Change(
                    entries=entry_views(now.folded.rows[seen:]), state=await self._show(now)
                )
                seen = now.version
            while True:
                if news.change is not None and news.moment.version > seen:
                    yield _since(seen, news, news.change)
                    seen = news.moment.version
                # Whoever goes away takes the news from nobody else.
                news = await asyncio.shield(news.next)
        finally:
            watch.followers -= 1
            if not watch.followers:
                self._end(game_id, watch)

    def _watch(self, now: Moment) -> _Watch:
        newest = _News(now, now.version + 1)
        # In a context of its own: it is not the request of whoever happened to come first.
        loop = asyncio.get_running_loop()
        looking = loop.create_task(self._look(now.id, newest), context=Context())
        watch = self._watches[now.id] = _Watch(newest, looking)
        return watch

    def _end(self, game_id: UUID, watch: _Watch) -> None:
        watch.looking.cancel()
        if self._watches.get(game_id) is watch:
            del self._watches[game_id]

    async def _look(self, game_id: UUID, newest: _News) -> None:
        try:
            with self._signals.listening(game_id) as changed:
                while True:
                    await changed.wait(POLL_SECONDS)
                    newest = await self._next(game_id, newest)
        except Exception as error:  # noqa: BLE001 -- it is each follower's
            self._watches.pop(game_id, None)
            newest.next.set_exception(error)
            newest.next.exception()  # there may be nobody left who asks

    async def _next(self, game_id: UUID, newest: _News) -> _News:
        now = await self._read(game_id)
        seen = newest.moment.version
        if now.version <= seen:
            return newest
        change = Change(entries=entry_views(now.folded.rows[seen:]), state=await self._show(now))
        news = _News(now, seen + 1, change)
        self._watches[game_id].newest = news
        newest.next.set_result(news)
        return news


def _since(seen: int, news: _News, change: Change) -> Change:
    if seen + 1 == news.first:
        return change
    return Change(entries=entry_views(news.moment.folded.rows[seen:]), state=change.state)
