"""Figures of people, and the standings of a period."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, tzinfo
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from projections.breakdown import Breakdown, TitleBreakdown
from projections.change import Change, changes
from projections.person import CHECKPOINT_VERSION, PersonRuleset
from projections.standings import GameResult, RatedAt, RulesetStandings
from schemas.record import Times
from service.club.results import read_results
from service.club.standings_checkpoints import CheckpointedStandings
from service.errors import NotFound
from service.store.read_models.listing import Bound, GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import Player, Season, SetAside, Title

PERIODS_MAX = 16


class PeriodStandings(Struct, frozen=True, kw_only=True):
    """The standings by title; `players`: the people in them.

    `titles`: all of the club.

    `set_aside`: how many games were excluded because they are set aside. `seasons`: all seasons.
    """

    rulesets: tuple[RulesetStandings[UUID], ...]
    players: Mapping[UUID, Player]
    set_aside: int = 0
    seasons: tuple[Season, ...] = ()
    titles: tuple[Title, ...] = ()

    @property
    def names(self) -> Mapping[str, str | None]:
        """The names of titles by id; a ruleset has none here."""
        return {str(title.title_id): title.name for title in self.titles}


class Person(Struct, frozen=True, kw_only=True):
    """A person's figures by title; `players`: their opponents and partners; `names` of titles.

    `set_aside`: how many of their games are set aside.
    """

    player: Player
    rulesets: tuple[PersonRuleset[UUID], ...]
    players: Mapping[UUID, Player]
    set_aside: int
    names: Mapping[str, str | None] = {}


class PersonFigures(Struct, frozen=True, kw_only=True):
    """A person's figures in groups, of all games or of those with `other`.

    `players`: their opponents and partners. `names`: of titles and seasons, by id. `ratings`: the
    thinned rating over time, by title; of all games of the period, whoever played.
    """

    player: Player
    other: Player | None
    titles: tuple[TitleBreakdown, ...]
    players: Mapping[UUID, Player]
    names: Mapping[str, str | None]
    ratings: Mapping[str, tuple[RatedAt, ...]]
    set_aside: int

    def name(self, key: str) -> str | None:
        """Return the name of the season or the person with this id, None for other keys."""
        if key in self.names:
            return self.names[key]
        person = next(
            (player for player in self.players.values() if str(player.player_id) == key), None
        )
        return person.name if person else None


class Presence(Struct, frozen=True, kw_only=True):
    """The number of a person's games, open ones included, and the start of the last.

    `last_times`: its precision; `last_at` None: unknown.
    """

    games: int = 0
    last_at: datetime | None = None
    last_times: Times = "none"


class ListedPlayer(Struct, frozen=True, kw_only=True):
    player: Player
    presence: Presence


class People:
    def __init__(self, index: GameIndex) -> None:
        self._index = index
        kept = index.checkpoints(CHECKPOINT_VERSION)
        self._folds = CheckpointedStandings(index.finished_results(), kept, PERIODS_MAX)

    async def keep(self) -> None:
        """Store checkpoints of the standings of all games."""
        await self._folds.keep(GameFilter())

    async def standings(
        self,
        ruleset: str | None = None,
        started_from: Bound | None = None,
        started_before: Bound | None = None,
        set_aside: SetAside = "exclude",
        title: UUID | None = None,
    ) -> PeriodStandings:
        period = GameFilter(
            started_from=started_from, started_before=started_before, set_aside=set_aside
        )
        everything = (await self._folds.of(period)).standings()
        if title is not None and all(table.title != str(title) for table in everything):
            title = await self._index.title_of(title)
        tables = tuple(
            table
            for table in everything
            if (ruleset is None or table.ruleset == ruleset)
            and (title is None or table.title == str(title))
        )
        ids = {standing.player for table in tables for standing in table.standings}
        known, aside, seasons, titles = await self._index.people(
            list(ids), replace(period, ruleset=ruleset, title=title)
        )
        return PeriodStandings(
            rulesets=tables,
            players=known,
            set_aside=aside,
            seasons=seasons,
            titles=titles,
        )

    async def changes(
        self,
        title: str,
        game_id: UUID,
        players: Sequence[UUID],
        period: tuple[Bound | None, Bound | None],
    ) -> tuple[Change[UUID], ...]:
        """Return what a finished game changed in the standings of a period, per seat."""
        which = GameFilter(started_from=period[0], started_before=period[1], set_aside="exclude")
        return changes(await self._folds.of(which), title, game_id, players)

    async def person(self, player_id: UUID, set_aside: SetAside = "exclude") -> Person:
        ever = GameFilter(set_aside=set_aside)
        rulesets = (await self._folds.of(ever)).person(player_id)
        met = {head.other for ruleset in rulesets for head in ruleset.heads}
        known, aside, _, titles = await self._index.people(
            [player_id, *met], GameFilter(player=player_id)
        )
        if player_id not in known:
            # The id of a merged entry leads to its person.
            others = [player_id for player_id in known if player_id not in met]
            if len(others) != 1:
                raise NotFound("player", player_id)
            return await self.person(others[0], set_aside)
        return Person(
            player=known.pop(player_id),
            rulesets=rulesets,
            players=known,
            set_aside=aside,
            names={str(title.title_id): title.name for title in titles},
        )

    async def figures(
        self, player_id: UUID, which: GameFilter, zone: tzinfo | None
    ) -> PersonFigures:
        """Return a person's figures in the games that match, beside the first of `which.others`.

        The id of a merged entry means its person.

        Raises: NotFound (no such person, or both ids mean the same one)
        """
        return (await self._figures((player_id, *which.others[:1]), which, zone, people=1))[0]

    async def figures_of_both(
        self, player_id: UUID, other: UUID, zone: tzinfo | None
    ) -> list[PersonFigures]:
        """Return the figures of two people in the games that both played, read once.

        Raises: as `figures`
        """
        return await self._figures((player_id, other), GameFilter(), zone, people=2)

    async def _figures(
        self, players: tuple[UUID, ...], which: GameFilter, zone: tzinfo | None, *, people: int
    ) -> list[PersonFigures]:
        period = GameFilter(
            started_from=which.started_from,
            started_before=which.started_before,
            set_aside=which.set_aside,
        )
        persons = await self._folds.of(period)
        rulesets = [persons.person(player_id) for player_id in players[:people]]
        opponents = {head.other for own in rulesets for ruleset in own for head in ruleset.heads}
        which = replace(which, player=players[0], others=players[1:])
        known, aside, seasons, titles = await self._index.people([*players, *opponents], which)
        if not known.keys() >= {*players}:
            ids = [(await self._find(player_id)).player_id for player_id in players]
            return await self._figures(tuple(ids), which, zone, people=people)
        if len({*players}) < len(players):
            raise NotFound("player", players[0])
        days = {str(season.season_id): (season.first_day, season.last_day) for season in seasons}
        # A person alone is both sides.
        sides = [(players[0], players[-1]), (players[-1], players[0])][:people]
        breakdowns = [
            Breakdown(zone, days, of=person, other=None if person == other else other)
            for person, other in sides
        ]
        async with aclosing(read_results(self._index.finished_results(), which)) as parts:
            async for batch in parts:
                await asyncio.to_thread(_add_all, breakdowns, batch)
        titles_of = [
            breakdown.title_groups(person)
            for breakdown, (person, _) in zip(breakdowns, sides, strict=True)
        ]
        met = {
            UUID(group.key)
            for own_titles in titles_of
            for title in own_titles
            for group in (*title.groups["opponent"], *title.groups["partner"])
        }
        everybody = known
        if not known.keys() >= met:  # entered since, or met in games without a result
            everybody, *_ = await self._index.people([*met], which)
        names = {str(title.title_id): title.name for title in titles} | {
            str(season.season_id): season.name for season in seasons
        }
        return [
            PersonFigures(
                player=known[person],
                other=None if person == other else known[other],
                titles=own_titles,
                players=everybody,
                names=names,
                ratings=_ratings(own_rulesets, own_titles),
                set_aside=aside,
            )
            for (person, other), own_titles, own_rulesets in zip(
                sides, titles_of, rulesets, strict=True
            )
        ]

    async def _find(self, player_id: UUID) -> Player:
        known, *_ = await self._index.people([player_id], GameFilter(player=player_id))
        for player in known.values():
            return player
        raise NotFound("player", player_id)

    async def all(self) -> tuple[ListedPlayer, ...]:
        """List all people in order of creation, erased ones included."""
        games = (await self._folds.of(GameFilter())).games()
        everybody, last = await self._index.everybody(list(games))
        listed: list[ListedPlayer] = []
        for player in everybody:
            presence = Presence(games=games.get(player.player_id, 0))
            if player.player_id in last:
                at, times = last[player.player_id]
                presence = replace(presence, last_at=at, last_times=times)
            listed.append(ListedPlayer(player=player, presence=presence))
        return tuple(listed)


def _ratings(
    rulesets: Sequence[PersonRuleset[UUID]], titles: Sequence[TitleBreakdown]
) -> dict[str, tuple[RatedAt, ...]]:
    shown = {title.title for title in titles}
    return {own.title: own.standing.course for own in rulesets if own.title in shown}


def _add_all(folds: Sequence[Breakdown[UUID]], results: Sequence[GameResult[UUID]]) -> None:
    for fold in folds:
        for result in results:
            fold.add(result)
