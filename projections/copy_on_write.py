"""Values that a fold changes, and that what was kept of it earlier shares with it."""

from collections.abc import Callable, Hashable
from typing import Generic, Protocol, Self, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)


class Copied(Protocol):
    """What can be copied, with all that changes in it."""

    def copied(self) -> "Self":
        """Return a copy."""
        ...


CopiedT = TypeVar("CopiedT", bound=Copied)


class Shared(Generic[KeyT, CopiedT]):
    """Values by key, in the order in which they came."""

    def __init__(self, new: Callable[[], CopiedT], values: dict[KeyT, CopiedT]) -> None:
        self._new = new
        self.values = dict(values)
        self._own: set[KeyT] = set()

    def changing(self, key: KeyT) -> CopiedT:
        """Return the value to change; a new one where there was none."""
        if key in self._own:
            return self.values[key]
        held = self.values.get(key)
        value = self._new() if held is None else held.copied()
        self.values[key] = value
        self._own.add(key)
        return value

    def share(self) -> dict[KeyT, CopiedT]:
        """Return the values as they are now, for good."""
        self._own.clear()
        return dict(self.values)
