"""A deal of one world that satisfies all totals, or a proof that there is none."""

from collections.abc import Iterable
from typing import NamedTuple

from domain.inference.worlds import (
    TokenPool,
    World,
    are_contradictory,
    cards_by_place,
    possible_faces,
)
from domain.table.cards import Cards, bit_numbers, lowest

Left = tuple[int, ...]  # per kind: faces left
Missing = tuple[int, ...]  # per total: worth still missing


class _Group(NamedTuple):
    """The tokens of pools with the same candidates and the same totals.

    `is_restricted`: some face of their component is no candidate. Other groups can be
    filled with whatever faces the others leave.
    """

    totals: tuple[int, ...]
    candidates: Cards
    pools: tuple[int, ...]
    tokens: int
    is_restricted: bool


class _Kind(NamedTuple):
    worth: tuple[int, ...]
    fits: frozenset[int]


def solve_totals(world: World) -> World | None:
    """Return the world with a deal that satisfies every total; None: infeasible.

    A backtracking search assigns faces kind by kind, to the tightest total first and near its
    average. Lower and upper bounds prune branches, and failed states are remembered, as in dynamic
    programming for subset sums. Without the bounds one list of the worst games takes 6 seconds;
    without the joint ones the result of a deal of Rami can take minutes.

    >>> from domain.inference.worlds import Total
    >>> pools = (TokenPool(1, 0b111, 0b001), TokenPool(2, 0b111, 0b110))
    >>> world = World(pools, {}, 0b111, (Total(frozenset({1}), (2, 3, 5), 5),))
    >>> [pool.assignment for pool in solve_totals(world).pools]
    [4, 3]
    >>> solve_totals(world._replace(totals=(Total(frozenset({1}), (2, 3, 5), 4),))) is None
    True
    """
    if _meets_totals(world):
        return world
    if are_contradictory(world.totals):
        return None
    once = world._replace(totals=tuple(dict.fromkeys(world.totals)))
    missing = tuple(total.missing(once.known) for total in once.totals)
    search = _Search(once, _tightest_first(once, _groups(once), missing))
    if not search.solve(0, missing, search.faces):
        return None
    return world._replace(pools=search.assign_pools(world.pools))


def _meets_totals(world: World) -> bool:
    deal = cards_by_place(world) if world.totals else {}
    return not any(total.missing(deal) for total in world.totals)


def _groups(world: World) -> list[_Group]:
    """Group the pools by totals and candidates, without candidates that no deal allows."""
    pools_like: dict[tuple[tuple[int, ...], Cards], list[int]] = {}
    for at, pool in enumerate(world.pools):
        totals = tuple(i for i, total in enumerate(world.totals) if pool.place in total.places)
        pools_like.setdefault((totals, pool.candidates & world.unseen), []).append(at)
    assigned = [sum(world.pools[at].assignment for at in pools) for pools in pools_like.values()]
    components = possible_faces([candidates for _, candidates in pools_like], assigned)
    joined: dict[tuple[tuple[int, ...], Cards, bool], list[int]] = {}
    for ((totals, candidates), pools), faces in zip(pools_like.items(), components, strict=True):
        key = (totals, candidates & faces, bool(faces & ~candidates))
        joined.setdefault(key, []).extend(pools)
    return [
        _Group(
            totals,
            candidates,
            tuple(pools),
            sum(world.pools[at].assignment.bit_count() for at in pools),
            picky,
        )
        for (totals, candidates, picky), pools in joined.items()
    ]


def _tightest_first(world: World, groups: list[_Group], missing: Missing) -> list[_Group]:
    tightness = {
        index: _tightness(world, groups, index, lacks) for index, lacks in enumerate(missing)
    }
    return sorted(
        groups, key=lambda group: (not group.totals, [tightness[i] for i in group.totals])
    )


def _tightness(world: World, groups: list[_Group], index: int, lacks: int) -> tuple[float, int]:
    """Return how little room a total has per token; the lower, the tighter."""
    values = sorted(world.totals[index].values[card] for card in bit_numbers(world.unseen))
    count = sum(group.tokens for group in groups if index in group.totals)
    if not count:
        return (0.0, index)
    least, most = sum(values[:count]), sum(values[len(values) - count :])
    return (min(lacks - least, most - lacks) / count, index)


