"""What can be asked of games: how one stands, what was recorded, what would follow, what comes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from copy import copy
from datetime import datetime
from functools import partial
from typing import TypeVar
from uuid import UUID

from domain.table.rules import Game
from schemas.entries import Entry
from schemas.malformed import Malformed
from service.play.append import RefusedBatch, judge
from service.play.choices_cache import ChoicesCache
from service.play.entry_times import check_times
from service.play.following import Following
from service.play.moments import WHOLE, Moment, Rejected, moment_of
from service.play.possibilities import Eyes, PossibleView, possibilities
from service.play.previews import consequences
from service.play.runtime import Runtime
from service.play.sight import Sight, SightCache, Sights, hidden_from, hidden_in_game
from service.play.views import (
    Change,
    EntryView,
    GameList,
    GameView,
    Previewed,
    game_line,
    game_view,
)
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.read_models.projections import GameIndex

Found = TypeVar("Found")


def _whole(_: UUID) -> Sight:
    return "whole"


class GameQueries:
    """What can be asked of the games of one club, as somebody sees them: at first, whole."""

    def __init__(self, index: GameIndex, process: Runtime, now: Callable[[], datetime]) -> None:
        self._index = index
        self._now = now
        self._cache = process.cache
        self._workers = process.workers
        self._choices = ChoicesCache(process.workers, process.measured)
        self._shown = SightCache(process.workers)
        self._following = Following(process.signals, self._moment, self.show)
        self._sights: Sights = _whole

    def as_seen(self, sights: Sights) -> "GameQueries":
        """Return the same with less to see: `sights` says how much of each game is shown."""
        twin = copy(self)
        twin._sights = sights  # noqa: SLF001 -- its own
        return twin

    async def list(
        self, which: GameFilter, after: GameCursor | None = None, limit: int = 50
    ) -> GameList:
        """List the games that fit, `limit` at a time."""
        page = await self._index.listing(which, after, limit)
        return GameList(
            games=tuple(game_line(game, page.players) for game in page.games),
            after=page.after.text() if page.after else None,
            set_aside=page.set_aside,
        )

    async def going_on(self, since: datetime, over: datetime, most: int) -> tuple[UUID, ...]:
        """Return the games in which something was entered since then, the newest first.

        Finished ones stay until their players begin another, or nothing was entered since `over`.
        `most` of those begun last are looked at. In one round trip.
        """
        page = await self._index.games(GameFilter(), None, most)
        found: list[UUID] = []
        busy: set[UUID] = set()
        for game in page.games:
            open_still = game.status == "open"
            if game.last_at >= (since if open_still else over) and busy.isdisjoint(game.players):
                found.append(game.game_id)
            busy |= {*game.players}
        return tuple(found)

    async def moment(self, game_id: UUID) -> Moment:
        """Read the game as it stands now, in one round trip: whatever is shown comes from that.

        Raises: NotFound, StoreUnavailable
        """
        return await self._moment(game_id, self._sights(game_id))

    async def moments(self, game_ids: Sequence[UUID]) -> tuple[Moment, ...]:
        """Read several games as they stand now, in one round trip.

        Raises: NotFound, StoreUnavailable
        """
        return tuple(
            [
                moment_of(await self._shown.seen(whole, self._sights(whole.game_id)), seated)
                for whole, seated in await self._cache.now_of(game_ids)
            ]
        )

    async def _moment(self, game_id: UUID, sight: Sight) -> Moment:
        whole, seated = await self._cache.now(game_id)
        return moment_of(await self._shown.seen(whole, sight), seated)

    async def show(self, moment: Moment) -> GameView:
        """Show the game as it stood at a moment, with what may be entered then."""
        return game_view(
            moment.id,
            moment.version,
            moment.folded.history.game,
            moment.folded.history.standing_ranges,
            moment.players,
            await self._choices.at(moment.folded),
        )

    async def view(self, game_id: UUID) -> GameView:
        """Show the game as it stands now.

        Raises: NotFound, StoreUnavailable
        """
        return await self.show(await self.moment(game_id))

    async def log(
        self, game_id: UUID, after: int = 0, *, effective: bool = False, part: slice = WHOLE
    ) -> tuple[EntryView, ...]:
        """Return the entries later than version `after`: all of them, or only what stands now.

        What stands is told in the order it stands in: the moves of a splice, each with its part,
        where they were put.

        Raises: NotFound, StoreUnavailable
        """
        return (await self.moment(game_id)).log(after, effective=effective, part=part)

    async def decode(
        self, game_id: UUID, raw: bytes, root: str = "$"
    ) -> tuple[Entry, ...] | Malformed:
        """Decode a JSON array of entries strictly, as the game's ruleset writes them.

        An entry's `at` must be near the time of day (`entry_times`).

        Raises: NotFound, StoreUnavailable
        """
        folded = await self._cache.known(game_id)
        entries = folded.shapes.decode_submitted(raw, root)
        if isinstance(entries, Malformed):
            return entries
        return check_times(entries, self._now(), root) or entries

    async def refused(self, now: Moment, entries: Sequence[Entry]) -> Rejected | None:
        """Say why a batch would be refused at a moment, storing nothing; None: it would stand."""
        judged = await self._workers.run(partial(judge, now.folded.history, entries), long=True)
        return Rejected(refused=judged, moment=now) if isinstance(judged, RefusedBatch) else None

    async def preview(self, now: Moment, entry: Entry) -> Previewed:
        """Show what an entry would do at a moment, storing nothing."""
        found = partial(consequences, now.folded.history, entry)
        told = await self._workers.run(found, long=True)
        preview = told.preview
        choices = await self._choices.of(preview.game)
        return Previewed(
            deals=told.deals,
            ways=told.ways,
            refusal=preview.refusal,
            waivable=told.waivable,
            fallen=preview.fallen,
            state=game_view(now.id, now.version, preview.game, (), now.players, choices),
        )

    async def possible(self, moment: Moment, eyes: Eyes) -> PossibleView:
        """Tell what could be known at a moment of the cards nobody had shown."""
        return await self._workers.run(partial(possibilities, moment, eyes), long=True)

    async def work_on(self, work: Callable[[], Found]) -> Found:
        """Do something that may take long beside the event loop."""
        return await self._workers.run(work, long=True)

    async def suppose(self, moment: Moment, entries: Sequence[Entry]) -> GameView | RefusedBatch:
        """Show what would follow from a moment, storing nothing."""
        judged = await self._workers.run(partial(judge, moment.folded.history, entries), long=True)
        if isinstance(judged, RefusedBatch):
            return judged
        history = judged.history
        choices = await self._choices.of(history.game)
        return game_view(
            moment.id,
            history.version,
            history.game,
            history.standing_ranges,
            moment.players,
            choices,
        )

    async def view_of(self, now: Moment, game: Game) -> GameView:
        """Show a game that might have been instead of the one at a moment."""
        choices = await self._choices.of(game)
        return game_view(now.id, now.version, game, (), now.players, choices)

    async def version(self, game_id: UUID) -> int:
        """Return the last version of a game's log.

        Raises: NotFound, StoreUnavailable
        """
        return (await self._cache.current(game_id)).version

    async def hidden_from(self, game_id: UUID, finished: bool) -> int | None:  # noqa: FBT001
        """Return the first version of which something is hidden; None: nothing is.

        A game that is known to be `finished` is not read for that.

        Raises: NotFound, StoreUnavailable
        """
        sight = self._sights(game_id)
        if sight == "deal" and not finished:
            return hidden_from((await self._cache.current(game_id)).history, sight)
        return hidden_in_game(sight, finished=finished)

    async def follow(self, game_id: UUID, after: int | None = None) -> AsyncGenerator[Change]:
        """Yield what came after version `after`, then everything that comes, without a gap.

        None, or a version the game has not reached: begin with the last entry. Another process's
        appends are seen within two looks, `following.POLL_SECONDS` apart. Ends only when it is
        closed.

        Raises: NotFound, StoreUnavailable
        """
        async with aclosing(
            self._following.follow(game_id, self._sights(game_id), after)
        ) as changes:
            async for change in changes:
                yield change
