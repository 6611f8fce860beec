"""A token bucket per key."""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil

from msgspec import Struct

_KEYS_MAX = 10_000


class Rate(Struct, frozen=True):
    """A rate: `burst` at once, then `per_second`."""

    burst: int
    per_second: float


class Throttle:
    """Token buckets of one rate. `seconds`: a monotonic clock."""

    def __init__(self, rate: Rate, seconds: Callable[[], float]) -> None:
        self._rate = rate
        self._seconds = seconds
        self._buckets: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, key: object) -> int:
        """Return the seconds until `key` has a token, 0 if it has one now; take none."""
        level, _ = self._level(key)
        return 0 if level >= 1 else self._until_one(level)

    def take(self, key: object) -> int:
        """Take a token and return 0, or return the seconds until there is one."""
        level, now = self._level(key)
        if level < 1:
            return self._until_one(level)
        self._buckets[key] = (level - 1, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > _KEYS_MAX:
            self._buckets.popitem(last=False)
        return 0

    def _until_one(self, level: float) -> int:
        return max(1, ceil((1 - level) / self._rate.per_second))

    def _level(self, key: object) -> tuple[float, float]:
        now = self._seconds()
        level, then = self._buckets.get(key, (float(self._rate.burst), now))
        return min(self._rate.burst, level + (now - then) * self._rate.per_second), now
