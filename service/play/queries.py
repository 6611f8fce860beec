"""Queries of games: state, log, previews, changes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeVar
from uuid import UUID

from msgspec import Struct, UnsetType

from domain.games import GAMES
from domain.table.correction_effects import DealFate, correction_effects
from domain.table.correction_repairs import Repairs, find_repairs
from domain.table.history import History, Preview
from domain.table.rules import Game, Status
from domain.table.waivers import waiving_helps, waiving_helps_correction
from schemas.entries import Entry, TakeBack, is_amend, is_splice, moves_in
from schemas.strict_json import Malformed
from service.play.append import BATCH_MAX, JudgedBatch, RefusedBatch, is_detached, judge
from service.play.chain_corrections import (
    FollowingGame,
    check_starts,
    follow,
    may_change_starts,
    starts_until,
)
from service.play.choices_cache import ChoicesCache
from service.play.course import GameCourse
from service.play.following import Following
from service.play.game_cache import LoadedGame
from service.play.possibilities import Eyes, PossibleView, possibilities
from service.play.runtime import Runtime
from service.play.sight import Sight, SightCache, Sights, hidden_from, hidden_in_game
from service.play.snapshots import WHOLE, GameSnapshot, Rejected, snapshot_of
from service.play.views import (
    RANGES_MAX,
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


class Consequences(Struct, frozen=True, kw_only=True):
    """A preview, the fate of the deals (of a legal correction), and repairs.

    `waivable`: a refused entry would be legal if it waived the clause.
    """

    preview: Preview
    waivable: bool = False
    deals: tuple[DealFate, ...] = ()
    ways: Repairs | None = None


def consequences(history: History, entry: Entry) -> Consequences:
    """Compute the effects of an entry."""
    preview = history.preview(entry)
    # Else it is a later entry that the correction makes illegal.
    is_refused_itself = preview.refusal is not None and not preview.fallen
    if is_refused_itself:
        return Consequences(preview=preview, waivable=_waivable(history, entry, preview))
    if isinstance(entry, TakeBack):
        return Consequences(preview=preview, deals=_taken_back(history, preview))
    if preview.edit is None:
        return Consequences(preview=preview)
    followed = correction_effects(history.opening, preview.edit)
    turns = GAMES[history.opening.rules.name].turns
    ways = find_repairs(history.opening, preview.edit, entry, followed, turns)
    return Consequences(preview=preview, deals=followed.deals, ways=ways)


def _waivable(history: History, entry: Entry, preview: Preview) -> bool:
    if preview.refusal is None:
        return False
    if is_amend(entry) or is_splice(entry):
        return waiving_helps_correction(history, entry, preview.refusal.rule)
    return waiving_helps(history, (), entry, preview.refusal.rule)


def _taken_back(history: History, preview: Preview) -> tuple[DealFate, ...]:
    """Return what taking back makes of each deal."""
    left, has_open_deal = preview.game.deals, preview.game.deal is not None
    fates: list[DealFate] = []
    for number, points in enumerate(history.game.deals, 1):
        if left[:number] == history.game.deals[:number]:
            fates.append(DealFate(number, "stands", points, points))
        else:
            goes_on = has_open_deal and number == len(left) + 1
            fates.append(DealFate(number, "changes" if goes_on else "dropped", points))
    return tuple(fates)


Found = TypeVar("Found")


class GameQueries:
    def __init__(self, index: GameIndex, process: Runtime, now: Callable[[], datetime]) -> None:
        self._index = index
        self._now = now
        self._cache = process.cache
        self._workers = process.workers
        self._choices = ChoicesCache(process.workers, process.measured)
        self._shown = SightCache(process.workers)
        self._following = Following(process.signals, self._snapshot, self.show)
        self._sights: Sights = lambda _: "whole"

    def as_seen(self, sights: Sights) -> "GameQueries":
        """Return queries for a reader; `sights` gives their sight of each game."""
        twin = copy(self)
        twin._sights = sights  # noqa: SLF001 -- own class
        return twin

    async def list(
        self, which: GameFilter, after: GameCursor | None = None, limit: int = 50
    ) -> GameList:
        page = await self._index.listing(which, after, limit)
        return GameList(
            games=tuple(game_line(game, page.players) for game in page.games),
            after=page.after.text() if page.after else None,
            set_aside=page.set_aside,
        )

    async def active_games(self, since: datetime, over: datetime, most: int) -> tuple[UUID, ...]:
        """Return the games with an entry since then, the latest first.

        Finished ones are included until their players start another, or after `over` without an
        entry. Looks at the last `most` games started, by one query.
        """
        page = await self._index.games(GameFilter(), None, most)
        game_ids: list[UUID] = []
        busy: set[UUID] = set()
        for game in page.games:
            open_still = game.status == "open"
            if game.last_at >= (since if open_still else over) and busy.isdisjoint(game.players):
                game_ids.append(game.game_id)
            busy |= {*game.players}
        return tuple(game_ids)

    async def snapshot(self, game_id: UUID) -> GameSnapshot:
        return await self._snapshot(game_id, self._sights(game_id))

    async def course(self, game: GameSnapshot) -> GameCourse:
        """Return a game with those from which it goes on, as they ended there.

        A game that is undone stands for itself.
        """
        parts = [game]
        if not is_detached(game.loaded.history):
            sight = self._sights(game.id)
            over = game.loaded.history.game.status is not Status.OPEN and sight != "never"
            while (chain := parts[0].loaded.chain) is not None and chain.continues is not None:
                before = await self._snapshot(chain.continues.game_id, "whole" if over else sight)
                is_last = before.loaded.chain and before.loaded.chain.continued_by == parts[0].id
                parts.insert(0, before if is_last else before.at(chain.continues.version))
        return GameCourse(parts=tuple(parts))

    async def course_of(self, game_id: UUID) -> GameCourse:
        """Return the course of a game. Raises: NotFound."""
        return await self.course(await self.snapshot(game_id))

    async def newest(self, game_id: UUID) -> GameSnapshot:
        """Return the last game of the chain that goes on from a game. Raises: NotFound."""
        snapshot = await self.snapshot(game_id)
        while (chain := snapshot.loaded.chain) is not None and chain.continued_by is not None:
            snapshot = await self.snapshot(chain.continued_by)
        return snapshot

    async def snapshots(self, game_ids: Sequence[UUID]) -> tuple[GameSnapshot, ...]:
        return tuple(
            [
                snapshot_of(
                    await self._shown.masked_game(whole, self._sights(whole.game_id)), seated
                )
                for whole, seated in await self._cache.current_many(game_ids)
            ]
        )

    async def _snapshot(self, game_id: UUID, sight: Sight) -> GameSnapshot:
        whole, seated = await self._cache.now(game_id)
        return snapshot_of(await self._shown.masked_game(whole, sight), seated)

    async def show(self, snapshot: GameSnapshot) -> GameView:
        """Return the view of a game, with the choices."""
        return game_view(
            snapshot.id,
            snapshot.version,
            snapshot.loaded.history.game,
            _take_back_ranges(snapshot.loaded),
            snapshot.players,
            await self._choices.at(snapshot.loaded),
            snapshot.title,
            snapshot.loaded.chain,
        )

    async def view(self, game_id: UUID) -> GameView:
        return await self.show(await self.snapshot(game_id))

    async def log(
        self, game_id: UUID, after: int = 0, *, effective: bool = False, part: slice = WHOLE
    ) -> tuple[EntryView, ...]:
        """Return the entries after version `after`, all or only effective ones.

        Effective entries are in their effective order: the moves of a splice, with their parts, at
        its place.

        Raises: NotFound
        """
        return (await self.snapshot(game_id)).log(after, effective=effective, part=part)

    async def decode(
        self, game_id: UUID, raw: bytes, root: str = "$", *, of_command: bool = False
    ) -> tuple[Entry, ...] | Malformed:
        """Decode a JSON array of entries of the game's ruleset, strictly.

        The times they claim are checked (`check_times`). `of_command`: 1 to `BATCH_MAX` entries.

        Raises: NotFound
        """
        loaded = await self._cache.cached_or_current(game_id)
        entries = loaded.shapes.decode_submitted(raw, root)
        if isinstance(entries, Malformed):
            return entries
        if (wrong := check_times(entries, self._now(), root)) is not None:
            return wrong
        if of_command and not 1 <= len(entries) <= BATCH_MAX:
            return Malformed(path=root, expected=f"1 to {BATCH_MAX} entries")
        return entries

    async def refused(self, now: GameSnapshot, entries: Sequence[Entry]) -> Rejected | None:
        judged = await self._workers.run(partial(judge, now.loaded.history, entries), long=True)
        return Rejected(refused=judged, snapshot=now) if isinstance(judged, RefusedBatch) else None

    async def preview(self, now: GameSnapshot, entry: Entry) -> Previewed:
        """Return the effect of an entry or correction.

        Raises: TotalCarried
        """
        if may_change_starts(now.loaded, [entry]):
            judged = await self._workers.run(partial(judge, now.loaded.history, [entry]), long=True)
            if isinstance(judged, JudgedBatch):
                check_starts(now.loaded, judged.history)
        compute = partial(consequences, now.loaded.history, entry)
        consequences_found = await self._workers.run(compute, long=True)
        preview = consequences_found.preview
        choices = await self._choices.of(preview.game)
        return Previewed(
            deals=consequences_found.deals,
            ways=consequences_found.ways,
            refusal=preview.refusal,
            waivable=consequences_found.waivable,
            fallen=preview.fallen,
            state=game_view(now.id, now.version, preview.game, (), now.players, choices, now.title),
        )

    async def following(
        self, now: GameSnapshot, entries: Sequence[Entry]
    ) -> tuple[FollowingGame, ...] | None:
        """Return how the later games of a chain follow corrections; None if they cannot."""
        judged = await self._workers.run(partial(judge, now.loaded.history, entries), long=True)
        if isinstance(judged, RefusedBatch):
            return ()
        return await follow(self.snapshot, now, judged.history)

    async def possible(self, snapshot: GameSnapshot, eyes: Eyes) -> PossibleView:
        return await self._workers.run(partial(possibilities, snapshot, eyes), long=True)

    async def work_on(self, work: Callable[[], Found]) -> Found:
        return await self._workers.run(work, long=True)

    async def suppose(
        self, snapshot: GameSnapshot, entries: Sequence[Entry]
    ) -> GameView | RefusedBatch:
        """Return the game after hypothetical entries, storing nothing."""
        judged = await self._workers.run(
            partial(judge, snapshot.loaded.history, entries), long=True
        )
        if isinstance(judged, RefusedBatch):
            return judged
        history = judged.history
        choices = await self._choices.of(history.game)
        return game_view(
            snapshot.id,
            history.version,
            history.game,
            history.take_back_ranges(RANGES_MAX + 1),
            snapshot.players,
            choices,
            snapshot.title,
        )

    async def view_of(self, now: GameSnapshot, game: Game) -> GameView:
        choices = await self._choices.of(game)
        return game_view(now.id, now.version, game, (), now.players, choices, now.title)

    async def version(self, game_id: UUID) -> int:
        return (await self._cache.current(game_id)).version

    async def hidden_from(self, game_id: UUID, finished: bool) -> int | None:  # noqa: FBT001
        """Return the first version with hidden cards; None if there is none.

        A `finished` game may need no query.

        Raises: NotFound
        """
        sight = self._sights(game_id)
        if sight == "deal" and not finished:
            return hidden_from((await self._cache.current(game_id)).history, sight)
        return hidden_in_game(sight, finished=finished)

    async def follow(self, game_id: UUID, after: int) -> AsyncGenerator[Change]:
        """Yield all changes after version `after`, without gaps, until closed.

        A version in the future: start with the last entry. Appends of other processes appear after
        at most two polls, `following.POLL_SECONDS` apart.

        Raises: NotFound
        """
        async with aclosing(
            self._following.follow(game_id, self._sights(game_id), after)
        ) as changes:
            async for change in changes:
                yield change


AHEAD_MAX = timedelta(days=1)
BEHIND_MAX = timedelta(days=366)
# A correction may insert moves of an imported game.
EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)


def check_times(entries: Sequence[Entry], now: datetime, root: str) -> Malformed | None:
    """Refuse times of a wrong clock; `root`: the JSON path of the entries.

    An entry may be a year late and a day early; moves of a correction start in 1900.
    """
    for index, entry in enumerate(entries):
        times = [("at", entry.at, now - BEHIND_MAX)]
        for place, move in enumerate(moves_in(entry)):
            path = f"moves[{place}].at" if is_splice(entry) else "move.at"
            times.append((path, move.at, EARLIEST))
        for path, at, earliest in times:
            if not isinstance(at, UnsetType) and not earliest <= at <= now + AHEAD_MAX:
                expected = f"a moment from {earliest:%Y-%m-%d} to {now + AHEAD_MAX:%Y-%m-%d}"
                return Malformed(path=f"{root}[{index}].{path}", expected=expected)
    return None


def _take_back_ranges(loaded: LoadedGame) -> tuple[tuple[int, int], ...]:
    """Return the last versions to which the game can be taken back, without the totals carried."""
    least = starts_until(loaded)
    ranges = loaded.history.take_back_ranges(RANGES_MAX + 1)
    return tuple((max(first, least), last) for first, last in ranges if last >= least)
