"""Figures of people, and the standings of a period."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from projections.person import KNOWN_VERSION, PersonRuleset
from projections.standings import RulesetStandings
from schemas.record import Times
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
        return {str(one.title_id): one.name for one in self.titles}


class Person(Struct, frozen=True, kw_only=True):
    """A person's figures by title; `players`: their opponents and partners; `names` of titles.

    `set_aside`: how many of their games are set aside.
    """

    player: Player
    rulesets: tuple[PersonRuleset[UUID], ...]
    players: Mapping[UUID, Player]
    set_aside: int
    names: Mapping[str, str | None] = {}


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
        kept = index.checkpoints(KNOWN_VERSION)
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
        persons = await self._folds.of(period)
        tables = tuple(
            table
            for table in persons.standings()
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

    async def person(self, player_id: UUID, set_aside: SetAside = "exclude") -> Person:
        ever = GameFilter(set_aside=set_aside)
        rulesets = (await self._folds.of(ever)).person(player_id)
        met = {head.other for one in rulesets for head in one.heads}
        known, aside, _, titles = await self._index.people(
            [player_id, *met], GameFilter(player=player_id)
        )
        if player_id not in known:
            # The id of a merged entry leads to its person.
            others = [one for one in known if one not in met]
            if len(others) != 1:
                raise NotFound("player", player_id)
            return await self.person(others[0], set_aside)
        return Person(
            player=known.pop(player_id),
            rulesets=rulesets,
            players=known,
            set_aside=aside,
            names={str(one.title_id): one.name for one in titles},
        )

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
