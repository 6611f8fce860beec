"""Whether promised totals can be made: counted hands and revealed rows, all together. Exact.

Tokens that may have the same faces and count for the same totals are one group; faces that are
worth the same and may be had by the same groups are one kind. A face is left to a group only where
some deal gives it one (Régin 1994: both lie in one strongly connected part of the matching); groups
that may have every face of their part take whatever the picky ones leave.
Faces are shared out kind by kind, the tightest total first and as evenly as its worth allows;
bounds cut what cannot reach the totals, and what once failed is not tried again.
"""

from collections.abc import Iterable
from typing import NamedTuple

from domain.inference.worlds import Total, World
from domain.table.cards import Cards, places

Left = tuple[int, ...]  # how many faces of each kind are left
Missing = tuple[int, ...]  # what each total still lacks


class _Group(NamedTuple):
    """So many tokens that may have the same faces and count for the same totals.

    `picky`: they may not have every face of their part of the matching.
    """

    totals: tuple[int, ...]
    candidates: Cards
    tokens: int
    picky: bool


class _Kind(NamedTuple):
    """Faces worth the same (`worth` by total) that the same groups may have."""

    worth: tuple[int, ...]
    fits: frozenset[int]


def possible(world: World) -> bool:
    """Tell whether some deal that fits the world makes every promised total."""
    promised = {(total.places, total.values): total for total in world.totals}
    if any(promised[total.places, total.values] != total for total in world.totals):
        return False
    once = world._replace(totals=tuple(promised.values()))
    missing = tuple(total.worth - _known(once, total) for total in once.totals)
    search = _Search(once, _tightest_first(once, _groups(once), missing))
    return search.made(0, missing, search.faces)


def _known(world: World, total: Total) -> int:
    return sum(
        total.values[card] for place in total.places for card in places(world.known.get(place, 0))
    )


def _groups(world: World) -> list[_Group]:
    held: dict[tuple[tuple[int, ...], Cards], Cards] = {}
    for pool in world.pools:
        totals = tuple(i for i, total in enumerate(world.totals) if pool.place in total.places)
        key = (totals, pool.candidates & world.unseen)
        held[key] = held.get(key, 0) | pool.assignment
    parts = _parts([candidates for _, candidates in held], list(held.values()))
    tokens: dict[tuple[tuple[int, ...], Cards, bool], int] = {}
    for ((totals, candidates), assignment), part in zip(held.items(), parts, strict=True):
        key_in_part = (totals, candidates & part, bool(part & ~candidates))
        tokens[key_in_part] = tokens.get(key_in_part, 0) + assignment.bit_count()
    return [
        _Group(totals, candidates, count, picky)
        for (totals, candidates, picky), count in tokens.items()
    ]


def _parts(candidates: list[Cards], assignment: list[Cards]) -> list[Cards]:
    if len(set(candidates)) == 1:  # every part is the whole
        return candidates
    reached = [_reached(start, candidates, assignment) for start in range(len(candidates))]
    parts: list[Cards] = []
    for one, reach in enumerate(reached):
        part = assignment[one]
        for other in reach:
            if one in reached[other]:
                part |= assignment[other]
        parts.append(part)
    return parts


def _reached(start: int, candidates: list[Cards], assignment: list[Cards]) -> set[int]:
    reach, frontier = {start}, [start]
    for group in frontier:
        for other, held in enumerate(assignment):
            if other not in reach and candidates[group] & held:
                reach.add(other)
                frontier.append(other)
    return reach


def _tightest_first(world: World, groups: list[_Group], missing: Missing) -> list[_Group]:
    tightness = {
        index: _tightness(world, groups, index, lacks) for index, lacks in enumerate(missing)
    }
    return sorted(
        groups, key=lambda group: (not group.totals, [tightness[i] for i in group.totals])
    )


def _tightness(world: World, groups: list[_Group], index: int, lacks: int) -> tuple[float, int]:
    values = sorted(world.totals[index].values[card] for card in places(world.unseen))
    count = sum(group.tokens for group in groups if index in group.totals)
    if not count:
        return (0.0, index)
    least, most = sum(values[:count]), sum(values[len(values) - count :])
    return (min(lacks - least, most - lacks) / count, index)


