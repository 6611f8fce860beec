"""Caches the choices at a game's version for all callers."""

import asyncio
from collections import OrderedDict
from functools import partial
from uuid import UUID

from domain.table import judgement
from domain.table.rules import Choice, Game
from service.metrics import WorkMetrics
from service.play.game_cache import LoadedGame
from service.play.workers import Workers, may_take_long
from service.tasks import start_for_all

VERSIONS_MAX = 512

Choices = tuple[Choice, ...]
# Game, version, and the first version with hidden cards.
Version = tuple[UUID, int, int | None]


class ChoicesCache:
    """The choices of the last `VERSIONS_MAX` versions used."""

    def __init__(self, workers: Workers, measured: WorkMetrics | None = None) -> None:
        self._workers = workers
        self._measured = measured or WorkMetrics()
        self._kept: OrderedDict[Version, Choices] = OrderedDict()
        self._sought: dict[Version, asyncio.Future[Choices]] = {}

    async def at(self, loaded: LoadedGame) -> Choices:
        version = (loaded.game_id, loaded.version, loaded.hidden_from)
        kept = self._kept.get(version)
        if kept is not None:
            self._kept.move_to_end(version)
            return kept
        game = loaded.history.game
        if not may_take_long(game):
            return self._keep(version, await self.of(game))
        sought = self._sought.get(version)
        if sought is None:
            sought = start_for_all(self._seek(version, game))
            self._sought[version] = sought
            sought.add_done_callback(lambda _: self._sought.pop(version, None))
        # A cancelled caller must not cancel the shared task.
        return await asyncio.shield(sought)

    async def of(self, game: Game) -> Choices:
        """Return the choices of a game that is not a stored version; not cached."""
        time = asyncio.get_running_loop().time
        began = time()
        listing = partial(judgement.choices, game)
        choices = await self._workers.run(listing, long=may_take_long(game))
        self._measured.observe_choices(time() - began)
        return choices

    async def _seek(self, version: Version, game: Game) -> Choices:
        return self._keep(version, await self.of(game))

    def _keep(self, version: Version, choices: Choices) -> Choices:
        self._kept[version] = choices
        while len(self._kept) > VERSIONS_MAX:
            self._kept.popitem(last=False)
        return choices
