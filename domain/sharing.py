"""Sharing sightings out to lots so that nothing is short.

In theory that is as hard as any timetable, at a table it is easy. Few changes are tried before
many: that finds nearly every answer, and proves that there is none where little can be changed.
Answers that take many changes are found by making one after another where it hurts least, and none
back soon after (Glover 1989). The answer is what the sightings are put down to in the end.
"""

from collections.abc import Iterator, Sequence

from domain.sightings import Share, Sightings

TRIES_FIRST, TRIES_MAX = 1_000, 5_000  # changes looked at before anything else, and in the end
STEPS_MAX = 1_000
# For how many steps no sighting goes back to a lot it left: one number after another, so that no
# going round in circles lasts.
RESTS, STEPS_ALIKE = (2, 3, 4), 50


def settle(sightings: Sightings) -> bool | None:
    """Find the last sighting, which is in no lot, its lot, and others theirs anew.

    False: that cannot be, whatever lots they are put down to. None: no way was found.
    """
    settled = FewChanges(sightings, TRIES_FIRST).settled()
    if settled is not None:
        return settled
    return _wander(sightings) or FewChanges(sightings, TRIES_MAX).settled()


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

    def _changed(
        self, some: Sequence[int], short: tuple[Share, ...], changes: int
    ) -> Iterator[None]:
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

    def _mended(self, short: tuple[Share, ...], changes: int) -> Iterator[None]:
        """Make exactly so many changes more, after which nothing is short."""
        wanting = [takers for share in short for takers in self._all.short(share)]
        if not changes:
            self._cut = self._cut or bool(wanting or self._free)
            if not wanting:
                yield
        elif self._tries > 0:
            candidates = min(wanting, key=len) if wanting else self._free
            movable = [number for number in candidates if number not in self._kept]
            yield from self._changed(movable, short, changes)


def _wander(sightings: Sightings) -> bool:
    """Change what hurts least, over and over; tell whether nothing is short in the end.

    If something is, every sighting is back in its lot.
    """
    before = list(sightings.lot)
    last = len(before) - 1
    rests: dict[tuple[int, int], int] = {}
    often = [0] * len(before)
    sightings.put(last, min(sightings.others(last), key=lambda lot: sightings.short_of(last, lot)))
    short = {sightings.share(last)}
    for step in range(STEPS_MAX):
        takers = {share: sightings.short(share) for share in short}
        short = {share for share, some in takers.items() if some}
        if not short:
            return True
        changes = [
            (sightings.short_of(number, lot), often[number], -number, -lot, number, lot)
            for number in {one for some in takers.values() for each in some for one in each}
            for lot in sightings.others(number)
            if rests.get((number, lot), 0) <= step
        ]
        if changes:
            *_, number, lot = min(changes)
            rests[number, sightings.lot[number]] = step + RESTS[step // STEPS_ALIKE % len(RESTS)]
            often[number] += 1
            sightings.put(number, lot)
            short.add(sightings.share(number))
    for number, lot in enumerate(before):
        sightings.put(number, lot)
    return False
