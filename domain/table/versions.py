"""Persistent map from versions to values, as a stack with skip pointers."""

from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Versions(Struct, Generic[T], frozen=True):
    """The value from version `first` on, the entry `before` it, and a skip pointer `jump`.

    Uses garbage collection (no `gc=False`): otherwise freeing a long chain recurses over its
    length.
    """

    first: int
    value: T
    depth: int = 0
    before: "Versions[T] | None" = None
    jump: "Versions[T] | None" = None

    def extended(self, first: int, value: T) -> "Versions[T]":
        """Return a map that has another value from a later version on."""
        near = self.jump
        far = None if near is None else near.jump
        even = near and far and self.depth - near.depth == near.depth - far.depth
        return Versions(first, value, self.depth + 1, self, far if even else self)

    def until(self, version: int) -> "Versions[T]":
        """Return the map as it was at a version, in logarithmic time.

        >>> Versions(1, "a").extended(4, "b").until(3).value
        'a'

        Raises:
            ValueError: the version is before the first.
        """
        found = self
        while found.first > version:
            near, far = found.before, found.jump
            if near is None or far is None:
                message = f"nothing value at version {version}"
                raise ValueError(message)
            found = far if far.first > version else near
        return found