class _Search:
    """One search; `_failed` remembers what led nowhere."""

    def __init__(self, world: World, groups: list[_Group]) -> None:
        self._groups = groups
        self._kinds, self.faces = self._sorted_kinds(world)
        self._own = [  # per group: the kinds it may have, most worth first
            [k for k, kind in enumerate(self._kinds) if at in kind.fits]
            for at in range(len(groups))
        ]
        self._ranked_alike = len({total.values for total in world.totals}) == 1
        self._alike = self._ranked_alike and all(len(group.totals) <= 1 for group in groups)
        self._after = [  # per group: tokens that count, per total, in the groups from it on
            tuple(
                sum(group.tokens for group in groups[at:] if index in group.totals)
                for index in range(len(world.totals))
            )
            for at in range(len(groups) + 1)
        ]
        self._failed: set[tuple[int, Missing, Left, int, int]] = set()
        self._floor = tuple(
            min((kind.worth[index] for kind in self._kinds), default=0)
            for index in range(len(world.totals))
        )
        self._sums: dict[tuple[int, int, int], int] = {}

    def _sorted_kinds(self, world: World) -> tuple[list[_Kind], Left]:
        counts: dict[_Kind, int] = {}
        for card in places(world.unseen):
            worth = tuple(total.values[card] for total in world.totals)
            fits = frozenset(
                i for i, group in enumerate(self._groups) if group.candidates >> card & 1
            )
            kind = _Kind(worth, fits)
            counts[kind] = counts.get(kind, 0) + 1
        kinds = sorted(counts, key=lambda kind: kind.worth, reverse=True)
        return kinds, tuple(counts[kind] for kind in kinds)

    def made(self, at: int, missing: Missing, left: Left) -> bool:
        """Fill the groups from `at` on."""
        if at == len(self._groups) or not self._groups[at].totals:
            return not any(missing) and self._fills(at, left)
        if not self._fills(at, left):
            return False
        return self._given(at, self._groups[at].tokens, missing, left, 0)

    def _given(self, at: int, count: int, missing: Missing, left: Left, first: int) -> bool:
        """Give the last `count` tokens of a group faces of the kinds from `first` on."""
        if not count:
            return self.made(at + 1, missing, left)
        key = (at, missing, left, count, first)
        if key in self._failed or not self._within(at, count, missing, left, first):
            return False
        totals = self._groups[at].totals
        main = totals[0]
        above = missing[main] - self._floor[main] * (count + self._after[at + 1][main])
        if above < 0 or not self._sums_from(at, first, count) >> above & 1:
            return False
        average = missing[main] / (count + self._after[at + 1][main])
        kinds = [k for k in self._own[at] if k >= first and left[k]]
        kinds.sort(key=lambda k: abs(self._kinds[k].worth[main] - average))
        for k in kinds:
            worth = self._kinds[k].worth
            less = tuple(
                lacks - worth[index] if index in totals else lacks
                for index, lacks in enumerate(missing)
            )
            rest = (*left[:k], left[k] - 1, *left[k + 1 :])
            if self._given(at, count - 1, less, rest, k):
                return True
        self._failed.add(key)
        return False

    def _sums_from(self, at: int, first: int, count: int) -> int:
        """Return, a bit each, what the tokens of a total left could be worth above the least.

        They are the last `count` of a group, of the kinds from `first` on, and those of later
        groups; each group has the faces to itself, so this only tells what cannot be.
        """
        main = self._groups[at].totals[0]
        while first and self._kinds[first - 1].worth[main] == self._kinds[first].worth[main]:
            first -= 1
        key = (at, first, count)
        if key not in self._sums:
            sums = self._own_sums(at, first, count, main)
            for later in range(at + 1, len(self._groups)):
                if main in self._groups[later].totals:
                    tokens = self._groups[later].tokens
                    sums = _added(sums, self._own_sums(later, 0, tokens, main))
            self._sums[key] = sums
        return self._sums[key]

    def _own_sums(self, at: int, first: int, count: int, main: int) -> int:
        """Return what `count` tokens of one group could be worth above the least, a bit each."""
        there: dict[int, int] = {}
        for k in self._own[at]:
            if k >= first:
                step = self._kinds[k].worth[main] - self._floor[main]
                there[step] = there.get(step, 0) + self.faces[k]
        rows = [1, *[0] * count]  # by how many tokens
        for step, number in there.items():
            for tokens in range(count, 0, -1):
                for some in range(1, min(number, tokens) + 1):
                    rows[tokens] |= rows[tokens - some] << step * some
        return rows[count]

    def _within(self, at: int, count: int, missing: Missing, left: Left, first: int) -> bool:
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
        return not self._alike or self._together(at, count, missing, left)

    def _ranked(self, index: int, kinds: list[int]) -> list[int]:
        return sorted(kinds, key=lambda k: self._kinds[k].worth[index], reverse=True)

    def _together(self, at: int, count: int, missing: Missing, left: Left) -> bool:
        """Tell whether no totals lack more, or less, than that many of the faces left are worth.

        The totals that lack most a token are held against the faces worth most, the most first,
        and those that lack least against those worth least: no other totals can fail before.
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

    def _fills(self, at: int, left: Left) -> bool:
        """Tell whether the faces left can be had by the groups from `at` on.

        Those that are not picky take whatever the picky ones leave of their part.
        """
        picky = [group for group in range(at, len(self._groups)) if self._groups[group].picky]
        if not picky:
            return True
        given: list[dict[int, int]] = [{} for _ in self._kinds]  # per kind: group → how many
        free = list(left)
        for group in sorted(picky, key=lambda one: len(self._own[one])):
            tokens = self._groups[group].tokens
            for k in self._own[group]:
                taken = min(tokens, free[k])
                if taken:
                    given[k][group] = taken
                    free[k] -= taken
                    tokens -= taken
            if not all(self._augment(group, given, free, set()) for _ in range(tokens)):
                return False
        return True

    def _augment(
        self, group: int, given: list[dict[int, int]], free: list[int], tried: set[int]
    ) -> bool:
        for k in self._own[group]:
            if k in tried:
                continue
            tried.add(k)
            if free[k]:
                free[k] -= 1
            else:
                other = next(
                    (
                        one
                        for one, held in given[k].items()
                        if held and self._augment(one, given, free, tried)
                    ),
                    None,
                )
                if other is None:
                    continue
                given[k][other] -= 1
            given[k][group] = given[k].get(group, 0) + 1
            return True
        return False


def _added(sums: int, others: int) -> int:
    """Return every sum of one of `sums` and one of `others`, a bit each."""
    found = 0
    for place in places(others):
        found |= sums << place
    return found
