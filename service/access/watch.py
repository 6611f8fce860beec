"""Watches over those who keep a connection open: whether they still may.

Promises: whoever may no more is told so within `LOOK_SECONDS` and one question to the database,
whichever process took the right away; one question for all of them, and none while nobody keeps a
connection open. A database that does not answer takes nothing away.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from uuid import UUID

from service.access.identities import Identities
from service.access.principal import Principal
from service.errors import StoreUnavailable

LOOK_SECONDS = 1.0
# What a stream says last to whoever may follow it no more.
SIGNED_OUT = b"event: signed-out\ndata: {}\n\n"


class _Watched:
    """Somebody with a connection open: in a game, None: in the club."""

    def __init__(self, who: Principal, game_id: UUID | None) -> None:
        self.who = who
        self.game_id = game_id
        self.gone = asyncio.Event()


class Watch:
    """Those who keep a connection open in this process."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._watched: set[_Watched] = set()
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def over(self, who: Principal, game_id: UUID | None) -> Generator[asyncio.Event]:
        """Watch over somebody; the event is set once they may no more."""
        one = _Watched(who, game_id)
        self._watched.add(one)
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._look())
        try:
            yield one.gone
        finally:
            self._watched.discard(one)
            self._rest()

    @property
    def busy(self) -> bool:
        """Whether there is anybody to watch over."""
        return bool(self._watched)

    def _rest(self) -> None:
        if not self._watched and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(StoreUnavailable):
                # Who comes while the database is asked was not asked about.
                asked = list(self._watched)
                now = await self._identities.now(list({one.who.token_hash for one in asked}))
                for one in asked:
                    if not one.who.holds_in(now.get(one.who.token_hash), one.game_id):
                        one.gone.set()
