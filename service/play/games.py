"""The use cases: start a game, append to it, read it, follow it.

Promises: an append is judged and stored all or none, in one round trip where this process knows the
game; the same command again answers as it did the first time, whatever has happened since. What the
rules refuse and what cannot be read are values (`Refused`, `Malformed`), not exceptions. Judging
that may take long happens in a thread: everybody else goes on being answered.
Assumes that the store decides who was first: nothing here locks.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from uuid import UUID, uuid5

from domain.table.rules import Game
from schemas.entries import Entry, is_amend, is_splice
from schemas.malformed import Malformed
from service.errors import KeyReused, VersionConflict
from service.play.append import (
    Judged,
    Refused,
    check_length,
    deal_scores,
    judge,
    new_entries,
    repeats,
    summary_of,
)
from service.play.choices_cache import ChoicesCache
from service.play.following import Following
from service.play.game_cache import Folded, Folds, decoded
from service.play.moments import Appended, Moment, Rejected, log_of, moment_of
from service.play.new_game import open_game, wrong_player
from service.play.previews import consequences
from service.play.signals import Signals
from service.play.views import (
    Change,
    EntryView,
    GameList,
    GameView,
    Previewed,
    game_line,
    game_view,
)
from service.play.workers import Workers, may_take_long
from service.store.events import EventStore
from service.store.listing import GameCursor, GameFilter
from service.store.players import Players
from service.store.projections import GameIndex
from service.store.records import Seated, StoredEntry

DERIVED_TYPES = frozenset({"deal_ended", "game_ended"})
# Games that a client starts under a key of its own take their id from it.
_STARTS = UUID("3e0a5c7e-0a8e-5d0a-9f0e-6a1f0c1f7b54")


class Games:
    """The games of one club.

    `new_id` makes ids, `new_salt` what hides a text.
    """

    def __init__(
        self,
        store: EventStore,
        index: GameIndex,
        players: Players,
        new_id: Callable[[], UUID],
        new_salt: Callable[[], bytes],
    ) -> None:
        self._store = store
        self._index = index
        self._players = players
        self._new_id = new_id
        self._new_salt = new_salt
        self._folds = Folds(store)
        self._signals = Signals()
        self._workers = Workers()
        self._choices = ChoicesCache(self._workers)
        self._following = Following(self._signals, self.moment, self.show)

    async def start(
        self,
        ruleset: str,
        options: bytes,
        players: Sequence[UUID],
        by: UUID | None,
        command_id: UUID | None = None,
    ) -> GameView | Malformed:
        """Start a game; `options` is a JSON object, `players` one a seat, seat 0 first.

        Under a `command_id` sent before, the game of that time is returned.

        Raises: KeyReused, StoreUnavailable
        """
        opening = open_game(ruleset, options, players)
        if isinstance(opening, Malformed):
            return opening
        command = command_id or self._new_id()
        game_id = uuid5(_STARTS, command.hex) if command_id else self._new_id()
        wrong = wrong_player(players, await self._players.many(players))
        # Somebody may have been forgotten since the same command was stored.
        if wrong is not None and not await self._store.command(game_id, command):
            return wrong
        await self._store.append(
            game_id=game_id,
            expected_version=0,
            command_id=command,
            by=by,
            entries=new_entries([opening.started], self._new_salt),
            summary=opening.summary,
        )
        started = await self.moment(game_id)
        if started.folded.players != tuple(players):
            raise KeyReused(command)
        return await self.show(started.at(1))

    async def list(
        self, which: GameFilter, after: GameCursor | None = None, limit: int = 50
    ) -> GameList:
        """List the games that fit, `limit` at a time.

        Raises: StoreUnavailable
        """
        page = await self._index.games(which, after, limit)
        ids = {player for game in page.games for player in game.players}
        known = await self._players.many(list(ids))
        return GameList(
            games=tuple(game_line(game, known) for game in page.games),
            after=page.after.text() if page.after else None,
            set_aside=await self._index.set_aside(which),
        )

    async def moment(self, game_id: UUID) -> Moment:
        """Read the game as it stands now, in one round trip: whatever is shown comes from that.

        Raises: NotFound, StoreUnavailable
        """
        return moment_of(*await self._folds.now(game_id))

    async def show(self, moment: Moment) -> GameView:
        """Show the game as it stood at a moment, with what may be entered then."""
        return game_view(
            moment.id,
            moment.version,
            moment.folded.history.game,
            moment.folded.history.standing,
            moment.players,
            await self._choices.at(moment.folded),
        )

    async def view(self, game_id: UUID) -> GameView:
        """Show the game as it stands now.

        Raises: NotFound, StoreUnavailable
        """
        return await self.show(await self.moment(game_id))

    async def log(
        self, game_id: UUID, after: int = 0, *, effective: bool = False
    ) -> tuple[EntryView, ...]:
        """Return the entries later than version `after`: all of them, or only what stands now.

        What stands is told in the order it stands in: the moves of a splice, each with its part,
        where they were put.

        Raises: NotFound, StoreUnavailable
        """
        return log_of(await self._folds.current(game_id), after, effective=effective)

    async def decode(
        self, game_id: UUID, raw: bytes, root: str = "$"
    ) -> tuple[Entry, ...] | Malformed:
        """Decode a JSON array of entries strictly, as the game's ruleset writes them.

        Raises: NotFound, StoreUnavailable
        """
        folded = await self._folds.known(game_id)
        return folded.shapes.decode_submitted(raw, root)

    async def append(
        self,
        game_id: UUID,
        expected_version: int,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended | Rejected:
        """Judge and store a batch, all or none; a command stored before answers as it did then.

        Raises: VersionConflict, KeyReused, NotFound, GameTooLong,
        StoreUnavailable (send it again with the same command)
        """
        folded = await self._folds.at_version(game_id, expected_version)
        refused: Refused | None = None
        if folded.version == expected_version:
            judged = await self._judged(folded, entries)
            if isinstance(judged, Judged):
                check_length(folded.version, entries)
                return await self._write(folded, judged, command_id, by, entries)
            refused = judged
        now = await self.moment(game_id)
        repeated = self._repeated(now, command_id, entries)
        if repeated is not None:
            return repeated
        if refused is None or now.version != expected_version:
            raise VersionConflict(now.version)
        return Rejected(refused=refused, moment=now)

    async def _write(
        self,
        folded: Folded,
        judged: Judged,
        command_id: UUID,
        by: UUID | None,
        entries: Sequence[Entry],
    ) -> Appended:
        try:
            stored = await self._store.append(
                game_id=folded.game_id,
                expected_version=folded.version,
                command_id=command_id,
                by=by,
                entries=new_entries([line.entry for line in judged.lines], self._new_salt),
                summary=summary_of(judged.history),
                deals=deal_scores(judged),
            )
        except (VersionConflict, KeyReused):
            # Also raised where the command was stored, but with other outcomes than it has today.
            now = await self.moment(folded.game_id)
            repeated = self._repeated(now, command_id, entries)
            if repeated is None:
                raise
            return repeated
        if stored.replayed:
            now = await self.moment(folded.game_id)
            return _answer(now, stored.entries, replayed=True)
        grown = await self._folds.grown(folded, stored.entries, judged.history, stored.erased)
        self._signals.notify(folded.game_id)
        names = zip(folded.players, stored.names, strict=True)
        seated = [Seated(player_id=player, name=name) for player, name in names]
        return _answer(moment_of(grown, seated), stored.entries, replayed=False)

    def _repeated(self, now: Moment, command_id: UUID, entries: Sequence[Entry]) -> Appended | None:
        """Answer a command that is stored; None if it is new.

        Raises: KeyReused (it is stored with other entries)
        """
        folded = now.folded
        rows = [row for row in folded.rows if row.command_id == command_id]
        if not rows:
            return None
        written = [row for row in rows if row.type not in DERIVED_TYPES]
        if not repeats(written, decoded(folded.shapes, written), entries):
            raise KeyReused(command_id)
        return _answer(now, rows, replayed=True)

    async def erase_text(self, game_id: UUID, version: int) -> None:
        """Erase for good what somebody wrote in an entry; the entry stays, and so do the points.

        Other processes know within `following.POLL_SECONDS`, and before they show the log again.

        Raises: NotFound (no such entry, or nothing in it that can be erased), StoreUnavailable
        """
        await self._store.erase_text(game_id, version)
        self._folds.forget(game_id)

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
            fallen=preview.fallen,
            state=game_view(now.id, now.version, preview.game, (), now.players, choices),
        )

    async def view_of(self, now: Moment, game: Game) -> GameView:
        """Show a game that might have been instead of the one at a moment."""
        choices = await self._choices.of(game)
        return game_view(now.id, now.version, game, (), now.players, choices)

    async def version(self, game_id: UUID) -> int:
        """Return the last version of a game's log.

        Raises: NotFound, StoreUnavailable
        """
        return (await self._folds.current(game_id)).version

    async def follow(self, game_id: UUID, after: int | None = None) -> AsyncGenerator[Change]:
        """Yield what came after version `after`, then everything that comes, without a gap.

        None, or a version the game has not reached: begin with the last entry. Another process's
        appends are seen within two looks, `following.POLL_SECONDS` apart. Ends only when it is
        closed.

        Raises: NotFound, StoreUnavailable
        """
        async with aclosing(self._following.follow(game_id, after)) as changes:
            async for change in changes:
                yield change

    async def _judged(self, folded: Folded, entries: Sequence[Entry]) -> Judged | Refused:
        """Judge a batch: here if it is one plain entry, as most are, else in a thread.

        An `amend` or a `splice` judges all that was recorded since, and a batch may hold many.
        """
        several = len(entries) != 1 or is_amend(entries[0]) or is_splice(entries[0])
        long = several or may_take_long(folded.history.game)
        return await self._workers.run(partial(judge, folded.history, entries), long=long)


def _answer(now: Moment, rows: Sequence[StoredEntry], *, replayed: bool) -> Appended:
    return Appended(moment=now.at(rows[-1].version), rows=tuple(rows), replayed=replayed)
