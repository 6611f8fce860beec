"""Count the deals that fit, and for each unseen card and place the share of deals with it there."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import nlargest
from itertools import accumulate
from math import comb, factorial, prod
from typing import NamedTuple

from domain.inference.knowledge import Knowledge
from domain.inference.worlds import Place, World
from domain.table.cards import Cards, bit_numbers

# Transitions of one count, over all its worlds: more count more deals exactly; 8,000 take some
# 30 ms, which leaves `possible` time for its searches.
EDGES_MAX = 8_000
# Transitions after that limit, where a beam of the most frequent states gives a lower bound.
BEAM_EDGES = 1_000
# Worlds counted together: a transition counts once per world, so that 24 leave 333 of them.
WORLDS_MAX = 24
# Worlds counted for a lower bound where there are more, or where known cards differ.
WORLDS_SAMPLED = 2
_DEAD = -1


class KindShares(NamedTuple):
    """Unseen cards of one kind, and the share of deals in which each is at a place, if any."""

    cards: Cards
    shares: Mapping[Place, Fraction]


class DealCount(NamedTuple):
    """The number of deals that fit if `is_exact`, else a lower bound.

    `kinds` covers every unseen card, and is empty unless `is_exact`. `cards_found` has the cards
    that some deal counted puts at each place; equal cards are distinct there.
    """

    deals: int
    is_exact: bool
    kinds: Sequence[KindShares] = ()
    cards_found: Mapping[Place, Cards] = {}


def count_deals(knowledge: Knowledge, *, shares: bool = True) -> DealCount:
    """Count the deals that fit; `shares`: also in what share of them each card is where.

    Dynamic programming: cards of one kind (`CardKind`) are dealt to the units that can have them,
    kind by kind, and the state is the room left. That is a transfer matrix for the permanent of a
    0/1 matrix (#P-complete, Valiant 1979). Fillings that lead to the same deal are one state, as in
    the subset construction of an automaton, and so are worlds.
    """
    if knowledge.relaxed:
        return DealCount(1, is_exact=False)
    worlds, whole = _alternatives(knowledge)
    count = _Count(worlds)
    deals = count.run()
    whole = whole and count.whole
    kinds = count.shares() if shares else ()
    cards_at: dict[Place, Cards] = {}
    for kind in kinds:
        for place in kind.shares:
            cards_at[place] = cards_at.get(place, 0) | kind.cards
    return DealCount(max(1, deals), whole, kinds if whole else (), cards_at)


def deals_that_fit(knowledge: Knowledge) -> int | None:
    """Count the deals that fit; None where that exceeds the limits or worlds were forked.

    >>> from domain.inference import Unseen, knowledge_before_deal
    >>> from domain.table.cards import Pack
    >>> known = knowledge_before_deal(Pack(["AS", "KS", "QS"]), 0)
    >>> deals_that_fit(known.learn_certain(Unseen(0, 1, 1, 1)))
    3
    """
    if knowledge.forked or knowledge.relaxed:
        return None
    count = count_deals(knowledge, shares=False)
    return count.deals if count.is_exact else None


def _alternatives(knowledge: Knowledge) -> tuple[Sequence[World], bool]:
    """Return worlds with the same known cards, and whether these are all."""
    if not knowledge.forked:
        return (knowledge.world,), True
    worlds = knowledge.all_worlds()
    if worlds is None:
        return (knowledge.world,), False
    if len(worlds) > WORLDS_MAX:
        worlds = worlds[:WORLDS_SAMPLED]
        return [world for world in worlds if _known(world) == _known(worlds[0])], False
    alike = [world for world in worlds if _known(world) == _known(worlds[0])]
    whole = len(alike) == len(worlds)
    return alike if whole else alike[:WORLDS_SAMPLED], whole


def _known(world: World) -> dict[Place, Cards]:
    return {place: cards for place, cards in world.known.items() if cards}


class Pools(NamedTuple):
    """The pools of a place in one world: the candidates and the number of cards of each."""

    candidates: tuple[Cards, ...]
    rooms: tuple[int, ...]


class Unit(NamedTuple):
    """Places with the same candidates in every world, filled as one; `totals` by index."""

    sizes: Mapping[Place, int]
    pools: tuple[Pools, ...]  # one per world
    totals: tuple[int, ...]

    @property
    def size(self) -> int:
        return sum(self.sizes.values())


class CardKind(NamedTuple):
    cards: Cards
    worth: tuple[int, ...]  # one per total
    units: tuple[int, ...]  # units, ascending


class TotalBounds:
    """Bounds of what the cards of the last kinds can be worth, for each of `number` totals."""

    def __init__(self, units: Sequence[Unit], kinds: Sequence[CardKind], number: int) -> None:
        totals = range(number)
        self.counting = [
            [at for at, unit in enumerate(units) if total in unit.totals] for total in totals
        ]
        # Per total, kind and number of cards: what so many cards of this and later kinds are worth.
        self._least: list[list[list[int]]] = []
        self._most: list[list[list[int]]] = []
        for total in totals:
            own = set(self.counting[total])
            worths: list[int] = []
            rows: list[list[int]] = [[]]
            for kind in reversed(kinds):
                if own.intersection(kind.units):
                    worths = sorted([*worths, *[kind.worth[total]] * kind.cards.bit_count()])
                rows.append(worths)
            rows.reverse()
            self._least.append([[0, *accumulate(row)] for row in rows])
            self._most.append([[0, *accumulate(reversed(row))] for row in rows])

    def reaches(self, total: int, kind: int, room: int, points: int) -> bool:
        least, most = self._least[total][kind], self._most[total][kind]
        return room < len(least) and least[room] <= points <= most[room]


_Like = tuple[tuple[tuple[Cards, ...], ...], tuple[int, ...], Place | None]


def units_of(worlds: Sequence[World]) -> list[Unit]:
    """Group places with the same candidates in every world."""
    joined: dict[_Like, dict[Place, int]] = {}
    made: dict[_Like, tuple[tuple[Pools, ...], tuple[int, ...]]] = {}
    for place in dict.fromkeys(pool.place for world in worlds for pool in world.pools):
        pools = tuple(_pools_at(world, place) for world in worlds)
        totals = tuple(at for at, total in enumerate(worlds[0].totals) if place in total.places)
        plain = all(len(pool.rooms) == 1 for pool in pools)
        like = (tuple(pool.candidates for pool in pools), totals, None if plain else place)
        joined.setdefault(like, {})[place] = sum(pools[0].rooms)
        made[like] = pools, totals
    units: list[Unit] = []
    for like, sizes in joined.items():
        pools, totals = made[like]
        if len(sizes) > 1:
            whole = (sum(sizes.values()),)
            pools = tuple(pool._replace(rooms=whole) for pool in pools)
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
    """Group the unseen cards by where they may be, those with the fewest units first."""
    world = worlds[0]
    alike: dict[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]], Cards] = {}
    for card in bit_numbers(world.unseen):
        may = tuple(
            tuple(candidates >> card & 1 for pool in unit.pools for candidates in pool.candidates)
            for unit in units
        )
        worth = tuple(total.values[card] for total in world.totals)
        alike[may, worth] = alike.get((may, worth), 0) | 1 << card
    kinds: list[CardKind] = []
    for (may, worth), cards in alike.items():
        fits = tuple(unit for unit, mask in enumerate(may) if any(mask))
        kinds.append(CardKind(cards, worth, fits))
    kinds.sort(key=lambda kind: (len(kind.units), kind.cards.bit_count()))
    return kinds


class _Filling:
    """A deterministic automaton, built lazily, that fills the pools of a unit in one world.

    A state is the set of all ways in which the cards so far can be matched to the pools.
    """

    def __init__(self, pools: Pools, kinds: Sequence[CardKind]) -> None:
        inside = [[bool(may & kind.cards) for may in pools.candidates] for kind in kinds]
        self._inside = inside  # per kind, per pool: whether it can have such cards
        self._last = [  # per pool: the last kind that it can have
            max((at for at, mask in enumerate(inside) if mask[pool]), default=_DEAD)
            for pool in range(len(pools.rooms))
        ]
        self._states = [frozenset([pools.rooms])]
        self._numbers = {self._states[0]: 0}
        self._next: dict[tuple[int, int, int], int] = {}

    def next_state(self, state: int, kind: int, count: int) -> int:
        """Return the state after `count` cards of a kind; `_DEAD` if they do not fit."""
        found = self._next.get((state, kind, count))
        if found is None:
            after = self._states_after(self._states[state], kind, count)
            if after and after not in self._numbers:
                self._numbers[after] = len(self._states)
                self._states.append(after)
            found = self._next[state, kind, count] = self._numbers.get(after, _DEAD)
        return found

    def room(self, state: int) -> int:
        return sum(next(iter(self._states[state])))

    def _states_after(
        self, rooms: frozenset[tuple[int, ...]], kind: int, count: int
    ) -> frozenset[tuple[int, ...]]:
        """Return the possible rooms of the pools after they were dealt cards of a kind."""
        for pool, may in enumerate(self._inside[kind]):
            if may and sum(self._inside[kind]) == 1:
                rooms = frozenset(
                    _with_less_room(room, pool, count) for room in rooms if room[pool] >= count
                )
                count = 0
        if count:
            rooms = self._distribute(rooms, kind, count)
        ended = [pool for pool, last in enumerate(self._last) if last <= kind]
        return frozenset(room for room in rooms if not any(room[pool] for pool in ended))

    def _distribute(
        self, rooms: frozenset[tuple[int, ...]], kind: int, count: int
    ) -> frozenset[tuple[int, ...]]:
        """Return the rooms left after cards of a kind went, one by one, to any pool with room."""
        able = [pool for pool, may in enumerate(self._inside[kind]) if may]
        for _ in range(count):
            rooms = frozenset(
                _with_less_room(room, pool, 1) for room in rooms for pool in able if room[pool]
            )
        return rooms


def _with_less_room(rooms: tuple[int, ...], pool: int, count: int) -> tuple[int, ...]:
    return (*rooms[:pool], rooms[pool] - count, *rooms[pool + 1 :])


State = tuple[tuple[tuple[int, ...] | None, ...], tuple[int, ...], int]


class _Edge(NamedTuple):
    """A transition: `given` cards of a kind are dealt to a unit, in `ways` ways."""

    source: State
    target: State
    ways: int
    given: int


class _Count:
    """One count: a forward pass over the kinds and, for the shares, a backward pass."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self._first = worlds[0]
        self._units = units_of(worlds)
        self._kinds = kinds_of(worlds, self._units)
        self._fillings = [
            [_Filling(unit.pools[at], self._kinds) for unit in self._units]
            for at in range(len(worlds))
        ]
        self._steps: list[tuple[int, int, list[_Edge]]] = []
        self._forward: list[dict[State, int]] = []
        self._edges_left = EDGES_MAX
        self.whole = True

    def run(self) -> int:
        empty = tuple(0 for _ in self._units)
        missing = tuple(total.missing(self._first.known) for total in self._first.totals)
        start: State = (tuple(empty for _ in self._fillings), missing, 0)
        now = {start: 1}
        reach = TotalBounds(self._units, self._kinds, len(start[1])) if start[1] else None
        for at, kind in enumerate(self._kinds):
            if reach is not None:
                now = {
                    state: ways
                    for state, ways in now.items()
                    if self._within_bounds(reach, at, state)
                }
            size = kind.cards.bit_count()
            now = {(filled, missing, size): ways for (filled, missing, _), ways in now.items()}
            for unit in kind.units:
                now = self._step(now, at, unit)
        ends = {state: ways for state, ways in now.items() if not any(state[1])}
        orders = prod(
            factorial(unit.size) // prod(map(factorial, unit.sizes.values()))
            for unit in self._units
        )
        self._ends = ends
        return sum(ends.values()) * orders

    def _within_bounds(self, reach: TotalBounds, kind: int, state: State) -> bool:
        """Return whether the cards left can be worth what each total still lacks."""
        filled, missing, _ = state
        world = next(at for at, states in enumerate(filled) if states is not None)
        states, fillings = filled[world] or (), self._fillings[world]
        return all(
            reach.reaches(
                at,
                kind,
                sum(fillings[unit].room(states[unit]) for unit in reach.counting[at]),
                lacks,
            )
            for at, lacks in enumerate(missing)
        )

    def _step(self, now: Mapping[State, int], kind: int, unit: int) -> dict[State, int]:
        """Deal cards of a kind to a unit; return the states reached, each in how many ways."""
        after: dict[State, int] = {}
        edges: list[_Edge] = []
        is_last_unit = unit == self._kinds[kind].units[-1]
        if self._edges_left <= 0:
            now, self.whole = self._most_frequent(now), False
        size = self._units[unit].size
        for source, ways in now.items():
            left = source[2]
            if len(edges) * len(self._fillings) > max(self._edges_left, BEAM_EDGES):
                self.whole = False
                break
            for count in range(left if is_last_unit else 0, min(left, size) + 1):
                target = self._target(source, kind, unit, count)
                if target is not None:
                    chosen = comb(left, count)
                    after[target] = after.get(target, 0) + ways * chosen
                    edges.append(_Edge(source, target, chosen, count))
        self._edges_left -= len(edges) * len(self._fillings)
        self._steps.append((kind, unit, edges))
        self._forward.append(dict(now))
        return after

    def _most_frequent(self, now: Mapping[State, int]) -> dict[State, int]:
        steps = sum(len(kind.units) for kind in self._kinds) - len(self._steps)
        width = max(1, BEAM_EDGES // (2 * steps * len(self._fillings)))
        return dict(nlargest(width, now.items(), key=lambda item: item[1]))

    def _target(self, source: State, kind: int, unit: int, count: int) -> State | None:
        """Return the state after a unit was dealt cards of a kind; None if no world allows it."""
        filled, missing, left = source
        after: list[tuple[int, ...] | None] = []
        for fillings, states in zip(self._fillings, filled, strict=True):
            state = (
                _DEAD if states is None else fillings[unit].next_state(states[unit], kind, count)
            )
            alive = states is not None and state != _DEAD
            after.append((*states[:unit], state, *states[unit + 1 :]) if alive and states else None)
        if not any(after):
            return None
        worth, counting = self._kinds[kind].worth, self._units[unit].totals
        if count and counting:
            missing = tuple(
                lacks - count * worth[at] if at in counting else lacks
                for at, lacks in enumerate(missing)
            )
        return tuple(after), missing, left - count

    def shares(self) -> list[KindShares]:
        every = sum(self._ends.values())
        back: dict[State, int] = dict.fromkeys(self._ends, 1)
        shares_of_kinds: list[dict[Place, Fraction]] = [{} for _ in self._kinds]
        for number in reversed(range(len(self._steps))):
            kind, unit, edges = self._steps[number]
            if unit == self._kinds[kind].units[-1]:  # no card of the next kind is dealt yet
                back = {(filled, missing, 0): ways for (filled, missing, _), ways in back.items()}
            ways_before = self._forward[number]
            before: dict[State, int] = {}
            given = 0
            for source, target, ways, count in edges:
                onward = ways * back.get(target, 0)
                if onward:
                    before[source] = before.get(source, 0) + onward
                    given += ways_before[source] * onward * count
            back = before
            if given:
                where = self._units[unit]
                whole = every * where.size * self._kinds[kind].cards.bit_count()
                for place, size in where.sizes.items():
                    shares_of_kinds[kind][place] = Fraction(given * size, whole)
        return [
            KindShares(kind.cards, at)
            for kind, at in zip(self._kinds, shares_of_kinds, strict=True)
        ]
