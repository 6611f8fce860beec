"""Hides private cards from viewers, by masking the log.

A card that one seat alone was shown is left out of the log, and the masked log is applied like any
other. All views are computed from that, so that nothing derived from the card is shown.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias
from uuid import UUID
from weakref import WeakValueDictionary

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.history import History
from domain.table.rules import Status
from domain.table.viewpoint import mask_entry
from schemas.catalogue import encode
from schemas.entries import Entry
from schemas.upcast import TEXT_INLINE
from service.play.deal_index import DealIndex
from service.play.game_cache import ENTRIES_MAX, LoadedGame, decode_rows
from service.play.game_rows import Rows
from service.play.workers import Workers, may_take_long
from service.settings import ViewersKnow
from service.store.records import StoredEntry

# Scorers see the whole game, viewers the hidden cards after the configured time.
Sight: TypeAlias = Literal["whole"] | ViewersKnow
Sights: TypeAlias = Callable[[UUID], Sight]

# More entries than this are applied in a thread: it may take milliseconds.
_ENTRIES_ON_LOOP_MAX = 2


def hidden_from(history: History, sight: Sight) -> int | None:
    """Return the first version whose private cards are hidden; None if all are shown."""
    if sight == "deal":
        return history.deal_first_version
    return hidden_in_game(sight, finished=history.game.status is not Status.OPEN)


def hidden_in_game(sight: Sight, *, finished: bool) -> int | None:
    """Return the same as `hidden_from`, if it does not depend on the log."""
    if sight in {"whole", "live"} or (finished and sight != "never"):
        return None
    return 1


class _MaskedGame(Struct, frozen=True):
    """A full game, and its masked form, with cards hidden from `first` on."""

    first: int
    whole: LoadedGame
    shown: LoadedGame


class SightCache:
    """Masked games, each computed once per version.

    All viewers of a version see the same. The last used games are cached, up to `ENTRIES_MAX`
    entries in total.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._cached: OrderedDict[UUID, _MaskedGame] = OrderedDict()
        self._folding: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def masked_game(self, whole: LoadedGame, sight: Sight) -> LoadedGame:
        """Return a game for a sight; the full game if it has no private cards."""
        first = hidden_from(whole.history, sight)
        if first is None:
            return whole
        lock = self._folding.setdefault(whole.game_id, asyncio.Lock())
        async with lock:
            shown = await self._masked_at(whole, first)
        if (shown.title, shown.chain) == (whole.title, whole.chain):
            return shown
        return replace(shown, title=whole.title, chain=whole.chain)

    async def _masked_at(self, whole: LoadedGame, first: int) -> LoadedGame:
        cached = self._cached.get(whole.game_id)
        if cached is None or cached.first != first:
            return await self._mask_from(_unmasked_start(whole, first), whole)
        if cached.whole.rows.continues(whole.rows):
            return _masked_before(cached, whole)
        if whole.rows.continues(cached.whole.rows):
            return await self._mask_from(cached, whole)
        # The cached game was read anew since, and shares no rows with this one.
        return await self._mask_from(_unmasked_start(whole, first), whole)

    async def _mask_from(self, base: _MaskedGame, whole: LoadedGame) -> LoadedGame:
        """Mask the entries of a game that are newer than `base`, and cache the result."""
        entries = whole.version - base.whole.version
        long = entries > _ENTRIES_ON_LOOP_MAX or may_take_long(base.shown.history.game)
        shown = await self._workers.run(partial(_extend_masked, base, whole), long=long)
        self._cached[whole.game_id] = _MaskedGame(base.first, whole, shown)
        self._cached.move_to_end(whole.game_id)
        self._drop_oldest()
        return shown

    def _drop_oldest(self) -> None:
        entries = sum(cached.whole.version - cached.first + 1 for cached in self._cached.values())
        while entries > ENTRIES_MAX and len(self._cached) > 1:
            _, oldest = self._cached.popitem(last=False)
            entries -= oldest.whole.version - oldest.first + 1


def _unmasked_start(whole: LoadedGame, first: int) -> _MaskedGame:
    """Return the game before version `first`, where nothing is hidden and both forms are equal."""
    before = whole.at(max(1, first - 1))
    return _MaskedGame(first, before, before)


def _masked_before(cached: _MaskedGame, whole: LoadedGame) -> LoadedGame:
    """Return the masked game at an earlier or the same version as the cached one."""
    if cached.shown.hidden_from is None:
        return whole
    if cached.shown.version == whole.version:
        return cached.shown
    return cached.shown.at(whole.version)


def _extend_masked(base: _MaskedGame, whole: LoadedGame) -> LoadedGame:
    """Mask the entries of a game that are newer than those of `base`."""
    rows = whole.rows[base.whole.version :]
    entries = decode_rows(whole.shapes, rows)
    manifest = GAMES[whole.shapes.name]
    masked = [mask_entry(manifest, entry, None) for entry in entries]
    before = base.shown
    if before.hidden_from is None and masked == entries:
        return whole  # still nothing to hide
    if before.hidden_from is None:
        # The rows of the full game are shared, so masked rows are in a separate list.
        before = replace(
            before, rows=Rows.of(before.rows), hidden_from=base.first, index=DealIndex()
        )
    history = before.history.copy()
    history.restore(masked)
    return before.extend(
        [
            row if shown == entry else _masked_row(row, shown)
            for row, entry, shown in zip(rows, entries, masked, strict=True)
        ],
        history,
    )


def _masked_row(row: StoredEntry, shown: Entry) -> StoredEntry:
    return replace(row, schema_version=TEXT_INLINE, data=encode(shown), text=None, hash=b"")
