"""Incremental standings with checkpoints, so that a changed game replays only later games."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import aclosing
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct

from projections.person import Persons, PersonsCheckpoint
from projections.ratings import PlackettLuce
from projections.standings import GameResult
from service.club.results import place, read_results
from service.errors import StoreUnavailable
from service.store.read_models.finished_results import FinishedResults
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.read_models.stored_checkpoints import StoredCheckpoint, StoredCheckpoints

# Games between checkpoints, and between stores of checkpoints.
GAMES_PER_CHECKPOINT = 256
GAMES_PER_SAVE = 1_000
# Store checkpoints at least this often, so that a stop does not lose all.
GAMES_PER_STRETCH = 20_000

log = structlog.get_logger(__name__)

_encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder = msgspec.msgpack.Decoder(PersonsCheckpoint[UUID])


class Checkpoint(Struct, frozen=True, kw_only=True):
    """A checkpoint after `games` games, the last of which is at `place`."""

    games: int
    place: GameCursor
    known: PersonsCheckpoint[UUID]


class Fold:
    """The standings of the games that match a filter.

    `saved`: the checkpoints that are stored in the database, by number of games.
    """

    def __init__(
        self, seen: str, checkpoints: Sequence[Checkpoint] = (), saved: Collection[int] = ()
    ) -> None:
        self.seen = seen
        self.checkpoints = list(checkpoints)
        self.saved = {checkpoint.games for checkpoint in checkpoints if checkpoint.games in saved}
        last = self.checkpoints[-1] if self.checkpoints else None
        self.games = last.games if last else 0
        self.place = last.place if last else None
        self.persons: Persons[UUID] = Persons(PlackettLuce(), last.known if last else None)

    def before(self, first: GameCursor, seen: str) -> "Fold":
        """Return the state at the last checkpoint before a changed game."""
        return Fold(
            seen,
            [checkpoint for checkpoint in self.checkpoints if checkpoint.place < first],
            self.saved,
        )

    def add(self, results: Sequence[GameResult[UUID]]) -> None:
        """Apply more games."""
        for result in results:
            self.persons.add(result)
            self.games += 1
            if self.games % GAMES_PER_CHECKPOINT == 0:
                self._remember(place(result))
        if results:
            self.place = place(results[-1])

    def checkpoints_to_save(self) -> list[Checkpoint]:
        """Return the checkpoints to store; none while too few games were added."""
        checkpoints = [
            checkpoint for checkpoint in self.checkpoints if checkpoint.games not in self.saved
        ]
        enough = (
            checkpoints and checkpoints[-1].games - max(self.saved, default=0) >= GAMES_PER_SAVE
        )
        return checkpoints if enough else []

    def _remember(self, at: GameCursor) -> None:
        self.checkpoints.append(
            Checkpoint(games=self.games, place=at, known=self.persons.checkpoint())
        )
        kept = thin_out([checkpoint.games for checkpoint in self.checkpoints])
        self.checkpoints = [
            checkpoint for checkpoint in self.checkpoints if checkpoint.games in kept
        ]


def thin_out(checkpoints: Sequence[int]) -> set[int]:
    """Select checkpoints at retained that grow with their age."""
    retained: set[int] = set()
    before = 0
    for checkpoint, later in zip(checkpoints, [*checkpoints[1:], None], strict=True):
        if later is None or later - before > checkpoints[-1] - later:
            retained.add(checkpoint)
            before = checkpoint
    return retained


class CheckpointedStandings:
    def __init__(
        self, results_reader: FinishedResults, stored: StoredCheckpoints, folds_max: int
    ) -> None:
        self._results = results_reader
        self._stored = stored
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
        checkpoint = await self._valid_checkpoint(which)
        after = checkpoint[0].place if checkpoint else None
        enough = GAMES_PER_SAVE + GAMES_PER_CHECKPOINT  # after so many there is something to save
        if await self._results.number(which, after, enough) == enough:
            await self.of(which)

    async def _current(self, which: GameFilter, fold: Fold | None) -> Fold:
        """Bring a fold up to date, or begin again where its changes cannot be told."""
        if fold is not None:
            look = await self._results.find_changes(which, fold.seen)
            if look.lost:
                fold = None
            elif look.first is not None and fold.place is not None and look.first <= fold.place:
                fold = fold.before(look.first, look.seen)
            else:
                fold.seen = look.seen
                if look.first is None:
                    return fold
        if fold is None or not fold.games:
            fold = await self._start(which)
        async with aclosing(read_results(self._results, which, fold.place)) as parts:
            async for batch in parts:
                await asyncio.to_thread(fold.add, batch)
                if fold.games - max(fold.saved, default=0) >= GAMES_PER_STRETCH:
                    await self._save(which, fold)
        await self._save(which, fold)
        return fold

    async def _start(self, which: GameFilter) -> Fold:
        valid = await self._valid_checkpoint(which)
        if valid is None:
            return Fold(await self._results.now())
        stored, seen = valid
        known = await asyncio.to_thread(_decoder.decode, stored.state)
        checkpoint = Checkpoint(games=stored.games, place=stored.place, known=known)
        return Fold(seen, [checkpoint], [checkpoint.games])

    async def _valid_checkpoint(self, which: GameFilter) -> tuple[StoredCheckpoint, str] | None:
        checkpoint = await self._stored.newest(which)
        if checkpoint is None:
            return None
        look = await self._results.find_changes(which, checkpoint.seen)
        is_valid = not look.lost and (look.first is None or look.first > checkpoint.place)
        return (checkpoint, look.seen) if is_valid else None

    async def _save(self, which: GameFilter, fold: Fold) -> None:
        checkpoints = fold.checkpoints_to_save()
        if not checkpoints:
            return
        states = [
            await asyncio.to_thread(_state, checkpoint, fold.seen) for checkpoint in checkpoints
        ]
        try:
            await self._stored.save(which, states, max(fold.saved, default=0), thin_out)
        except StoreUnavailable as error:
            log.warning("standings.save_failed", reason=str(error))
        fold.saved |= {checkpoint.games for checkpoint in checkpoints}


def _state(checkpoint: Checkpoint, seen: str) -> StoredCheckpoint:
    return StoredCheckpoint(
        games=checkpoint.games,
        started_at=checkpoint.place.started_at,
        game_id=checkpoint.place.game_id,
        seen=seen,
        state=_encoder.encode(checkpoint.known),
    )
