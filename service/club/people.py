"""The use cases over people: how somebody did, and the standings of a period.

Promises: every game that fits is read, some hundred at a time, and folded in a thread: others are
answered meanwhile, and memory grows with players, not with games. A fold is kept until a game
starts, or a finished one changes. Names are read afresh each time: one that was forgotten is gone.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from projections.person import PersonRuleset, Persons
from projections.standings import Result, RulesetStandings
from service.club.ratings import OpenSkill
from service.club.results import results
from service.errors import NotFound
from service.store.listing import GameFilter, Presence, Stamp
from service.store.players import Players
from service.store.projections import GameIndex
from service.store.records import Player, SetAside

FOLDS_KEPT = 16


class PeriodStandings(Struct, frozen=True, kw_only=True):
    """The standings of each ruleset that was played, by its name; `players`: who is in them.

    `set_aside`: how many games are set aside and would fit otherwise.
    """

    rulesets: tuple[RulesetStandings[UUID], ...]
    players: Mapping[UUID, Player]
    set_aside: int = 0


class Person(Struct, frozen=True, kw_only=True):
    """Somebody, and what they did in each ruleset they played; `players`: whom they met.

    `set_aside`: how many of their games are set aside.
    """

    player: Player
    rulesets: tuple[PersonRuleset[UUID], ...]
    players: Mapping[UUID, Player]
    set_aside: int


class Listed(Struct, frozen=True, kw_only=True):
    """Somebody in the list of players."""

    player: Player
    presence: Presence


class _Fold(Struct, frozen=True, kw_only=True):
    stamp: Stamp
    persons: Persons[UUID]


class People:
    """The people of one club and what they did."""

    def __init__(self, index: GameIndex, players: Players) -> None:
        self._index = index
        self._players = players
        self._folds: OrderedDict[GameFilter, _Fold] = OrderedDict()
        # One fold at a time: who asks for the same meanwhile finds it made.
        self._folding = asyncio.Lock()

    async def standings(
        self,
        ruleset: str | None = None,
        started_from: datetime | None = None,
        started_before: datetime | None = None,
        set_aside: SetAside = "exclude",
    ) -> PeriodStandings:
        """Return the standings of the games started in a period, of one ruleset or of all.

        Raises: StoreUnavailable
        """
        period = GameFilter(
            started_from=started_from, started_before=started_before, set_aside=set_aside
        )
        persons = await self._folded(period)
        tables = tuple(
            table for table in persons.standings() if ruleset is None or table.ruleset == ruleset
        )
        ids = {standing.player for table in tables for standing in table.standings}
        return PeriodStandings(
            rulesets=tables,
            players=await self._players.many(list(ids)),
            set_aside=await self._index.set_aside(replace(period, ruleset=ruleset)),
        )

    async def person(self, player_id: UUID, set_aside: SetAside = "exclude") -> Person:
        """Return what somebody did, ever.

        Raises: NotFound, StoreUnavailable
        """
        known = await self._players.many([player_id])
        if player_id not in known:
            raise NotFound("player", player_id)
        ever = GameFilter(set_aside=set_aside)
        rulesets = (await self._folded(ever)).person(player_id)
        met = {head.other for one in rulesets for head in one.heads}
        return Person(
            player=known[player_id],
            rulesets=rulesets,
            players=await self._players.many(list(met)),
            set_aside=await self._index.set_aside(GameFilter(player=player_id)),
        )

    async def all(self) -> tuple[Listed, ...]:
        """List everybody, the forgotten included, in the order they were added.

        Raises: StoreUnavailable
        """
        presences = await self._index.presences()
        return tuple(
            Listed(player=player, presence=presences.get(player.player_id, Presence()))
            for player in await self._players.all()
        )

    async def _folded(self, which: GameFilter) -> Persons[UUID]:
        async with self._folding:
            stamp = await self._index.stamp(which)
            kept = self._folds.get(which)
            if kept is None or kept.stamp != stamp:
                kept = _Fold(stamp=stamp, persons=await self._fold(which))
            self._folds[which] = kept
            self._folds.move_to_end(which)
            while len(self._folds) > FOLDS_KEPT:
                self._folds.popitem(last=False)
        return kept.persons

    async def _fold(self, which: GameFilter) -> Persons[UUID]:
        persons: Persons[UUID] = Persons(OpenSkill())
        async for some in results(self._index, which):
            await asyncio.to_thread(_add, persons, some)
        return persons


def _add(persons: Persons[UUID], some: Iterable[Result[UUID]]) -> None:
    for result in some:
        persons.add(result)
