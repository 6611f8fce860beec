"""Ends open connections (streams) whose caller has lost the right to them.

Promises: all connections are checked by one query every `CHECK_SECONDS`, also for rights that
another process revoked; without open connections there are no queries. While the database does not
answer, connections stay open.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from uuid import UUID

from service.access.identities import Identities
from service.access.principal import Principal
from service.errors import StoreUnavailable
from service.tasks import start_for_all

CHECK_SECONDS = 1.0
# The last event of a stream whose caller has lost the right to it.
SIGNED_OUT = b"event: signed-out\ndata: {}\n\n"


class _WatchedConnection:
    def __init__(self, who: Principal, game_id: UUID | None) -> None:
        self.who = who
        self.game_id = game_id
        self.ended = asyncio.Event()


class Watch:
    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._watched: set[_WatchedConnection] = set()
        self._checking: asyncio.Task[None] | None = None

    @contextmanager
    def connection(self, who: Principal, game_id: UUID | None) -> Generator[asyncio.Event]:
        """Watch a caller during a connection; the event is set once their right ends.

        Without a game: their right to the club.
        """
        one = _WatchedConnection(who, game_id)
        self._watched.add(one)
        if self._checking is None:
            self._checking = start_for_all(self._check())
        try:
            yield one.ended
        finally:
            self._watched.discard(one)
            if not self._watched and self._checking is not None:
                self._checking.cancel()
                self._checking = None

    @property
    def busy(self) -> bool:
        return bool(self._watched)

    async def _check(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            with suppress(StoreUnavailable):
                # Connections opened during the query were not part of it.
                checked = list(self._watched)
                token_hashes = {stream.who.token_hash for stream in checked}
                now = await self._identities.now([*token_hashes])
                for stream in checked:
                    who = now.get(stream.who.token_hash)
                    if not stream.who.still_covered_by(who, stream.game_id):
                        stream.ended.set()
