"""A course of values over time, thinned to what a chart can show.

Promises: evenly thinned, in order; the first and the last value are always kept; a course of any
length holds twice as many values as it is told to keep at most.
"""

from typing import Generic, TypeVar

PointT = TypeVar("PointT")

POINTS_KEPT = 60


class Course(Generic[PointT]):
    """Values added one after the other: every one, then every second, fourth and so on."""

    def __init__(self, kept: int = POINTS_KEPT) -> None:
        self._room = 2 * kept
        self._kept: list[PointT] = []
        self._last: list[PointT] = []
        self._step = 1
        self._added = 0

    def add(self, point: PointT) -> None:
        """Add the next value."""
        if self._added % self._step == 0:
            self._kept.append(point)
            self._last.clear()
        else:
            self._last[:] = [point]
        self._added += 1
        if len(self._kept) == self._room:
            self._last = self._kept[-1:]
            self._kept = self._kept[::2]
            self._step *= 2

    def points(self) -> tuple[PointT, ...]:
        """Return what was kept, oldest first."""
        return (*self._kept, *self._last)
