"""Incremental standings with checkpoints, so that a changed game replays only later games."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import aclosing
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct

from projections.person import Known, Persons
from projections.ratings import PlackettLuce
from projections.standings import GameResult
from service.club.results import place, results
from service.errors import StoreUnavailable
from service.store.read_models.finished_results import FinishedResults
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.read_models.standings_kept import KeptState, StandingsKept

# Games between checkpoints, and between stores of checkpoints.
GAMES_A_MARK = 256
GAMES_A_SAVE = 1_000
# Store checkpoints at least this often, so that a stop does not lose all.
GAMES_A_STRETCH = 20_000

log = structlog.get_logger(__name__)

_encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder = msgspec.msgpack.Decoder(Known[UUID])


class Mark(Struct, frozen=True, kw_only=True):
    """A checkpoint after `games` games, the last of which is at `place`."""

    games: int
    place: GameCursor
    known: Known[UUID]


class Fold:
    """The standings of the games that match a filter.

    `saved`: the checkpoints that are stored in the database, by number of games.
    """

    def __init__(self, seen: str, marks: Sequence[Mark] = (), saved: Collection[int] = ()) -> None:
        self.seen = seen
        self.marks = list(marks)
        self.saved = {mark.games for mark in marks if mark.games in saved}
        last = self.marks[-1] if self.marks else None
        self.games = last.games if last else 0
        self.place = last.place if last else None
        self.persons: Persons[UUID] = Persons(PlackettLuce(), last.known if last else None)

    def before(self, first: GameCursor, seen: str) -> "Fold":
        """Return the state at the last checkpoint before a changed game."""
        return Fold(seen, [mark for mark in self.marks if mark.place < first], self.saved)

    def add(self, some: Sequence[GameResult[UUID]]) -> None:
        """Apply more games."""
        for result in some:
            self.persons.add(result)
            self.games += 1
            if self.games % GAMES_A_MARK == 0:
                self._remember(place(result))
        if some:
            self.place = place(some[-1])

    def unsaved(self) -> list[Mark]:
        """Return the checkpoints to store; none while too few games were added."""
        marks = [mark for mark in self.marks if mark.games not in self.saved]
        enough = marks and marks[-1].games - max(self.saved, default=0) >= GAMES_A_SAVE
        return marks if enough else []

    def _remember(self, at: GameCursor) -> None:
        self.marks.append(Mark(games=self.games, place=at, known=self.persons.known()))
        kept = thinned([mark.games for mark in self.marks])
        self.marks = [mark for mark in self.marks if mark.games in kept]


def thinned(marks: Sequence[int]) -> set[int]:
    """Select checkpoints at distances that grow with their age."""
    kept: set[int] = set()
    before = 0
    for mark, later in zip(marks, [*marks[1:], None], strict=True):
        if later is None or later - before > marks[-1] - later:
            kept.add(mark)
            before = mark
    return kept


class KeptFolds:
    """The standings of one club, by filter."""

    def __init__(self, told: FinishedResults, kept: StandingsKept, folds_max: int) -> None:
        self._told = told
        self._kept = kept
        self._folds_max = folds_max
        self._folds: dict[GameFilter, Fold] = {}
        # One update at a time: concurrent readers of the same filter share it.
        self._folding = asyncio.Lock()

    async def of(self, which: GameFilter) -> Persons[UUID]:
        """Return the current standings for a filter. Read them before the next await."""
        async with self._folding:
            # Remove the state first, so that a cancelled update leaves no partial one.
            fold = await self._current(which, self._folds.pop(which, None))
            self._folds[which] = fold
            while len(self._folds) > self._folds_max:
                oldest = next(iter(self._folds))
                del self._folds[oldest]
        return fold.persons

    async def keep(self, which: GameFilter) -> None:
        """Update the stored checkpoints if a first reader would have to wait."""
        if which in self._folds:
            await self.of(which)
            return
        found = await self._still_true(which)
        after = found[0].place if found else None
        enough = GAMES_A_SAVE + GAMES_A_MARK  # after so many there is something to save
        if await self._told.number(which, after, enough) == enough:
            await self.of(which)

    async def _current(self, which: GameFilter, fold: Fold | None) -> Fold:
        if fold is not None:
            look = await self._told.look(which, fold.seen)
            if look.lost:
                fold = None
            elif look.first is not None and fold.place is not None and look.first <= fold.place:
                fold = fold.before(look.first, look.seen)
            else:
                fold.seen = look.seen
                if look.first is None:
                    return fold
        if fold is None or not fold.games:
            fold = await self._begun(which)
        async with aclosing(results(self._told, which, fold.place)) as parts:
            async for some in parts:
                await asyncio.to_thread(fold.add, some)
                if fold.games - max(fold.saved, default=0) >= GAMES_A_STRETCH:
                    await self._save(which, fold)
        await self._save(which, fold)
        return fold

    async def _begun(self, which: GameFilter) -> Fold:
        found = await self._still_true(which)
        if found is None:
            return Fold(await self._told.now())
        kept, seen = found
        known = await asyncio.to_thread(_decoder.decode, kept.state)
        mark = Mark(games=kept.games, place=kept.place, known=known)
        return Fold(seen, [mark], [mark.games])

    async def _still_true(self, which: GameFilter) -> tuple[KeptState, str] | None:
        kept = await self._kept.newest(which)
        if kept is None:
            return None
        look = await self._told.look(which, kept.seen)
        still = not look.lost and (look.first is None or look.first > kept.place)
        return (kept, look.seen) if still else None

    async def _save(self, which: GameFilter, fold: Fold) -> None:
        marks = fold.unsaved()
        if not marks:
            return
        states = [await asyncio.to_thread(_state, mark, fold.seen) for mark in marks]
        try:
            await self._kept.save(which, states, max(fold.saved, default=0), thinned)
        except StoreUnavailable as error:
            log.warning("standings.not_kept", reason=str(error))
        fold.saved |= {mark.games for mark in marks}


def _state(mark: Mark, seen: str) -> KeptState:
    return KeptState(
        games=mark.games,
        started_at=mark.place.started_at,
        game_id=mark.place.game_id,
        seen=seen,
        state=_encoder.encode(mark.known),
    )
