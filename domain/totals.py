"""Whether promised totals can be made: counted hands and revealed rows, all together. Exact.

Tokens that may have the same faces and count for the same totals are one group; faces that are
worth the same and may be had by the same groups are one kind. Faces are shared out kind by kind,
the tightest total first and as evenly as its worth allows; bounds cut what cannot reach the totals,
and what once failed is not tried again. A last look tells whether the faces left fill the groups
that count for nothing.
"""

from typing import NamedTuple

from domain.cards import Cards, places
from domain.worlds import Total, World

Left = tuple[int, ...]  # how many faces of each kind are left
Missing = tuple[int, ...]  # what each total still lacks


class _Group(NamedTuple):
    """So many tokens that may have the same faces and count for the same totals."""

    totals: tuple[int, ...]
    may: Cards
    tokens: int


class _Kind(NamedTuple):
    """Faces worth the same (`worth` by total) that the same groups may have."""

    worth: tuple[int, ...]
    fits: frozenset[int]


def possible(world: World) -> bool:
    """Tell whether some deal that fits the world makes every promised total."""
    missing = tuple(total.worth - _known(world, total) for total in world.totals)
    search = _Search(world, _groups(world, missing))
    return search.made(0, missing, search.faces)


def _known(world: World, total: Total) -> int:
    """Add up what is known at the places of a total."""
    return sum(
        total.values[card] for place in total.places for card in places(world.known.get(place, 0))
    )


def _groups(world: World, missing: Missing) -> list[_Group]:
    """Put like tokens together; groups that count come first, the tightest totals' first."""
    found: dict[tuple[tuple[int, ...], Cards], int] = {}
    for pool in world.pools:
        totals = tuple(i for i, total in enumerate(world.totals) if pool.place in total.places)
        key = (totals, pool.may & world.unseen)
        found[key] = found.get(key, 0) + pool.holds.bit_count()
    groups = [_Group(totals, may, count) for (totals, may), count in found.items()]
    tightness = {
        index: _tightness(world, groups, index, lacks) for index, lacks in enumerate(missing)
    }
    groups.sort(key=lambda group: (not group.totals, [tightness[i] for i in group.totals]))
    return groups


def _tightness(world: World, groups: list[_Group], index: int, lacks: int) -> tuple[float, int]:
    """Order totals: those far from the middle of what their tokens could be worth come first."""
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
        self._uneven = len({group.may for group in groups}) > 1
        self._alike = len({total.values for total in world.totals}) == 1 and all(
            len(group.totals) <= 1 for group in groups
        )
        self._after = [  # per group: tokens that count, per total, in the groups from it on
            tuple(
                sum(group.tokens for group in groups[at:] if index in group.totals)
                for index in range(len(world.totals))
            )
            for at in range(len(groups) + 1)
        ]
        self._failed: set[tuple[int, Missing, Left, int, int]] = set()

    def _sorted_kinds(self, world: World) -> tuple[list[_Kind], Left]:
        """Put like faces together, most worth first, and count them."""
        counts: dict[_Kind, int] = {}
        for card in places(world.unseen):
            worth = tuple(total.values[card] for total in world.totals)
            fits = frozenset(i for i, group in enumerate(self._groups) if group.may >> card & 1)
            kind = _Kind(worth, fits)
            counts[kind] = counts.get(kind, 0) + 1
        kinds = sorted(counts, key=lambda kind: kind.worth, reverse=True)
        return kinds, tuple(counts[kind] for kind in kinds)

    def made(self, at: int, missing: Missing, left: Left) -> bool:
        """Fill the groups from `at` on."""
        if at == len(self._groups) or not self._groups[at].totals:
            return not any(missing) and (not self._uneven or self._fills(at, left))
        if self._uneven and not self._fills(at, left):
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
        average = missing[main] / (count + self._after[at + 1][main])
        kinds = [k for k in range(first, len(self._kinds)) if left[k] and at in self._kinds[k].fits]
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

    def _within(self, at: int, count: int, missing: Missing, left: Left, first: int) -> bool:
        """Tell whether the totals are in reach of the faces left, each alone and all together."""
        tokens = [
            count * (index in self._groups[at].totals) + self._after[at + 1][index]
            for index in range(len(missing))
        ]
        reach = all(
            self._reaches(index, tokens[index], lacks, left) for index, lacks in enumerate(missing)
        )
        if not reach or not self._alike:
            return reach
        main = self._groups[at].totals[0]
        later = self._after[at + 1][main]
        capped = self._most(main, count, left, first) + self._most(main, later, left, 0)
        return missing[main] <= capped and self._reaches(0, sum(tokens), sum(missing), left)

    def _reaches(self, index: int, tokens: int, lacks: int, left: Left) -> bool:
        """Tell whether so many of the faces left can be worth `lacks` for a total."""
        return self._least(index, tokens, left) <= lacks <= self._most(index, tokens, left, 0)

    def _most(self, index: int, tokens: int, left: Left, first: int) -> int:
        """Add up the faces worth most, of the kinds from `first` on."""
        worth = 0
        for kind, there in zip(self._kinds[first:], left[first:], strict=True):
            taken = min(tokens, there)
            worth += taken * kind.worth[index]
            tokens -= taken
            if not tokens:
                break
        return worth

    def _least(self, index: int, tokens: int, left: Left) -> int:
        """Add up the faces worth least."""
        worth = 0
        for kind, there in zip(reversed(self._kinds), reversed(left), strict=True):
            taken = min(tokens, there)
            worth += taken * kind.worth[index]
            tokens -= taken
            if not tokens:
                break
        return worth

    def _fills(self, at: int, left: Left) -> bool:
        """Tell whether the faces left can be had by the groups from `at` on, kind by kind."""
        given: list[dict[int, int]] = [{} for _ in self._kinds]  # per kind: group → how many
        free = list(left)
        for group in range(at, len(self._groups)):
            lacking = self._groups[group].tokens
            for k, kind in enumerate(self._kinds):
                if free[k] and group in kind.fits:
                    taken = min(free[k], lacking)
                    free[k] -= taken
                    given[k][group] = taken
                    lacking -= taken
            for _ in range(lacking):
                if not self._augment(group, given, free, set()):
                    return False
        return True

    def _augment(
        self, group: int, given: list[dict[int, int]], free: list[int], tried: set[int]
    ) -> bool:
        """Give one more face to a group, moving others' faces on if need be."""
        for k, kind in enumerate(self._kinds):
            if k in tried or group not in kind.fits:
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
