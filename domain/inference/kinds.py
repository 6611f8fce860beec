"""Places that a count fills as one, and unseen cards that it treats as one."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from domain.inference.worlds import Place, World
from domain.table.cards import Cards, places


class Pools(NamedTuple):
    """The unlike pools of a place in one world: what each may have, and how many cards it has."""

    candidates: tuple[Cards, ...]
    rooms: tuple[int, ...]


class Unit(NamedTuple):
    """Places filled as one, with the number of cards at each, and the totals they count for."""

    sizes: Mapping[Place, int]
    pools: tuple[Pools, ...]  # one a world
    totals: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many cards are at its places."""
        return sum(self.sizes.values())


class CardKind(NamedTuple):
    """Cards that the same units may have, worth the same where points were promised."""

    cards: Cards
    worth: tuple[int, ...]  # one a total
    fits: tuple[int, ...]  # units, ascending


class Reach:
    """What cards of the kinds from one on can be worth for a total, the least and the most.

    `number`: how many totals there are.
    """

    def __init__(self, units: Sequence[Unit], kinds: Sequence[CardKind], number: int) -> None:
        totals = range(number)
        self.counting = [
            [at for at, unit in enumerate(units) if total in unit.totals] for total in totals
        ]
        self._least: list[list[list[int]]] = []
        self._most: list[list[list[int]]] = []
        for total in totals:
            own = set(self.counting[total])
            worths: list[int] = []
            rows: list[list[int]] = [[]]
            for kind in reversed(kinds):
                if own.intersection(kind.fits):
                    worths = sorted([*worths, *[kind.worth[total]] * kind.cards.bit_count()])
                rows.append(worths)
            rows.reverse()
            self._least.append([[0, *accumulate(row)] for row in rows])
            self._most.append([[0, *accumulate(reversed(row))] for row in rows])

    def reaches(self, total: int, kind: int, room: int, points: int) -> bool:
        """Tell whether so many cards from a kind on can be worth so much, as far as bounds tell."""
        least, most = self._least[total][kind], self._most[total][kind]
        return room < len(least) and least[room] <= points <= most[room]


_Like = tuple[tuple[tuple[Cards, ...], ...], tuple[int, ...], Place | None]


def units_of(worlds: Sequence[World]) -> list[Unit]:
    """Join the places whose cards may be the same, in every world."""
    joined: dict[_Like, dict[Place, int]] = {}
    made: dict[_Like, tuple[tuple[Pools, ...], tuple[int, ...]]] = {}
    for place in dict.fromkeys(pool.place for world in worlds for pool in world.pools):
        pools = tuple(_pools_at(world, place) for world in worlds)
        totals = tuple(at for at, total in enumerate(worlds[0].totals) if place in total.places)
        plain = all(len(one.rooms) == 1 for one in pools)
        like = (tuple(one.candidates for one in pools), totals, None if plain else place)
        joined.setdefault(like, {})[place] = sum(pools[0].rooms)
        made[like] = pools, totals
    units: list[Unit] = []
    for like, sizes in joined.items():
        pools, totals = made[like]
        if len(sizes) > 1:
            whole = (sum(sizes.values()),)
            pools = tuple(one._replace(rooms=whole) for one in pools)
        units.append(Unit(sizes, pools, totals))
    return units


def _pools_at(world: World, place: Place) -> Pools:
    rooms: dict[Cards, int] = {}
    for at, candidates, assignment in world.pools:
        if at == place:
            may = candidates & world.unseen
            rooms[may] = rooms.get(may, 0) + assignment.bit_count()
    return Pools(tuple(rooms), tuple(rooms.values()))


def kinds_of(worlds: Sequence[World], units: Sequence[Unit]) -> list[CardKind]:
    """Sort the unseen cards by where they may lie, those that fewest units may have first."""
    world = worlds[0]
    alike: dict[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]], Cards] = {}
    for card in places(world.unseen):
        may = tuple(
            tuple(candidates >> card & 1 for one in unit.pools for candidates in one.candidates)
            for unit in units
        )
        worth = tuple(total.values[card] for total in world.totals)
        alike[may, worth] = alike.get((may, worth), 0) | 1 << card
    kinds: list[CardKind] = []
    for (may, worth), cards in alike.items():
        fits = tuple(unit for unit, mask in enumerate(may) if any(mask))
        kinds.append(CardKind(cards, worth, fits))
    kinds.sort(key=lambda kind: (len(kind.fits), kind.cards.bit_count()))
    return kinds
