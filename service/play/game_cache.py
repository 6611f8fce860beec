"""Games as folded from the log, kept for as long as they are played."""

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
from msgspec import Struct

from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import Shapes, shapes
from schemas.days import day_alone
from schemas.entries import Entry, Started, is_amend
from schemas.record import Times
from schemas.upcast import upcast
from service.errors import IntegrityBroken, NotFound
from service.play.collector import collector_at_rest
from service.play.game_rows import Rows
from service.play.workers import Workers
from service.store.log.events import EventStore
from service.store.records import News, SeatedPlayer, StoredEntry

# What takes five milliseconds to fold; more is folded in a thread.
ENTRIES_ON_LOOP_MAX = 100
# So long a game is folded with the collector at rest.
AT_REST_FROM = 1_000
# Of all games kept together: an entry takes two to three kilobytes folded, so about 150 MB.
ENTRIES_MAX = 50_000


class Folded(Struct, frozen=True, kw_only=True):
    """A game's log and what stands at its end; `rows[n]` is version n + 1.

    `hidden_from`: from this version on it is told without what one seat alone was shown
    (`service.play.sight`); None: nothing is left out.
    """

    game_id: UUID
    shapes: Shapes
    rows: Rows
    history: History
    hidden_from: int | None = None

    @property
    def version(self) -> int:
        """The last version of the log."""
        return len(self.rows)

    @property
    def began_at(self) -> datetime | None:
        """When the game began, where it was recorded elsewhere."""
        return beginning(self.rows[0].data).at

    @property
    def times(self) -> Times:
        """What is known of when it was played."""
        began = beginning(self.rows[0].data)
        if began.at is not None:
            return "day" if day_alone(began.at) else "start"
        # Of a game that is recorded at a table the first command is `started` alone.
        whole = self.version > 1 and self.rows[1].command_id == self.rows[0].command_id
        return "none" if whole else "recorded"

    def grown(self, rows: Sequence[StoredEntry], history: History | None = None) -> "Folded":
        """Add the entries that follow; `history` where somebody has folded them already.

        Raises: IntegrityBroken (the fold does not number entries as the log does)
        """
        if history is None:
            history = self.history.copy()
            history.restore(decoded(self.shapes, rows))
        if history.version != rows[-1].version:
            raise IntegrityBroken(self.game_id, rows[-1].version, "the fold's version")
        return msgspec.structs.replace(self, rows=self.rows.grown(rows), history=history)

    def tells(self, erased: Iterable[int]) -> bool:
        """Tell whether it still has a text of these versions."""
        return any(
            version <= self.version and not self.rows[version - 1].erased for version in erased
        )

    def at(self, version: int) -> "Folded":
        """Return the game as it stood when `version` was the last.

        Raises: NotFound (no such version)
        """
        if not 1 <= version <= self.version:
            raise NotFound("version", None)
        return msgspec.structs.replace(
            self, rows=self.rows.until(version), history=self.history.until(version)
        )


class Beginning(Struct):
    """What the first entry of any log says; `at`: when the game began, if recorded elsewhere."""

    ruleset: str
    at: datetime | None = None


def beginning(started: bytes) -> Beginning:
    """Read the first entry of a log as it is stored, JSON, whatever else it says."""
    return msgspec.json.decode(started, type=Beginning)


def fold(game_id: UUID, rows: Sequence[StoredEntry], *, exact: bool = True) -> Folded:
    """Fold a whole log; not `exact`: nothing is known of unseen cards.

    Raises: IntegrityBroken
    """
    of = shapes(beginning(rows[0].data).ruleset)
    started = cast("Started[Struct]", decoded(of, rows[:1])[0])
    start = opening(of.name, started.options, started.seats, exact=exact)
    first = Folded(game_id=game_id, shapes=of, rows=Rows.of(rows[:1]), history=History(start))
    if len(rows) == 1:
        return first
    with collector_at_rest() if len(rows) > AT_REST_FROM else nullcontext():
        return first.grown(rows[1:])


def decoded(of: Shapes, rows: Sequence[StoredEntry]) -> list[Entry]:
    """Read entries as stored, older shapes in today's."""
    return [upcast(of, row.schema_version, row.data, row.text) for row in rows]


def erased_in(folded: Folded) -> frozenset[int]:
    """List the versions whose text was erased, or that of an `amend` that stands in their place."""
    found: set[int] = set()
    for row in folded.rows:
        if row.erased:
            entry = decoded(folded.shapes, [row])[0]
            found |= {row.version, entry.version if is_amend(entry) else row.version}
    return frozenset(found)


