"""When a browser or a program was seen last: written seldom, and nobody waits for it.

Promises: a session or token is written once in `SELDOM` at most, beside the request that showed
it; bounded memory. Assumes that what a process forgets when it ends does not matter.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from service.access.principal import Principal
from service.errors import StoreUnavailable
from service.store.access.api_tokens import ApiTokens
from service.store.access.sessions import Sessions

SELDOM = timedelta(minutes=10)
_NOTED_MAX = 10_000


class LastSeen:
    """Notes whose browsers and tokens are used. `now` is the time of day."""

    def __init__(self, sessions: Sessions, tokens: ApiTokens, now: Callable[[], datetime]) -> None:
        self._sessions = sessions
        self._tokens = tokens
        self._now = now
        self._noted: dict[UUID, datetime] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, who: Principal) -> None:
        """Note that somebody is here, if that was not noted of late."""
        if who.session_id is not None:
            self._note(who.session_id, who.seen_at, self._sessions.saw)
        elif who.token_id is not None:
            self._note(who.token_id, who.seen_at, self._tokens.saw)

    def returned(self, who: Principal) -> bool:
        """Say whether a browser that asks now had not been seen for a while."""
        if who.session_id is None or who.seen_at is None:
            return False
        return self._now() - who.seen_at >= SELDOM

    def _note(
        self, id_: UUID, seen_at: datetime | None, write: Callable[[UUID], Awaitable[None]]
    ) -> None:
        now = self._now()
        times = filter(None, (seen_at, self._noted.get(id_)))
        last = max(times, default=None)
        if last is not None and now - last < SELDOM:
            return
        if len(self._noted) >= _NOTED_MAX:
            self._noted.clear()
        self._noted[id_] = now
        task = asyncio.ensure_future(_written(write, id_))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)


async def _written(write: Callable[[UUID], Awaitable[None]], id_: UUID) -> None:
    with suppress(StoreUnavailable):
        await write(id_)
