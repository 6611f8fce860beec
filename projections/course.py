"""A course of values over time, thinned to what a chart can show."""

from typing import Generic, TypeVar

from msgspec import Struct, field

PointT = TypeVar("PointT")

POINTS_KEPT = 60


class Course(Struct, Generic[PointT], array_like=True):
    """Values added one after the other: every one, then every second, fourth and so on."""

    kept: int = POINTS_KEPT
    _kept: list[PointT] = field(default_factory=list[PointT])
    _last: list[PointT] = field(default_factory=list[PointT])
    _step: int = 1
    _added: int = 0

    def add(self, point: PointT) -> None:
        """Add the next value."""
        if self._added % self._step == 0:
            self._kept.append(point)
            self._last.clear()
        else:
            self._last[:] = [point]
        self._added += 1
        if len(self._kept) == 2 * self.kept:
            self._last = self._kept[-1:]
            self._kept = self._kept[::2]
            self._step *= 2

    def points(self) -> tuple[PointT, ...]:
        """Return what was kept, oldest first."""
        return (*self._kept, *self._last)

    def copied(self) -> "Course[PointT]":
        """Return a copy."""
        return Course(self.kept, self._kept[:], self._last[:], self._step, self._added)
