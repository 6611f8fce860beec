"""Caches games loaded from the log."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, nullcontext
from datetime import datetime
from functools import partial
from typing import cast
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct, field

from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import Shapes, shapes
from schemas.days import day_without_time
from schemas.entries import Entry, Started, is_amend
from schemas.record import Times
from schemas.upcast import upcast
from service.errors import IntegrityBroken, NotFound
from service.play.deal_index import DealIndex
from service.play.game_rows import Rows
from service.play.workers import Workers, collector_paused
from service.store.log.events import EventStore
from service.store.records import ChainPlace, GameTitle, News, SeatedPlayer, StoredEntry

# Entries that are applied in about five milliseconds; more are applied in a thread.
ENTRIES_ON_LOOP_MAX = 100
# A longer log is applied with the garbage collector paused.
AT_REST_FROM = 1_000
# For all cached games; an entry takes two to three kilobytes, so about 150 MB.
ENTRIES_MAX = 50_000


class LoadedGame(Struct, frozen=True, kw_only=True, weakref=True):
    """A game's log and its current state; `rows[n]` is version n + 1.

    `hidden_from`: the first version from which private cards are left out (`service.play.sight`);
    None: nothing is. `title` and `chain`: as last read. `index`: shared by all versions.
    """

    game_id: UUID
    shapes: Shapes
    rows: Rows
    history: History
    index: DealIndex = field(default_factory=DealIndex)
    hidden_from: int | None = None
    title: GameTitle | None = None
    chain: ChainPlace | None = None

    @property
    def version(self) -> int:
        return len(self.rows)

    @property
    def began_at(self) -> datetime | None:
        """When an imported game began, or the first of the games that this one goes on from."""
        if self.chain is not None and self.chain.continues is not None:
            return self.chain.began_at
        return beginning(self.rows[0].data).at

    @property
    def times(self) -> Times:
        if self.chain is not None:
            return self.chain.times
        began = beginning(self.rows[0].data)
        if began.at is not None and day_without_time(began.at):
            return "day"
        # The first command of a game recorded live is `started` alone.
        whole = self.version > 1 and self.rows[1].command_id == self.rows[0].command_id
        if not whole:
            return "recorded"
        return "start" if began.at else "none"

    def extend(self, rows: Sequence[StoredEntry], history: History | None = None) -> "LoadedGame":
        """Return the game with more rows; `history` if they are applied already.

        Raises: IntegrityBroken (versions are not consecutive)
        """
        if history is None:
            history = self.history.copy()
            history.restore(decode_rows(self.shapes, rows))
        if history.version != rows[-1].version:
            raise IntegrityBroken(self.game_id, rows[-1].version, "the fold's version")
        return msgspec.structs.replace(self, rows=self.rows.extend(rows), history=history)

    def has_text_of(self, erased: Iterable[int]) -> bool:
        """Return whether it still has a text of these versions."""
        return any(
            version <= self.version and not self.rows[version - 1].erased for version in erased
        )

    def at(self, version: int) -> "LoadedGame":
        """Return the game at an earlier version. Raises: NotFound (no such version)."""
        if not 1 <= version <= self.version:
            raise NotFound("version", None)
        return msgspec.structs.replace(
            self, rows=self.rows.until(version), history=self.history.until(version)
        )


class Beginning(Struct):
    """The fields of the first entry that all games share; `at`: the start of an imported game."""

    ruleset: str
    at: datetime | None = None


def beginning(started: bytes) -> Beginning:
    """Decode the first entry of a log, given as stored JSON."""
    return msgspec.json.decode(started, type=Beginning)


def fold(game_id: UUID, rows: Sequence[StoredEntry], *, exact: bool = True) -> LoadedGame:
    """Apply a whole log; without `exact`, knowledge of unseen cards is not computed."""
    of = shapes(beginning(rows[0].data).ruleset)
    started = cast("Started[Struct]", decode_rows(of, rows[:1])[0])
    start = opening(
        of.name,
        started.options,
        started.seats,
        rules_version=started.rules_version,
        exact=exact,
    )
    first = LoadedGame(game_id=game_id, shapes=of, rows=Rows.of(rows[:1]), history=History(start))
    if len(rows) == 1:
        return first
    with collector_paused() if len(rows) > AT_REST_FROM else nullcontext():
        return first.extend(rows[1:])


def decode_rows(of: Shapes, rows: Sequence[StoredEntry]) -> list[Entry]:
    """Decode stored entries; older shapes are upgraded."""
    return [upcast(of, row.schema_version, row.data, row.text) for row in rows]


def erased_versions(loaded: LoadedGame) -> frozenset[int]:
    versions: set[int] = set()
    for row in loaded.rows.erased:
        entry = decode_rows(loaded.shapes, [row])[0]
        versions |= {row.version, entry.version if is_amend(entry) else row.version}
    return frozenset(versions)


class GameCache:
    """The last used games, up to `entries_max` entries in total.

    A longer game stays until another one is used.
    """

    def __init__(
        self,
        store: EventStore,
        entries_max: int = ENTRIES_MAX,
    ) -> None:
        self._store = store
        self._entries_max = entries_max
        self._entries = 0
        self._workers = Workers()
        # Locked while a game is loaded that is not cached.
        self._opening: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._kept: OrderedDict[UUID, LoadedGame] = OrderedDict()

    async def current(self, game_id: UUID) -> LoadedGame:
        """Read new entries of a game and apply them. Raises: NotFound, IntegrityBroken."""
        return (await self.now(game_id))[0]

    async def now(self, game_id: UUID) -> tuple[LoadedGame, tuple[SeatedPlayer, ...]]:
        """Like `current`, with the players.

        A long log is applied in a thread, once for all concurrent callers.

        Raises: NotFound, IntegrityBroken
        """
        if game_id in self._kept:
            return await self._newest(game_id)
        opening_it = self._opening.setdefault(game_id, asyncio.Lock())
        async with opening_it:
            return await self._newest(game_id)

    async def current_many(
        self, game_ids: Sequence[UUID]
    ) -> list[tuple[LoadedGame, tuple[SeatedPlayer, ...]]]:
        """Read several games by one query; otherwise like `now`."""
        if not game_ids:
            return []
        async with AsyncExitStack() as held:
            # Always lock in the same order, which avoids deadlocks.
            for game_id in sorted({*game_ids} - self._kept.keys()):
                opening_it = self._opening.setdefault(game_id, asyncio.Lock())
                await held.enter_async_context(opening_it)
            cached = {game_id: self._kept.get(game_id) for game_id in game_ids}
            known = {game_id: loaded.version if loaded else 0 for game_id, loaded in cached.items()}
            news = await self._store.news_of(known)
            return [
                await self._taken_in(game_id, cached[game_id], news[game_id])
                for game_id in game_ids
            ]

    async def _newest(self, game_id: UUID) -> tuple[LoadedGame, tuple[SeatedPlayer, ...]]:
        cached = self._kept.get(game_id)
        news = await self._store.news(game_id, cached.version if cached else 0)
        return await self._taken_in(game_id, cached, news)

    async def _taken_in(
        self, game_id: UUID, cached: LoadedGame | None, news: News
    ) -> tuple[LoadedGame, tuple[SeatedPlayer, ...]]:
        loaded = await self._with_news(game_id, cached, news)
        if (loaded.title, loaded.chain) != (news.title, news.chain):
            loaded = msgspec.structs.replace(loaded, title=news.title, chain=news.chain)
            if self._kept.get(game_id, loaded).version == loaded.version:
                self._kept[game_id] = loaded
        return loaded, news.seated

    async def _with_news(self, game_id: UUID, cached: LoadedGame | None, news: News) -> LoadedGame:
        if cached is None:
            if not news.entries:
                raise NotFound("game", game_id)
            return self.keep(await self._load(partial(fold, game_id, news.entries), news.entries))
        if cached.has_text_of(row.version for row in news.entries if row.erased):
            return await self._reload(cached)
        later = [row for row in news.entries if row.version > cached.version]
        extended = await self._load(partial(cached.extend, later), later) if later else cached
        return self.keep(extended)

    async def _load(
        self, work: Callable[[], LoadedGame], rows: Sequence[StoredEntry]
    ) -> LoadedGame:
        return await self._workers.run(work, long=len(rows) > ENTRIES_ON_LOOP_MAX)

    async def _reload(self, cached: LoadedGame) -> LoadedGame:
        rows = await self._store.read(cached.game_id)
        anew = await self._load(partial(fold, cached.game_id, rows), rows)
        self.forget(cached.game_id)
        self.keep(anew)
        return anew  # a concurrent request may have cached a newer version

    async def extend(
        self,
        loaded: LoadedGame,
        rows: Sequence[StoredEntry],
        history: History,
        erased: Iterable[int],
    ) -> LoadedGame:
        """Cache a game after an append; return it at that version or a later one.

        `erased`: the versions whose text was erased by then.

        Raises: IntegrityBroken
        """
        grown = loaded.extend(rows, history)
        return await self._reload(grown) if grown.has_text_of(erased) else self.keep(grown)

    async def cached_or_current(self, game_id: UUID) -> LoadedGame:
        """Return the cached game without a query, possibly stale; else `current`."""
        return self._kept.get(game_id) or await self.current(game_id)

    async def at_version(self, game_id: UUID, version: int) -> LoadedGame:
        """Return the cached game without a query if it is at `version`; else `current`."""
        cached = self._kept.get(game_id)
        return cached if cached and cached.version == version else await self.current(game_id)

    def keep(self, loaded: LoadedGame) -> LoadedGame:
        """Cache a game unless a newer version is cached; return the newer one."""
        cached = self._kept.get(loaded.game_id)
        newest = cached if cached and cached.version > loaded.version else loaded
        self._kept[loaded.game_id] = newest
        self._entries += newest.version - (cached.version if cached else 0)
        self._kept.move_to_end(loaded.game_id)
        while self._entries > self._entries_max and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._entries -= oldest.version
        return newest

    def forget(self, game_id: UUID) -> None:
        dropped = self._kept.pop(game_id, None)
        self._entries -= dropped.version if dropped else 0
