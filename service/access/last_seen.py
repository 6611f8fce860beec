"""Records the last use of sessions and tokens, at most once in `SELDOM`, in the background."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from service.access.principal import Principal
from service.errors import StoreUnavailable
from service.store.access.grants import Grants

SELDOM = timedelta(minutes=10)
_NOTED_MAX = 10_000


class LastSeen:
    def __init__(self, grants: Grants, now: Callable[[], datetime]) -> None:
        self._grants = grants
        self._now = now
        self._noted: dict[UUID, datetime] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, who: Principal) -> None:
        if (grant_id := who.session_id or who.token_id) is None:
            return
        now = self._now()
        last = max(filter(None, (who.seen_at, self._noted.get(grant_id))), default=None)
        if last is not None and now - last < SELDOM:
            return
        if len(self._noted) >= _NOTED_MAX:
            self._noted.clear()
        self._noted[grant_id] = now
        task = asyncio.ensure_future(self._write(grant_id))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    def returned(self, who: Principal) -> bool:
        """Return whether a session is used again after at least `SELDOM`."""
        if who.session_id is None or who.seen_at is None:
            return False
        return self._now() - who.seen_at >= SELDOM

    async def _write(self, grant_id: UUID) -> None:
        with suppress(StoreUnavailable):
            await self._grants.record_use(grant_id)
