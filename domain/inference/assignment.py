"""Sharing sightings out to lots so that nothing is short.

In theory that is as hard as any timetable, at a table it is easy. Few changes are tried before
many, by iterative deepening (Korf 1985): that finds nearly every answer. Answers that take many
changes are found by tabu search: one after another where it hurts least, and none back soon after
(Glover 1989). That there is no answer is proved by backtracking: what is short is taken to its end,
what least can mend first (fail-first, Haralick and Elliott 1980), where it hurts least first
(min-conflicts, Minton, Johnston, Philips and Laird 1992). The answer is what the sightings are put
down to in the end.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from domain.inference.sightings import Sightings, SightingShare

# How many changes are tried each way, and if that does not tell, each way again; and for totals.
EFFORTS, TRIES_MAX = (100, 1_000), 5_000
DEEPEST = 60  # changes made at once
# For how many steps no sighting goes back to a lot it left: one number after another, so that no
# going round in circles lasts. What was changed often must mend more: `OFTEN` changes for one.
RESTS, STEPS_ALIKE, OFTEN = (2, 3, 4), 50, 5

Shares = tuple[SightingShare, ...]


def settle(sightings: Sightings, hopeless: Callable[[], bool] = lambda: False) -> bool | None:
    """Find the last sighting, which is in no lot, its lot, and others theirs anew.

    False: that cannot be, whatever lots they are put down to. None: no way was found. `hopeless` is
    asked before there is more effort, and may tell that it cannot be.
    """
    for tries in EFFORTS:
        if tries != EFFORTS[0] and hopeless():
            return False
        settled = FewChanges(sightings, tries).settled()
        if settled is None:
            settled = _tabu_search(sightings, tries)
        if settled is None:
            settled = _Proof(sightings, tries).settled()
        if settled is not None:
            return settled
    return None


class FewChanges:
    """One search by few changes before many, as far as so many `tries` go.

    `free`: the sightings that may be changed though nothing is short, in this order. Where a search
    is left, the sightings stay as they were shared out last.
    """

    def __init__(self, sightings: Sightings, tries: int, free: Sequence[int] = ()) -> None:
        self._all = sightings
        self._tries = tries
        self._free = free
        self._cut = True  # more changes might find more
        self._kept: set[int] = set()  # these stay where they are

    @property
    def exhausted(self) -> bool:
        """Whether all there is has been found."""
        return not self._cut and self._tries > 0

    def settled(self) -> bool | None:
        """Find a lot for the last sighting; False: there is none; None: out of tries."""
        last = len(self._all.lot) - 1
        for _ in self._ways([last]):
            return True
        return False if self.exhausted else None

    def ways(self) -> Iterator[None]:
        """Yield whenever the sightings are shared out in another way that is short of nothing."""
        return self._ways(self._free)

    def _ways(self, first: Sequence[int]) -> Iterator[None]:
        changes = 0
        while self._cut and self._tries > 0:
            self._cut, changes = False, changes + 1
            yield from self._changed(first, (), changes)

    def _changed(self, some: Sequence[int], short: Shares, changes: int) -> Iterator[None]:
        """Change the lot of one of some sightings, and of others so that nothing is short."""
        sightings = self._all
        for number in some:
            self._kept.add(number)  # in what is tried after it, it stays where it is
            before = sightings.lot[number]
            for lot in sightings.others(number):
                self._tries -= 1
                if changes == 1 and sightings.short_of(number, lot):
                    self._cut = True
                    continue
                sightings.put(number, lot)
                yield from self._mended((*short, sightings.share(number)), changes - 1)
                sightings.put(number, before)
        self._kept.difference_update(some)

    def _mended(self, short: Shares, changes: int) -> Iterator[None]:
        wanting, short = _wanting(self._all, short, self._kept)
        if not changes:
            self._cut = self._cut or bool(wanting or self._free)
            if not wanting:
                yield
        elif self._tries > 0:
            free = () if wanting else [one for one in self._free if one not in self._kept]
            movable = min(wanting, key=len) if wanting else free
            if changes == 1 and len(wanting) > 1:  # one change has to mend all
                self._cut = True
                movable = [one for one in movable if all(one in takers for takers in wanting)]
            yield from self._changed(movable, short, changes)


class _Proof:
    """One search that mends whatever is short to the end, as far as so many `tries` go."""

    def __init__(self, sightings: Sightings, tries: int) -> None:
        self._all = sightings
        self._tries = tries
        self._cut = False  # something was left untried
        self._kept: set[int] = set()

    def settled(self) -> bool | None:
        """Find a lot for the last sighting; False: there is none; None: out of tries."""
        if self._mended([len(self._all.lot) - 1], (), DEEPEST):
            return True
        return None if self._cut else False

    def _mended(self, some: Sequence[int], short: Shares, changes: int) -> bool:
        sightings = self._all
        for number in some:
            self._kept.add(number)
            before = sightings.lot[number]
            for lot in self._least_first(number):
                if self._tries <= 0 or not changes:
                    self._cut = True
                    break
                self._tries -= 1
                sightings.put(number, lot)
                shares = (*short, sightings.share(number))
                wanting, still = _wanting(sightings, shares, self._kept)
                if not wanting or self._mended(min(wanting, key=len), still, changes - 1):
                    return True
                sightings.put(number, before)
        self._kept.difference_update(some)
        return False

    def _least_first(self, number: int) -> list[int]:
        lots = self._all.others(number)
        return sorted(lots, key=lambda lot: self._all.short_of(number, lot))


def _wanting(
    sightings: Sightings, shares: Shares, kept: Collection[int] = ()
) -> tuple[list[list[int]], Shares]:
    """List, for all that is short, who could give it, those `kept` aside; and what is short."""
    wanting: list[list[int]] = []
    still: list[SightingShare] = []
    for share in dict.fromkeys(shares):
        if found := sightings.short(share):
            wanting += [[one for one in takers if one not in kept] for takers in found]
            still.append(share)
    return wanting, tuple(still)


def _tabu_search(sightings: Sightings, steps: int) -> bool | None:
    """Change what hurts least, so many times; true: nothing is short any more.

    A tabu search (Glover 1989): a change is not undone for some steps (`RESTS`), and what was
    changed often must mend more. If something stays short, every sighting is back in its lot.
    """
    before = list(sightings.lot)
    last = len(before) - 1
    rests: dict[tuple[int, int], int] = {}
    often = [0] * len(before)
    sightings.put(last, min(sightings.others(last), key=lambda lot: sightings.short_of(last, lot)))
    short: Shares = (sightings.share(last),)
    for step in range(steps):
        wanting, short = _wanting(sightings, short)
        if not wanting:
            return True
        mends = Counter([number for takers in wanting for number in takers])
        changes = [
            (OFTEN * (sightings.short_of(number, lot) - mended) + often[number], -number, -lot)
            for number, mended in mends.items()
            for lot in sightings.others(number)
            if rests.get((number, lot), 0) <= step
        ]
        if changes:
            _, number, lot = min(changes)
            number, lot = -number, -lot
            rests[number, sightings.lot[number]] = step + RESTS[step // STEPS_ALIKE % len(RESTS)]
            often[number] += 1
            sightings.put(number, lot)
            short = (*short, sightings.share(number))
    for number, lot in enumerate(before):
        sightings.put(number, lot)
    return None
