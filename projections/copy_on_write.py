"""Copy-on-write values for folds with checkpoints."""

from collections.abc import Callable, Hashable
from typing import Generic, Protocol, Self, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)


class Cloneable(Protocol):
    """A mutable value that can be copied."""

    def clone(self) -> "Self": ...


CopiedT = TypeVar("CopiedT", bound=Cloneable)


class CopyOnWriteMap(Generic[KeyT, CopiedT]):
    """Values by key, shared with checkpoints until they change."""

    def __init__(self, new: Callable[[], CopiedT], values: dict[KeyT, CopiedT]) -> None:
        self._new = new
        self.values = dict(values)
        self._own: set[KeyT] = set()

    def for_writing(self, key: KeyT) -> CopiedT:
        """Return the value for writing: copied if a checkpoint shares it, new if it is missing."""
        if key in self._own:
            return self.values[key]
        held = self.values.get(key)
        value = self._new() if held is None else held.clone()
        self.values[key] = value
        self._own.add(key)
        return value

    def checkpoint(self) -> dict[KeyT, CopiedT]:
        """Return a checkpoint of all values; later changes copy them first."""
        self._own.clear()
        return dict(self.values)
