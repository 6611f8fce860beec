"""A series of values over time, thinned to the resolution of a chart."""

from typing import Generic, TypeVar

from msgspec import Struct, field

PointT = TypeVar("PointT")

COURSE_VALUES_MAX = 60


class Course(Struct, Generic[PointT], array_like=True):
    """A series that keeps every value, then every second, fourth and so on.

    >>> course = Course[int](2)
    >>> for value in range(6):
    ...     course.add(value)
    >>> course.points()
    (0, 2, 4, 5)
    """

    values_max: int = COURSE_VALUES_MAX
    _kept: list[PointT] = field(default_factory=list[PointT])
    _last: list[PointT] = field(default_factory=list[PointT])
    _step: int = 1
    _added: int = 0

    def add(self, point: PointT) -> None:
        if self._added % self._step == 0:
            self._kept.append(point)
            self._last.clear()
        else:
            self._last[:] = [point]
        self._added += 1
        is_full = len(self._kept) == 2 * self.values_max
        if is_full:
            self._last = self._kept[-1:]
            self._kept = self._kept[::2]
            self._step *= 2

    def points(self) -> tuple[PointT, ...]:
        """Return the kept values and the last one, oldest first."""
        return (*self._kept, *self._last)

    def clone(self) -> "Course[PointT]":
        return Course(self.values_max, self._kept[:], self._last[:], self._step, self._added)