class _Search:
    def __init__(self, world: World, groups: list[_Group]) -> None:
        self._groups = groups
        self._chosen: list[tuple[int, int]] = []  # the group and kind of each face assigned
        self._kinds, self._faces_of = self._sorted_kinds(world)
        self.faces: Left = tuple(faces.bit_count() for faces in self._faces_of)
        self._own = [  # per group: its kinds, the highest worth first
            [k for k, kind in enumerate(self._kinds) if at in kind.fits]
            for at in range(len(groups))
        ]
        self._ranked_alike = len({total.values for total in world.totals}) == 1
        self._alike = self._ranked_alike and all(len(group.totals) <= 1 for group in groups)
        self._after = [  # per group, per total: tokens of the groups from it on
            tuple(
                sum(group.tokens for group in groups[at:] if index in group.totals)
                for index in range(len(world.totals))
            )
            for at in range(len(groups) + 1)
        ]
        self._failed: set[tuple[int, Missing, Left, int, int]] = set()

    def _sorted_kinds(self, world: World) -> tuple[list[_Kind], list[Cards]]:
        alike: dict[_Kind, Cards] = {}
        for card in bit_numbers(world.unseen):
            worth = tuple(total.values[card] for total in world.totals)
            fits = frozenset(
                i for i, group in enumerate(self._groups) if group.candidates >> card & 1
            )
            kind = _Kind(worth, fits)
            alike[kind] = alike.get(kind, 0) | 1 << card
        kinds = sorted(alike, key=lambda kind: kind.worth, reverse=True)
        return kinds, [alike[kind] for kind in kinds]

    def solve(self, at: int, missing: Missing, left: Left) -> bool:
        """Assign faces to the groups from `at` on; return whether all totals are met."""
        if at == len(self._groups) or not self._groups[at].totals:
            return not any(missing) and self._can_fill(at, left)
        if not self._can_fill(at, left):
            return False
        return self._assign(at, self._groups[at].tokens, missing, left, 0)

    def _assign(self, at: int, count: int, missing: Missing, left: Left, first: int) -> bool:
        """Give the group `at` more faces, of kinds from `first` on, then all later groups."""
        if not count:
            return self.solve(at + 1, missing, left)
        key = (at, missing, left, count, first)
        if key in self._failed or not self._within_bounds(at, count, missing, left, first):
            return False
        totals = self._groups[at].totals
        main = totals[0]
        average = missing[main] / (count + self._after[at + 1][main])
        kinds = [k for k in self._own[at] if k >= first and left[k]]
        kinds.sort(key=lambda k: abs(self._kinds[k].worth[main] - average))
        for k in kinds:
            worth = self._kinds[k].worth
            still_missing = tuple(
                lacks - worth[index] if index in totals else lacks
                for index, lacks in enumerate(missing)
            )
            rest = (*left[:k], left[k] - 1, *left[k + 1 :])
            self._chosen.append((at, k))
            if self._assign(at, count - 1, still_missing, rest, k):
                return True
            self._chosen.pop()
        self._failed.add(key)
        return False

    def _within_bounds(self, at: int, count: int, missing: Missing, left: Left, first: int) -> bool:
        """Return whether the faces left can be worth what each total misses."""
        least, most = [0] * len(missing), [0] * len(missing)
        for later in range(at, len(self._groups)):
            totals = self._groups[later].totals
            if not totals:
                break
            here = later == at
            own = [k for k in self._own[later] if not here or k >= first]
            tokens = count if here else self._groups[later].tokens
            for index in totals:
                ranked = own if self._ranked_alike else self._ranked(index, own)
                least[index] += self._worth(index, tokens, left, reversed(ranked))
                most[index] += self._worth(index, tokens, left, ranked)
        if any(
            not low <= lacks <= high for low, lacks, high in zip(least, missing, most, strict=True)
        ):
            return False
        return not self._alike or self._within_joint_bounds(at, count, missing, left)

    def _ranked(self, index: int, kinds: list[int]) -> list[int]:
        return sorted(kinds, key=lambda k: self._kinds[k].worth[index], reverse=True)

    def _within_joint_bounds(self, at: int, count: int, missing: Missing, left: Left) -> bool:
        """Return whether the faces left can satisfy any set of totals together, by worth alone.

        The totals that need the most per token are compared with the faces worth most, and those
        that need the least with the faces worth least: no other set of totals exceeds a bound
        before these.
        """
        here = self._groups[at].totals
        rows = [
            (lacks, tokens + count * (index in here))
            for index, (lacks, tokens) in enumerate(zip(missing, self._after[at + 1], strict=True))
        ]
        rows = sorted((row for row in rows if row[1]), key=lambda row: row[0] / row[1])
        kinds = range(len(self._kinds))
        lacking = tokens = 0
        for lacks, more in rows:
            lacking, tokens = lacking + lacks, tokens + more
            if lacking < self._worth(0, tokens, left, reversed(kinds)):
                return False
        lacking = tokens = 0
        for lacks, more in reversed(rows):
            lacking, tokens = lacking + lacks, tokens + more
            if lacking > self._worth(0, tokens, left, kinds):
                return False
        return True

    def _worth(self, index: int, tokens: int, left: Left, kinds: Iterable[int]) -> int:
        worth = 0
        for k in kinds:
            taken = min(tokens, left[k])
            worth += taken * self._kinds[k].worth[index]
            tokens -= taken
            if not tokens:
                break
        return worth

    def _can_fill(self, at: int, left: Left) -> bool:
        picky = [
            group for group in range(at, len(self._groups)) if self._groups[group].is_restricted
        ]
        return self._match(picky, left) is not None

    def _match(self, groups: list[int], left: Left) -> list[dict[int, int]] | None:
        """Match faces to all tokens of some groups along augmenting paths (Berge 1957).

        Return, for each kind, the number of faces of each group; None if there is no such matching.
        """
        given: list[dict[int, int]] = [{} for _ in self._kinds]
        free = list(left)
        for group in sorted(groups, key=lambda key: len(self._own[key])):
            tokens = self._groups[group].tokens
            for k in self._own[group]:
                taken = min(tokens, free[k])
                if taken:
                    given[k][group] = taken
                    free[k] -= taken
                    tokens -= taken
            if not all(self._augment(group, given, free, set()) for _ in range(tokens)):
                return None
        return given

    def assign_pools(self, pools: tuple[TokenPool, ...]) -> tuple[TokenPool, ...]:
        """Return the pools with the faces chosen by the search, and a matching of the rest."""
        left = list(self.faces)
        for _, k in self._chosen:
            left[k] -= 1
        rest = [at for at, group in enumerate(self._groups) if not group.totals]
        given = self._match(rest, tuple(left))
        if given is None:
            raise AssertionError("the search ends only where the rest can be matched")
        for group, k in self._chosen:
            given[k][group] = given[k].get(group, 0) + 1
        faces_of = [0] * len(self._groups)
        for faces, by_group in zip(self._faces_of, given, strict=True):
            left_of = faces
            for group, number in by_group.items():
                taken = lowest(left_of, number)
                left_of ^= taken
                faces_of[group] |= taken
        dealt = list(pools)
        for faces, target in zip(faces_of, self._groups, strict=True):
            left_of = faces
            for at in target.pools:
                taken = lowest(left_of, pools[at].assignment.bit_count())
                left_of ^= taken
                dealt[at] = pools[at]._replace(assignment=taken)
        return tuple(dealt)

    def _augment(
        self, group: int, given: list[dict[int, int]], free: list[int], tried: set[int]
    ) -> bool:
        """Give the group one more face, if need be one that another group can replace."""
        for k in self._own[group]:
            if k in tried:
                continue
            tried.add(k)
            if free[k]:
                free[k] -= 1
            else:
                other = next(
                    (
                        group
                        for group, held in given[k].items()
                        if held and self._augment(group, given, free, tried)
                    ),
                    None,
                )
                if other is None:
                    continue
                given[k][other] -= 1
            given[k][group] = given[k].get(group, 0) + 1
            return True
        return False
