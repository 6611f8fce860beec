"""An immutable sequence whose longer copies share its items."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Growing(Sequence[T], Generic[T]):
    """A sequence, equal to its tuple, of which every step of a game has a copy.

    Tuples would take 800 MB for a game of 10,000 deals.

    >>> first = Growing([1])
    >>> first.extended(2), first.extended(3), first
    (Growing((1, 2)), Growing((1, 3)), Growing((1,)))
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def extended(self, item: T) -> "Growing[T]":
        """Return a copy with one more item."""
        longer: Growing[T] = Growing()
        longer._items = self._items
        longer._length = self._length + 1
        if not self._length or len(self._items) != self._length:
            longer._items = [*self, item]
            return longer
        self._items.append(item)
        # Another thread may have appended first.
        if self._items[self._length] is not item:
            longer._items = [*self, item]
        return longer

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index % self._length]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Growing | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({tuple(self)})"
