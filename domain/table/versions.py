"""What held from which version on, kept as a stack that any of its states can be gone on from."""

from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Versions(Struct, Generic[T], frozen=True):
    """What holds from version `first` on, and what held `before`; `jump` leads further back.

    Structs that are collected: long chains of others are freed by calls as deep as they are long.
    """

    first: int
    held: T
    depth: int = 0
    before: "Versions[T] | None" = None
    jump: "Versions[T] | None" = None

    def grown(self, first: int, held: T) -> "Versions[T]":
        """Return these, and what holds from a later version on."""
        near = self.jump
        far = None if near is None else near.jump
        even = near and far and self.depth - near.depth == near.depth - far.depth
        return Versions(first, held, self.depth + 1, self, far if even else self)

    def until(self, version: int) -> "Versions[T]":
        """Return what there was at a version, which is not before the first of all."""
        found = self
        while found.first > version:
            near, far = found.before, found.jump
            if near is None or far is None:
                message = f"nothing held at version {version}"
                raise ValueError(message)
            found = far if far.first > version else near
        return found
