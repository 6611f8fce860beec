"""The history of a club: pages, and parts for an export."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from copy import copy
from datetime import tzinfo
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.table.viewpoint import mask_json
from projections.breakdown import Breakdown
from projections.ratings import PlackettLuce
from projections.standings import GameResult, Standings
from schemas.history import HistoryPage, PastDeal, PastGame, PastPlayer
from service.club.results import read_results
from service.export.game.game import LogLine
from service.export.history.ranking import PersonGroups, Ranking
from service.export.history.rows import PlayedGame
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.read_models.listing import GameCursor, GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import GameInList, LoggedEntry, Player, StoredDealScore

ROWS_AT_ONCE = 5_000
# Entry types that may contain a private card.
_WITH_CARDS = frozenset({"deal", "amend", "splice"})

RowT = TypeVar("RowT", StoredDealScore, LoggedEntry)


# A function of a game and whether it is finished; returns the first version with cards hidden from
# the reader, or None.
HiddenFrom: TypeAlias = Callable[[UUID, bool], Awaitable[int | None]]
# A game, and the scores of its deals.
_Scored: TypeAlias = tuple[GameInList, tuple[StoredDealScore, ...]]


class HistoryRequest(Struct, frozen=True, kw_only=True):
    """The games of an export, and the data it needs of each.

    `after`: a cursor; `limit` None: all.
    """

    which: GameFilter
    deals: bool = False
    log: bool = False
    after: GameCursor | None = None
    limit: int | None = None


async def _nothing_hidden(_game_id: UUID, _finished: bool) -> None:  # noqa: FBT001 -- as asked
    pass


class ScoreHistory:
    def __init__(self, index: GameIndex, players: Players, store: EventStore) -> None:
        self._index = index
        self._players = players
        self._store = store
        self._hidden_from: HiddenFrom = _nothing_hidden

    def as_seen(self, hidden_from: HiddenFrom) -> "ScoreHistory":
        """Return the history for a reader from whom cards are hidden."""
        twin = copy(self)
        twin._hidden_from = hidden_from  # noqa: SLF001 -- own class
        return twin

    async def page(
        self, which: GameFilter, after: GameCursor | None = None, limit: int = 50
    ) -> HistoryPage:
        return (await self.page_and_count(which, after, limit, 0))[0]

    async def page_and_count(
        self, which: GameFilter, after: GameCursor | None, limit: int, most: int
    ) -> tuple[HistoryPage, int]:
        """Return a page of games, and their total number, counted up to `most`."""
        page = await self._index.listing(which, after, limit, most)
        told = await self._with_deals(page.games, page.deals)
        listed = HistoryPage(
            games=tuple(_past(game, page.players, deals) for game, deals in told),
            next=page.after.text() if page.after else None,
            set_aside=page.set_aside,
        )
        return listed, page.found

    async def names(self, player_ids: Sequence[UUID]) -> list[str | None]:
        """Return names; None for an unknown or erased person."""
        known = await self._players.by_ids(player_ids)
        return [known[one].name if one in known else None for one in player_ids]

    async def set_aside(self, which: GameFilter) -> int:
        return await self._index.set_aside(which)

    async def count(self, asked: HistoryRequest) -> int:
        found = await self._index.count(asked.which, asked.after)
        return found if asked.limit is None else min(found, asked.limit)

    async def read_games(self, asked: HistoryRequest) -> AsyncGenerator[tuple[PlayedGame, ...]]:
        left = asked.limit
        async for games in self._index.every(asked.which, after=asked.after):
            wanted = games if left is None else games[:left]
            for some in _together(wanted, asked):
                yield await self._played_games(some, asked)
            if left is not None:
                left -= len(wanted)
                if left <= 0:
                    return

    def ranking(self, which: GameFilter, zone: tzinfo | None, *, grouped: bool) -> "Folding":
        return Folding(self._index, self._players, which, zone, grouped=grouped)

    async def _players_of(self, games: Sequence[GameInList]) -> Mapping[UUID, Player]:
        return await self._players.by_ids(list({one for game in games for one in game.players}))

    async def _played_games(
        self, games: Sequence[GameInList], asked: HistoryRequest
    ) -> tuple[PlayedGame, ...]:
        ids = [game.game_id for game in games]
        read: Sequence[_Scored] = [(game, ()) for game in games]
        if asked.deals:
            read = await self._with_deals(games, await self._index.deal_scores(*ids))
        known = await self._players_of(games)
        logs = _by_game(await self._store.of_games(ids)) if asked.log else {}
        shown = {
            # The game may have new entries since it was read.
            game.game_id: await self._log(game, logs.get(game.game_id, ())[: game.version])
            for game in games
        }
        return tuple(
            PlayedGame(
                game=_past(game, known, deals),
                deals=game.deals,
                log=shown[game.game_id],
            )
            for game, deals in read
        )

    async def _log(self, game: GameInList, entries: Sequence[LoggedEntry]) -> tuple[LogLine, ...]:
        lines = [
            LogLine(
                version=entry.version,
                type=entry.type,
                recorded_at=entry.recorded_at,
                seat=msgspec.json.decode(entry.json, type=_SeatField).seat,
                entry=entry.json.decode(),
            )
            for entry in entries
        ]
        masked = {
            at: line for at, line in enumerate(_mask_entries(game, entries)) if line is not None
        }
        if masked:
            first = await self._hidden_from(game.game_id, game.status == "finished")
            for at, entry in masked.items():
                if first is not None and lines[at].version >= first:
                    lines[at] = replace(lines[at], entry=entry)
        return tuple(lines)

    async def _with_deals(
        self, games: Sequence[GameInList], scores_read: Sequence[StoredDealScore]
    ) -> list[_Scored]:
        deals = _by_game(scores_read)
        found: list[_Scored] = []
        for one in games:
            game, scores = one, deals.get(one.game_id, ())
            while not _of_one_version(game, scores):
                before, game = game, await self._index.game(game.game_id)
                if game.version == before.version:
                    break
                scores = tuple(await self._index.deal_scores(game.game_id))
            found.append((game, scores))
        return found


class Folding:
    """Standings being computed, oldest game first, in bounded memory.

    `grouped`: with everybody's figures by period, table and other player; `zone`: of its days.
    """

    def __init__(
        self,
        index: GameIndex,
        players: Players,
        which: GameFilter,
        zone: tzinfo | None,
        *,
        grouped: bool,
    ) -> None:
        self._index = index
        self._players = players
        self._which = which
        self._standings: Standings[UUID] = Standings(PlackettLuce())
        self._zone = zone
        self._grouped = grouped
        self._breakdown: Breakdown[UUID] = Breakdown(zone, {})
        self._seasons: dict[str, str] = {}

    async def apply_all(self) -> AsyncGenerator[int]:
        """Apply all games; yield the number of games done."""
        games = 0
        if self._grouped:
            _, _, seasons, _ = await self._index.people([], self._which)
            self._seasons = {str(one.season_id): one.name for one in seasons}
            days = {str(one.season_id): (one.first_day, one.last_day) for one in seasons}
            self._breakdown = Breakdown(self._zone, days)
        async with aclosing(read_results(self._index.finished_results(), self._which)) as parts:
            async for some in parts:
                await asyncio.to_thread(self._add, some)
                games += len(some)
                yield games

    async def result(self) -> Ranking:
        rulesets = self._standings.all()
        ids = {standing.player for table in rulesets for standing in table.standings}
        known = await self._players.by_ids(list(ids))
        names = {one: known[one].name if one in known else None for one in ids}
        titles = await self._index.title_names(table.title for table in rulesets)
        return Ranking(
            rulesets=rulesets,
            names=names,
            titles=titles,
            people=tuple(
                PersonGroups(player=one, titles=self._breakdown.title_groups(one))
                for one in self._breakdown.players()
            ),
            seasons=self._seasons,
        )

    def _add(self, some: Sequence[GameResult[UUID]]) -> None:
        for result in some:
            self._standings.add(result)
            if self._grouped:
                self._breakdown.add(result)


def _together(games: Sequence[GameInList], asked: HistoryRequest) -> Iterator[Sequence[GameInList]]:
    begin = rows = 0
    for at, game in enumerate(games, 1):
        rows += 1 + game.deals * asked.deals + game.version * asked.log
        if rows >= ROWS_AT_ONCE or at == len(games):
            yield games[begin:at]
            begin, rows = at, 0


def _of_one_version(game: GameInList, scores: Sequence[StoredDealScore]) -> bool:
    return len(scores) == game.deals and all(one.version <= game.version for one in scores)


def _by_game(rows: Iterable[RowT]) -> dict[UUID, tuple[RowT, ...]]:
    return {game_id: tuple(some) for game_id, some in groupby(rows, attrgetter("game_id"))}


def _past(
    game: GameInList, known: Mapping[UUID, Player], deals: Iterable[StoredDealScore]
) -> PastGame:
    return PastGame(
        id=str(game.game_id),
        ruleset=game.ruleset,
        title=game.title,
        title_name=game.title_name,
        options=game.options,
        status=game.status,
        started_at=game.started_at,
        last_at=game.ended_at,
        times=game.times,
        version=game.version,
        players=tuple(
            PastPlayer(id=str(one), name=known[one].name if one in known else None)
            for one in game.players
        ),
        deals=tuple(
            PastDeal(deal=one.deal, version=one.version, points=one.points, at=one.at)
            for one in deals
        ),
        totals=game.totals,
        places=game.places,
        set_aside=game.set_aside,
        place=game.description.place,
        tags=game.description.tags,
    )


def _mask_entries(game: GameInList, entries: Sequence[LoggedEntry]) -> Iterator[str | None]:
    manifest = GAMES[game.ruleset]
    for entry in entries:
        if entry.type not in manifest.private and entry.type not in _WITH_CARDS:
            yield None
            continue
        whole = msgspec.json.decode(entry.json)
        shown = mask_json(manifest, whole, None)
        yield None if shown == whole else msgspec.json.encode(shown).decode()


class _SeatField(Struct):
    seat: int | None = None
