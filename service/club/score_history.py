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
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

import msgspec
from msgspec import Raw, Struct
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
from service.export.history.rows import GameLog, PlayedGame
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
        return _names(known, player_ids)

    async def set_aside(self, which: GameFilter) -> int:
        return await self._index.set_aside(which)

    async def count(self, request: HistoryRequest) -> int:
        found = await self._index.count(request.which, request.after)
        return found if request.limit is None else min(found, request.limit)

    async def read_games(self, request: HistoryRequest) -> AsyncGenerator[tuple[PlayedGame, ...]]:
        left = request.limit
        async for games in self._index.every(request.which, after=request.after):
            wanted = games if left is None else games[:left]
            for some in _together(wanted, request):
                yield await self._played_games(some, request)
            if left is not None:
                left -= len(wanted)
                if left <= 0:
                    return

    def ranking(self, which: GameFilter, zone: tzinfo | None, *, grouped: bool) -> "Folding":
        return Folding(self._index, self._players, which, zone, grouped=grouped)

    async def _played_games(
        self, games: Sequence[GameInList], request: HistoryRequest
    ) -> tuple[PlayedGame, ...]:
        ids = [game.game_id for game in games]
        scored: Sequence[_Scored] = [(game, ()) for game in games]
        if request.deals:
            scored = await self._with_deals(games, await self._index.deal_scores(*ids))
        continued = [game.game_id for game in games if game.continues is not None and request.log]
        earlier = await self._index.earlier_games(continued) if continued else []
        ids += [part.game_id for part in earlier]
        people = {player for game in games for player in game.players}
        people.update(player for part in earlier for player in part.players)
        known = await self._players.by_ids(list(people))
        logs = _by_game(await self._store.of_games(ids)) if request.log else {}
        own_logs = {
            # The game may have new entries since it was read.
            game.game_id: await self._log(
                game.game_id, game, logs.get(game.game_id, ())[: game.version]
            )
            for game in games
        }
        before: dict[UUID, list[GameLog]] = {game.game_id: [] for game in games}
        game_of_id = {game.game_id: game for game in games}
        for part in earlier:
            lines = await self._log(
                part.game_id, game_of_id[part.last_id], logs.get(part.game_id, ())
            )
            names = tuple(_names(known, part.players))
            before[part.last_id].append(GameLog(id=str(part.game_id), names=names, lines=lines))
        return tuple(
            PlayedGame(
                game=_past(game, known, deals),
                deals=game.deals,
                log=own_logs[game.game_id],
                earlier=tuple(before[game.game_id]),
            )
            for game, deals in scored
        )

    async def _log(
        self, game_id: UUID, last: GameInList, entries: Sequence[LoggedEntry]
    ) -> tuple[LogLine, ...]:
        """Return the lines of a log, masked from the version on that viewers may not see."""
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
            at: line for at, line in enumerate(_mask_entries(last, entries)) if line is not None
        }
        if masked:
            first = await self._hidden_from(game_id, last.status == "finished")
            for at, entry in masked.items():
                if first is not None and lines[at].version >= first:
                    lines[at] = replace(lines[at], entry=entry)
        return tuple(lines)

    async def _with_deals(
        self, games: Sequence[GameInList], scores_read: Sequence[StoredDealScore]
    ) -> list[_Scored]:
        deals = _by_game(scores_read)
        scored: list[_Scored] = []
        for scored_game in games:
            game, scores = scored_game, deals.get(scored_game.game_id, ())
            while not _of_one_version(game, scores):
                before, game = game, await self._index.game(game.game_id)
                if game.version == before.version:
                    break
                scores = tuple(await self._index.deal_scores(game.game_id))
            scored.append((game, scores))
        return await self._with_earlier(scored)

    async def _with_earlier(self, games: list[_Scored]) -> list[_Scored]:
        """Put the deals of the games before in front of those of a game that goes on from them."""
        ids = [game.game_id for game, _ in games if game.continues is not None]
        if not ids:
            return games
        earlier = await self._index.earlier_deals(ids)
        chained: list[_Scored] = []
        for game, scores in games:
            before = [
                replace(deal.score, points=deal.points_for(game.players))
                for deal in earlier.get(game.game_id, ())
            ]
            own = [replace(score, deal=game.deals_before + score.deal) for score in scores]
            chained.append((game, (*before, *own)))
        return chained


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
            self._seasons = {str(season.season_id): season.name for season in seasons}
            days = {
                str(season.season_id): (season.first_day, season.last_day) for season in seasons
            }
            self._breakdown = Breakdown(self._zone, days)
        async with aclosing(read_results(self._index.finished_results(), self._which)) as parts:
            async for batch in parts:
                await asyncio.to_thread(self._add, batch)
                games += len(batch)
                yield games

    async def result(self) -> Ranking:
        rulesets = self._standings.all()
        ids = {standing.player for table in rulesets for standing in table.standings}
        known = await self._players.by_ids(list(ids))
        names = dict(zip(ids, _names(known, ids), strict=True))
        titles = await self._index.title_names(table.title for table in rulesets)
        return Ranking(
            rulesets=rulesets,
            names=names,
            titles=titles,
            people=tuple(
                PersonGroups(player=player, titles=self._breakdown.title_groups(player))
                for player in self._breakdown.players()
            ),
            seasons=self._seasons,
        )

    def _add(self, results: Sequence[GameResult[UUID]]) -> None:
        for result in results:
            self._standings.add(result)
            if self._grouped:
                self._breakdown.add(result)