class GameCache:
    """The games in use: those asked for last, whose entries are `entries_max` together at most.

    A game that is longer by itself is kept until another is asked for.
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
        # Held by whoever reads a game that is not kept.
        self._opening: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._kept: OrderedDict[UUID, Folded] = OrderedDict()

    async def current(self, game_id: UUID) -> Folded:
        """Read what is new in a game's log, and fold it.

        Raises: NotFound, IntegrityBroken, StoreUnavailable
        """
        return (await self.now(game_id))[0]

    async def now(self, game_id: UUID) -> tuple[Folded, tuple[SeatedPlayer, ...]]:
        """Read what is new in a game's log, and fold it; and who plays.

        A long log is folded in a thread, once for all who ask for it meanwhile.

        Raises: NotFound, IntegrityBroken, StoreUnavailable
        """
        if game_id in self._kept:
            return await self._newest(game_id)
        opening_it = self._opening.setdefault(game_id, asyncio.Lock())
        async with opening_it:
            return await self._newest(game_id)

    async def now_of(
        self, game_ids: Sequence[UUID]
    ) -> list[tuple[Folded, tuple[SeatedPlayer, ...]]]:
        """Read what is new in several games, in one round trip; the rest as `now`.

        Raises: NotFound, IntegrityBroken, StoreUnavailable
        """
        if not game_ids:
            return []
        async with AsyncExitStack() as held:
            # Whoever waits for several waits in the same order as everybody.
            for game_id in sorted({*game_ids} - self._kept.keys()):
                opening_it = self._opening.setdefault(game_id, asyncio.Lock())
                await held.enter_async_context(opening_it)
            kept = {game_id: self._kept.get(game_id) for game_id in game_ids}
            known = {game_id: folded.version if folded else 0 for game_id, folded in kept.items()}
            news = await self._store.news_of(known)
            return [await self._taken_in(one, kept[one], news[one]) for one in game_ids]

    async def _newest(self, game_id: UUID) -> tuple[Folded, tuple[SeatedPlayer, ...]]:
        kept = self._kept.get(game_id)
        news = await self._store.news(game_id, kept.version if kept else 0)
        return await self._taken_in(game_id, kept, news)

    async def _taken_in(
        self, game_id: UUID, kept: Folded | None, news: News
    ) -> tuple[Folded, tuple[SeatedPlayer, ...]]:
        if kept is None:
            if not news.entries:
                raise NotFound("game", game_id)
            whole = partial(fold, game_id, news.entries)
            return self.keep(await self._folded(whole, news.entries)), news.seated
        if kept.tells(row.version for row in news.entries if row.erased):
            return await self._anew(kept), news.seated
        later = [row for row in news.entries if row.version > kept.version]
        if not later:
            return self.keep(kept), news.seated
        return self.keep(await self._folded(partial(kept.grown, later), later)), news.seated

    async def _folded(self, work: Callable[[], Folded], rows: Sequence[StoredEntry]) -> Folded:
        return await self._workers.run(work, long=len(rows) > ENTRIES_ON_LOOP_MAX)

    async def _anew(self, kept: Folded) -> Folded:
        rows = await self._store.read(kept.game_id)
        anew = await self._folded(partial(fold, kept.game_id, rows), rows)
        self.forget(kept.game_id)
        self.keep(anew)
        return anew  # what somebody else kept meanwhile may be newer, and tell it still

    async def grown(
        self,
        folded: Folded,
        rows: Sequence[StoredEntry],
        history: History,
        erased: Iterable[int],
    ) -> Folded:
        """Keep a game after an append, and return it as of then or later.

        `erased`: the versions whose text was erased by then.

        Raises: IntegrityBroken, StoreUnavailable
        """
        grown = folded.grown(rows, history)
        return await self._anew(grown) if grown.tells(erased) else self.keep(grown)

    async def known(self, game_id: UUID) -> Folded:
        """Return what is kept, however old, asking nobody; else `current`."""
        return self._kept.get(game_id) or await self.current(game_id)

    async def at_version(self, game_id: UUID, version: int) -> Folded:
        """Return what is kept if it stands at `version`, asking nobody; else `current`."""
        kept = self._kept.get(game_id)
        return kept if kept and kept.version == version else await self.current(game_id)

    def keep(self, folded: Folded) -> Folded:
        """Keep a game as it is now known, unless a newer one is kept; return the newer."""
        kept = self._kept.get(folded.game_id)
        newest = kept if kept and kept.version > folded.version else folded
        self._kept[folded.game_id] = newest
        self._entries += newest.version - (kept.version if kept else 0)
        self._kept.move_to_end(folded.game_id)
        while self._entries > self._entries_max and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._entries -= oldest.version
        return newest

    def forget(self, game_id: UUID) -> None:
        """Keep a game no longer: whoever asks for it next reads it anew."""
        dropped = self._kept.pop(game_id, None)
        self._entries -= dropped.version if dropped else 0
