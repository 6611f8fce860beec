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
from schemas.upcast import TEXT_INLINE
from service.play.deal_index import DealIndex
from service.play.game_cache import ENTRIES_MAX, LoadedGame, decode_rows
from service.play.game_rows import Rows
from service.play.workers import Workers, may_take_long
from service.settings import ViewersKnow

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
        self._kept: OrderedDict[UUID, _MaskedGame] = OrderedDict()
        self._folding: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def masked_game(self, whole: LoadedGame, sight: Sight) -> LoadedGame:
        """Return a game for a sight; the full game if it has no private cards."""
        first = hidden_from(whole.history, sight)
        if first is None:
            return whole
        lock = self._folding.setdefault(whole.game_id, asyncio.Lock())
        async with lock:
            return await self._masked_at(whole, first)

    async def _masked_at(self, whole: LoadedGame, first: int) -> LoadedGame:
        kept = self._kept.get(whole.game_id)
        if kept is not None and kept.first == first and kept.whole.rows.continues(whole.rows):
            if kept.shown.hidden_from is None:
                return whole
            same = kept.shown.version == whole.version
            return kept.shown if same else kept.shown.at(whole.version)
        if kept is None or kept.first != first or not whole.rows.continues(kept.whole.rows):
            before = whole.at(max(1, first - 1))
            kept = _MaskedGame(first, before, before)
        entries = whole.version - kept.whole.version
        long = entries > _ENTRIES_ON_LOOP_MAX or may_take_long(kept.shown.history.game)
        shown = await self._workers.run(partial(_extend_masked, kept, whole), long=long)
        self._kept[whole.game_id] = _MaskedGame(first, whole, shown)
        self._kept.move_to_end(whole.game_id)
        self._drop_oldest()
        return shown

    def _drop_oldest(self) -> None:
        entries = sum(one.whole.version - one.first + 1 for one in self._kept.values())
        while entries > ENTRIES_MAX and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            entries -= oldest.whole.version - oldest.first + 1


def _extend_masked(kept: _MaskedGame, whole: LoadedGame) -> LoadedGame:
    rows = whole.rows[kept.whole.version :]
    entries = decode_rows(whole.shapes, rows)
    manifest = GAMES[whole.shapes.name]
    shown = [mask_entry(manifest, entry, None) for entry in entries]
    before = kept.shown
    if before.hidden_from is None:
        if shown == entries:
            return whole
        # The rows of the full game are shared, so masked rows are in a separate list.
        before = replace(
            before, rows=Rows.of(before.rows), hidden_from=kept.first, index=DealIndex()
        )
    history = before.history.copy()
    history.restore(shown)
    return before.extend(
        [
            row
            if was == now
            else replace(row, schema_version=TEXT_INLINE, data=encode(now), text=None, hash=b"")
            for row, was, now in zip(rows, entries, shown, strict=True)
        ],
        history,
    )