def _together(
    games: Sequence[GameInList], request: HistoryRequest
) -> Iterator[Sequence[GameInList]]:
    begin = rows = 0
    for at, game in enumerate(games, 1):
        rows += 1 + game.deals * request.deals + game.version * request.log
        if rows >= ROWS_AT_ONCE or at == len(games):
            yield games[begin:at]
            begin, rows = at, 0


def _of_one_version(game: GameInList, scores: Sequence[StoredDealScore]) -> bool:
    own = game.deals - game.deals_before
    return len(scores) == own and all(score.version <= game.version for score in scores)


def _by_game(rows: Iterable[RowT]) -> dict[UUID, tuple[RowT, ...]]:
    return {game_id: tuple(batch) for game_id, batch in groupby(rows, attrgetter("game_id"))}


def _past(
    game: GameInList, known: Mapping[UUID, Player], deals: Iterable[StoredDealScore]
) -> PastGame:
    return PastGame(
        id=str(game.game_id),
        ruleset=game.ruleset,
        title=game.title,
        title_name=game.title_name,
        options=_whole_options(game),
        status=game.status,
        started_at=game.started_at,
        last_at=game.ended_at,
        times=game.times,
        version=game.version,
        players=tuple(
            PastPlayer(id=str(player), name=name)
            for player, name in zip(game.players, _names(known, game.players), strict=True)
        ),
        deals=tuple(
            PastDeal(deal=deal.deal, version=deal.version, points=deal.points, at=deal.at)
            for deal in deals
        ),
        totals=game.totals,
        places=game.places,
        took_part=game.took_part,
        set_aside=game.set_aside,
        place=game.description.place,
        tags=game.description.tags,
    )


def _names(known: Mapping[UUID, Player], player_ids: Iterable[UUID]) -> list[str | None]:
    return [known[player_id].name if player_id in known else None for player_id in player_ids]


def _whole_options(game: GameInList) -> Raw:
    """Return the options of a game; a number of deals counts those of the games before, too."""
    name = GAMES[game.ruleset].deals_option
    if not game.deals_before or not name:
        return game.options
    options = msgspec.json.decode(game.options, type=dict[str, Any])
    if options.get(name) is None:
        return game.options
    return Raw(msgspec.json.encode({**options, name: options[name] + game.deals_before}))


def _mask_entries(game: GameInList, entries: Sequence[LoggedEntry]) -> Iterator[str | None]:
    """Yield each entry as viewers see it, None if they see all of it."""
    manifest = GAMES[game.ruleset]
    for entry in entries:
        if entry.type not in manifest.private and entry.type not in _WITH_CARDS:
            yield None
            continue
        whole = msgspec.json.decode(entry.json)
        masked = mask_json(manifest, whole, None)
        yield None if masked == whole else msgspec.json.encode(masked).decode()


class _SeatField(Struct):
    seat: int | None = None
